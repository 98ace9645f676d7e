import type { Kind } from '../../../../fixtures/workspace-bodies.ts';
import type { Outcome } from '../../../../results/outcome.ts';
import { judgeEach, resultOrNull } from '../../../engine/parts.ts';
import { isSuccess } from '../../../session/answer.ts';
import type { Session } from '../../../session/session.ts';
import { judgeUnknownIds } from '../../../shared/unknown-ids/unknown-ids.ts';
import type { DeletedId, IdCall, IdCalls } from '../../../shared/unknown-ids/whose-id.ts';
import { type AgentDeletion, agentDeleted, bookingCancelled, type Deletion } from '../deletions/deletions.ts';
import { webhookRemoved } from '../events/webhook-removal.ts';
import { changing, type Deletable, deleting, pathOf, type Readable, reading } from '../kinds.ts';
import { details } from './details.ts';
import { mainChanged } from './main-record.ts';
import { reworded } from './records.ts';

/** Calls with ids that the deployment does not know: one that was deleted, and one that it never gave out. */
export const judgeUnknownRecords = (session: Session): Promise<Outcome> =>
  judgeEach([agentCalls, leadCalls, bookingCalls, webhookCalls], async (tally, callsOf) =>
    tally.add(await judgeUnknownIds(session, await callsOf(session))),
  );

async function agentCalls(session: Session): Promise<IdCalls> {
  const deletion = await resultOrNull(agentDeleted(session));
  const real = deletion?.id ?? (await details(session, 'agents')).id;
  const calls = [...viewing(session, 'agents'), removing('agents', () => agentDeleted(session))];
  return idCalls('agents', real, deletion === null ? null : deletedAgent(deletion), calls);
}

async function bookingCalls(session: Session): Promise<IdCalls> {
  const cancellation = await bookingCancelled(session);
  // A cancelled booking may be known for ever.
  const calls = idCalls('bookings', cancellation.id, null, [removing('bookings', async () => cancellation)]);
  return { ...calls, like: () => leadCalls(session) };
}

async function webhookCalls(session: Session): Promise<IdCalls> {
  const removal = await webhookRemoved(session);
  return idCalls('webhooks', removal.id, deletedId(removal), [removing('webhooks', async () => removal)]);
}

const leadCalls = async (session: Session): Promise<IdCalls> =>
  idCalls('leads', (await details(session, 'leads')).id, null, viewing(session, 'leads'));

const idCalls = (kind: Kind, real: string, deleted: DeletedId | null, calls: readonly IdCall[]): IdCalls => ({
  collection: pathOf(kind),
  real,
  deleted,
  mayDeleteAgain: false,
  purpose: 'documented',
  calls,
});

const deletedId = ({ id, answer }: Deletion): DeletedId | null => (isSuccess(answer) ? { id, answer } : null);

/** Under the id that it was made with, the deleted agent was read since. */
function deletedAgent({ later, record, ...deletion }: AgentDeletion): DeletedId | null {
  const deleted = deletedId({ record, ...deletion });
  return deleted?.id === record.id ? { ...deleted, later } : deleted;
}

/** The calls that read and change a record. */
const viewing = (session: Session, kind: Readable): readonly IdCall[] => [
  { endpoint: reading(kind), twin: async () => (await details(session, kind)).answer },
  {
    endpoint: changing(kind),
    deletedIsEnough: true,
    twin: async () => (await mainChanged(session, kind)).answer,
    // Words of its own: what it changes, wrongly, is not taken for what another change did.
    body: async () => {
      const { body, record } = await mainChanged(session, kind);
      return reworded(session, { body, tag: record.tag }).body;
    },
    headers: async () => (await mainChanged(session, kind)).headers,
  },
];

/** The call that deletes a record. */
const removing = (kind: Deletable, deletion: () => Promise<Deletion>): IdCall => ({
  endpoint: deleting(kind),
  deletedIsEnough: true,
  twin: async () => (await deletion()).answer,
});
