import { renamed } from '../../common/exact-json.ts';
import type { Outcome } from '../../results/outcome.ts';
import { judgeEach, resultOrNull, toldOrNull } from '../engine/parts.ts';
import { judgeUnknownIds } from '../records/unknown-ids.ts';
import type { DeletedId, IdCall, IdCalls } from '../records/whose-id.ts';
import { isSuccess } from '../session/answer.ts';
import type { Session } from '../session/session.ts';
import { storyOf, webhookStory } from './events/story.ts';
import type { Kind } from './kinds.ts';
import { changing, type Deletable, deleting, pathOf, type Readable, reading } from './kinds.ts';
import type { Change } from './life/changes.ts';
import { detailView } from './life/details.ts';
import { type Deletion, recordStory } from './life/story.ts';
import { reworded } from './records/run-records.ts';

/** Calls with an unknown id get 404: with the id of a deleted record, and with one that was never given out. */
export const judgeUnknownRecords = (session: Session): Promise<Outcome> =>
  judgeEach([agentCalls, leadCalls, bookingCalls, webhookCalls], async (tally, callsOf) =>
    tally.add(await judgeUnknownIds(session, await callsOf(session))),
  );

async function agentCalls(session: Session): Promise<IdCalls> {
  const story = await resultOrNull(recordStory(session, 'agents'));
  const deleted = story && toldOrNull(story.deletion);
  const real = deleted?.record.id ?? (await detailView(session, 'agents')).id;
  const calls = [...readAndChange(session, 'agents'), deletion(session, 'agents')];
  return idCalls('agents', real, deleted === null ? null : deletedId(deleted), calls);
}

async function bookingCalls(session: Session): Promise<IdCalls> {
  const { record } = (await recordStory(session, 'bookings')).deletion();
  // A deployment may keep cancelled bookings: their ids are not unknown.
  const calls = idCalls('bookings', record.id, null, [deletion(session, 'bookings')]);
  return { ...calls, like: () => leadCalls(session) };
}

async function webhookCalls(session: Session): Promise<IdCalls> {
  const removal = (await webhookStory(session)).deletion();
  const calls = idCalls('webhooks', removal.record.id, deletedId(removal), [deletion(session, 'webhooks')]);
  return { ...calls, like: () => leadCalls(session) };
}

const leadCalls = async (session: Session): Promise<IdCalls> =>
  idCalls('leads', (await detailView(session, 'leads')).id, null, readAndChange(session, 'leads'));

const idCalls = (kind: Kind, real: string, deleted: DeletedId | null, calls: readonly IdCall[]): IdCalls => ({
  collection: pathOf(kind),
  real,
  deleted,
  mayDeleteAgain: false,
  purpose: 'documented',
  calls,
});

/** The id of a deleted record, with the view that was read under it. */
const deletedId = ({ record, answer, later }: Deletion): DeletedId | null =>
  isSuccess(answer) ? { id: record.id, answer, ...(later === null ? {} : { later }) } : null;

const changeOf = async (session: Session, kind: Readable): Promise<Change> =>
  (await recordStory(session, kind)).change();

/** The calls that read and change a record. */
const readAndChange = (session: Session, kind: Readable): readonly IdCall[] => [
  { endpoint: reading(kind), twin: async () => (await detailView(session, kind)).answer },
  {
    endpoint: changing(kind),
    deletedIsEnough: true,
    twin: async () => (await changeOf(session, kind)).answer,
    // New words: a wrong effect of this call must not be taken for that of another change.
    body: async (id) => {
      const { body, record } = await changeOf(session, kind);
      // The body may have to name the id that is in the path.
      return renamed(reworded(session, { body, tag: record.tag }).body, [record.id, ...record.aliases], id);
    },
    headers: async () => (await changeOf(session, kind)).headers,
  },
];

/** The call that deletes a record. */
const deletion = (session: Session, kind: Deletable): IdCall => ({
  endpoint: deleting(kind),
  deletedIsEnough: true,
  twin: async () => (await storyOf(session, kind)).deletion().answer,
});
