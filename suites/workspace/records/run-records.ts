import { exactNumber, reword } from '../../../common/exact-json.ts';
import { walk } from '../../../common/json.ts';
import { settle } from '../../engine/parts.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { listeners, needsDeliveries } from '../events/subscribe.ts';
import { type Attempt, type Id, type Posted, post, type References } from './creating.ts';

/** Kinds whose records are created with a body of their fields alone; webhooks are registered with a URL. */
export type CreatedKind = 'agents' | 'leads' | 'bookings';

/** The create of the first record of a kind. */
const firstPosted: (session: Session, kind: CreatedKind) => Promise<Posted> = stepFor(
  (kind: CreatedKind) => kind,
  async (session, kind): Promise<Posted> => {
    // Where deliveries are judged, those that this create causes must be heard.
    if (kind !== 'bookings' && needsDeliveries(session)) {
      await settle(listeners(session));
    }
    const companion = kind === 'bookings' ? () => postedFor(session, kind, secondLabel) : undefined;
    return post(session, kind, {}, { ...referencesFor(session, kind), companion });
  },
);

/** The first record of a kind, or the attempt to create it. */
export const firstRecord = stepFor(
  (kind: CreatedKind) => kind,
  async (session, kind) => (await firstPosted(session, kind)).proven(),
);

/** The label of the second record of a kind's story. */
export const secondLabel = 'deletion';

/** The create of a further record of a kind. */
const postedFor = stepFor(
  (kind: CreatedKind, label: string) => `${kind} for ${label}`,
  async (session, kind): Promise<Posted> => {
    // A deployment may cap the number of records: the first one, which most clauses use, must not be the one too many.
    await settle(firstPosted(session, kind));
    return post(session, kind, {}, referencesFor(session, kind));
  },
);

/** A further record of a kind, created once a run for each label. */
export const recordFor = stepFor(
  (kind: CreatedKind, label: string) => `${kind} for ${label}`,
  async (session, kind, label) => {
    // Where the first record's id was found shows where the ids of the others are.
    await settle(firstRecord(session, kind));
    return (await postedFor(session, kind, label)).proven();
  },
);

/** What a record refers to: the first agent and lead, since leads cannot be deleted. */
const referencesFor = (session: Session, kind: CreatedKind): References => ({
  ids: async ({ agent, lead }) => {
    // A user's body may name a record of its own kind: waiting for the first one would never end.
    const [agentRecord, leadRecord] = await Promise.all([
      agent && kind !== 'agents' ? firstRecord(session, 'agents') : undefined,
      lead && kind !== 'leads' ? firstRecord(session, 'leads') : undefined,
    ]);
    return { agentId: idToName(session, agentRecord), leadId: idToName(session, leadRecord) };
  },
});

/**
 * A record's id as bodies must name it: as a number where the answer to its create shows a number. undefined: it is not
 * proven to be the run's, and a body may name no record of others.
 */
function idToName({ writeGuard }: Session, record?: Attempt): Id | undefined {
  const { id, collection = '', answer } = record ?? {};
  if (id === undefined || !writeGuard.allows(collection, id)) {
    return undefined;
  }
  if (walk(answer?.json).some(({ value }) => typeof value === 'number' && String(value) === id)) {
    return Number(id);
  }
  // Parsed, a number of that many digits is another one: it is found in the text.
  const isLargeNumber = /^\d{16,100}$/.test(id) && new RegExp(`[:[,\\s]${id}[,}\\]\\s]`).test(answer?.text ?? '');
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
