import { exactNumber, reword, walk } from '../../../common/json.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { Inconclusive } from '../../../results/outcome.ts';
import { usesWord, type WordValues } from '../../../settings/bodies-file.ts';
import { settle } from '../../engine/check.ts';
import { type Session, stepFor } from '../../session/session.ts';
import { firstWebhook, listeners, needsDeliveries, register } from '../events/subscribe.ts';
import { creating, type Kind } from '../kinds.ts';
import { type Attempt, create, type Making } from './creating.ts';

/** Kinds whose records are created with a body of their fields alone; webhooks are registered with a URL. */
export type CreatedKind = 'agents' | 'leads' | 'bookings';

/** An id as bodies name it. */
type Id = Exclude<WordValues['lead_id'], undefined>;

/** The first record of a kind, or the attempt to create it. */
const firstRecord = stepFor(
  (kind: CreatedKind) => kind,
  async (session, kind): Promise<Attempt> => {
    // Where deliveries are judged, those that this create causes must be heard.
    if (kind !== 'bookings' && needsDeliveries(session)) {
      await settle(listeners(session));
    }
    return create(session, kind, naming(session, kind));
  },
);

/** The create of a kind that most clauses use. */
export const firstOf = async (session: Session, kind: Kind): Promise<Attempt> =>
  kind === 'webhooks' ? firstWebhook(session) : firstRecord(session, kind);

/** Creates a further record of a kind. A deployment may cap their number: the first must not be the one too many. */
export async function anotherOf(session: Session, kind: Kind): Promise<Attempt> {
  await settle(firstOf(session, kind));
  return kind === 'webhooks' ? register(session, 'further webhook') : create(session, kind, naming(session, kind));
}

/** Names the records to which a body refers. */
const naming =
  (session: Session, kind: CreatedKind): Making =>
  async ({ template }) => ({ template, words: await namedIn(session, template, kind) });

/**
 * The ids of the records to which a body refers: the first agent and lead, since leads cannot be deleted. `kind`: what
 * it creates. Throws Inconclusive where one could not be created.
 */
export async function namedIn(session: Session, template: unknown, kind?: CreatedKind) {
  const words: { agent_id?: Id; lead_id?: Id } = {};
  for (const [word, named] of [
    ['agent_id', 'agents'],
    ['lead_id', 'leads'],
  ] as const) {
    // A user's body may name a record of its own kind: waiting for the first one would never end.
    if (named !== kind && usesWord(template, word)) {
      const id = idToName(session, await firstRecord(session, named));
      if (id === undefined) {
        const message = `Not sent: a body that refers to one of the ${named}, since none could be created`;
        throw new Inconclusive({ message, blames: endpointOf(creating(named)).clause });
      }
      words[word] = id;
    }
  }
  return words;
}

/**
 * A record's id as bodies must name it: as a number where the answer to its create shows a number. undefined: it is not
 * proven to be the run's, and a body may name no record of others.
 */
function idToName({ writeGuard }: Session, { id, collection, answer }: Attempt): Id | undefined {
  if (id === undefined || !writeGuard.allows(collection, id)) {
    return undefined;
  }
  const isNumber = walk(answer.json).some(({ value }) => typeof value === 'number' && String(value) === id);
  if (isNumber) {
    return Number(id);
  }
  // Parsed, a number of that many digits is another one: it is found in the text.
  const isLargeNumber = /^\d{16,100}$/.test(id) && new RegExp(`[:[,\\s]${id}[,}\\]\\s]`).test(answer.text);
  return isLargeNumber ? exactNumber(id) : id;
}

/** The body of an attempt with new words of the run, and these words: for a call that may create another record. */
export function reworded(
  session: Session,
  { body, tag: oldTag }: Pick<Attempt, 'body' | 'tag'>,
): { readonly tag: string; readonly body: unknown } {
  const { tag } = session.nextRecord();
  return { tag, body: reword(body, oldTag, tag) };
}
