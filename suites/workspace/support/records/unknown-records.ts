import { renamed } from '../../../../common/exact-json.ts';
import type { Outcome } from '../../../../results/outcome.ts';
import { judgeEach, resultOrNull } from '../../../engine/parts.ts';
import { judgeUnknownIds } from '../../../records/unknown-ids.ts';
import type { DeletedId, IdCall, IdCalls } from '../../../records/whose-id.ts';
import { isSuccess } from '../../../session/answer.ts';
import type { Session } from '../../../session/session.ts';
import { type AgentDeletion, agentDeletion, bookingCancellation, type Deletion } from '../deletions/deletions.ts';
import { webhookRemoval } from '../events/webhook-removal.ts';
import type { Kind } from '../kinds.ts';
import { changing, type Deletable, deleting, pathOf, type Readable, reading } from '../kinds.ts';
import { detailView } from './details.ts';
import { mainChange } from './main-record.ts';
import { reworded } from './run-records.ts';

/** Calls with an unknown id get 404: with the id of a deleted record, and with one that was never given out. */
export const judgeUnknownRecords = (session: Session): Promise<Outcome> =>
  judgeEach([agentCalls, leadCalls, bookingCalls, webhookCalls], async (tally, callsOf) =>
    tally.add(await judgeUnknownIds(session, await callsOf(session))),
  );

async function agentCalls(session: Session): Promise<IdCalls> {
  const deleted = await resultOrNull(agentDeletion(session));
  const real = deleted?.id ?? (await detailView(session, 'agents')).id;
  const calls = [...readAndChange(session, 'agents'), deletion('agents', () => agentDeletion(session))];
  return idCalls('agents', real, deleted === null ? null : deletedAgent(deleted), calls);
}

async function bookingCalls(session: Session): Promise<IdCalls> {
  const cancellation = await bookingCancellation(session);
  // A deployment may keep cancelled bookings: their ids are not unknown.
  const calls = idCalls('bookings', cancellation.id, null, [deletion('bookings', async () => cancellation)]);
  return { ...calls, like: () => leadCalls(session) };
}

async function webhookCalls(session: Session): Promise<IdCalls> {
  const removal = await webhookRemoval(session);
  const calls = idCalls('webhooks', removal.id, deletedId(removal), [deletion('webhooks', async () => removal)]);
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

const deletedId = ({ id, answer }: Deletion): DeletedId | null => (isSuccess(answer) ? { id, answer } : null);

/** The id of the deleted agent, with the view that was read under it, if it is the one that was read. */
function deletedAgent({ later, record, ...rest }: AgentDeletion): DeletedId | null {
  const deleted = deletedId({ record, ...rest });
  return deleted?.id === record.id ? { ...deleted, later } : deleted;
}

/** The calls that read and change a record. */
const readAndChange = (session: Session, kind: Readable): readonly IdCall[] => [
  { endpoint: reading(kind), twin: async () => (await detailView(session, kind)).answer },
  {
    endpoint: changing(kind),
    deletedIsEnough: true,
    twin: async () => (await mainChange(session, kind)).answer,
    // New words: a wrong effect of this call must not be taken for that of another change.
    body: async (id) => {
      const { body, record } = await mainChange(session, kind);
      // The body may have to name the id that is in the path.
      return renamed(reworded(session, { body, tag: record.tag }).body, [record.id, ...record.aliases], id);
    },
    headers: async () => (await mainChange(session, kind)).headers,
  },
];

/** The call that deletes a record. */
const deletion = (kind: Deletable, result: () => Promise<Deletion>): IdCall => ({
  endpoint: deleting(kind),
  deletedIsEnough: true,
  twin: async () => (await result()).answer,
});
