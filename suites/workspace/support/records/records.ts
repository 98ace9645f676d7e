import { exactNumber, reword } from '../../../../common/exact-json.ts';
import { walk } from '../../../../common/json.ts';
import type { BodyContext } from '../../../../fixtures/workspace-bodies.ts';
import { resultOrNull, settle } from '../../../engine/parts.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { listeners, looksAtDeliveries } from '../events/listeners.ts';
import { noReferences, type References } from './compose.ts';
import { type Attempt, create, type Posted, post } from './create.ts';

/** Kinds whose records are made for the clauses on them; webhooks are registered. */
export type Recorded = 'agents' | 'leads' | 'bookings';

/** The create of the first record of its kind. */
const firstPosted: (session: Session, kind: Recorded) => Promise<Posted> = stepFor(
  (kind: Recorded) => kind,
  async (session, kind): Promise<Posted> => {
    // Where deliveries are looked at, those that this causes are to be heard.
    if (kind !== 'bookings' && looksAtDeliveries(session)) {
      await settle(listeners(session));
    }
    // Another booking is made for the clause on cancelling.
    const isPaired = kind === 'bookings' && session.clauses.has('workspace.bookings.cancel');
    const companion = isPaired ? () => postedFor(session, kind, besideFirst) : undefined;
    return post(session, kind, {}, { ...referencesFor(session, kind), companion });
  },
);

/** The first record of its kind. */
export const firstRecord = stepFor(
  (kind: Recorded) => kind,
  async (session, kind) => (await firstPosted(session, kind)).proven(),
);

/** What the booking is named after that stands beside the first. */
export const besideFirst = 'standing beside';

/** The create of a further record of its kind. */
const postedFor = stepFor(
  (kind: Recorded, label: string) => `${kind} for ${label}`,
  async (session, kind): Promise<Posted> => {
    // A deployment may cap their number: the one that most clauses look at comes first.
    await settle(firstPosted(session, kind));
    return post(session, kind, {}, referencesFor(session, kind));
  },
);

/** A further record of its kind, made once a run for what it is named after. */
export const recordFor = stepFor(
  (kind: Recorded, label: string) => `${kind} for ${label}`,
  async (session, kind, label) => {
    // The answer to the first create shows where the ids of the others stand.
    await settle(firstRecord(session, kind));
    return (await postedFor(session, kind, label)).proven();
  },
);

/** A record that a read shows: an agent or, where none can be made, a lead. */
async function firstReadable(session: Session): Promise<Attempt> {
  const agent = await resultOrNull(firstRecord(session, 'agents'));
  return agent?.id === undefined ? firstRecord(session, 'leads') : agent;
}

/** A booking refers to an agent and a lead of the run's, where its body has room for them: a lead cannot be deleted again. */
const referencesFor = (session: Session, kind: Recorded): References => ({
  // No call reads a booking.
  exemplar: async () => (kind === 'bookings' ? firstReadable(session) : null),
  ids: async ({ agent, lead, ownLead = false }): Promise<Pick<BodyContext, 'agentId' | 'leadId'>> => {
    // Those of another kind that a body of the user's names are made first; its own kind would wait for itself.
    const of = (one: 'agents' | 'leads'): Promise<Attempt> =>
      ownLead && one === 'leads' ? create(session, one, {}, noReferences) : firstRecord(session, one);
    const [agentRecord, leadRecord] = await Promise.all([
      agent && kind !== 'agents' ? of('agents') : undefined,
      lead && kind !== 'leads' ? of('leads') : undefined,
    ]);
    return { agentId: idAsShown(agentRecord), leadId: idAsShown(leadRecord) };
  },
});

/** A record's id, a number where the answer to its create shows one: bodies name it so. */
function idAsShown({ id, answer }: Partial<Attempt> = {}): BodyContext['leadId'] {
  if (walk(answer?.json).some(({ value }) => typeof value === 'number' && String(value) === id)) {
    return Number(id);
  }
  const isBare = /^\d{16,}$/.test(id ?? '') && new RegExp(`[:[,\\s]${id}[,}\\]\\s]`).test(answer?.text ?? '');
  return id !== undefined && isBare ? exactNumber(id) : id;
}

/** The body of an attempt with other words in it: for a call that is to differ from it in one thing, and may make a record. */
export function reworded(
  session: Session,
  { body, tag: old }: Pick<Attempt, 'body' | 'tag'>,
): { readonly tag: string; readonly body: unknown } {
  const { tag } = session.nextRecord();
  return { tag, body: reword(body, old, tag) };
}
