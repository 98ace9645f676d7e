import { createTally, type Outcome } from '../../../results/outcome.ts';
import { judgePart, resultOrNull } from '../../engine/parts.ts';
import { isSuccess } from '../../session/answer.ts';
import type { Session } from '../../session/session.ts';
import { type IdCall, type IdCalls, judgeUnknownIds } from '../../shared/unknown-ids.ts';
import { webhookRemoved } from './caused-events.ts';
import { changed } from './changes.ts';
import { agentDeleted, bookingCancelled, type Deletion } from './deletions.ts';
import { details } from './details.ts';
import { changing, type Deletable, deleting, pathOf, type Readable, reading } from './kinds.ts';
import { reworded } from './records.ts';

/** Calls with ids that the deployment does not know: one that was deleted, and one that it never gave out. */
export async function judgeUnknownRecords(session: Session): Promise<Outcome> {
  const tally = createTally();
  const judgeKind = (make: () => Promise<IdCalls>): Promise<void> =>
    judgePart(tally, async () => judgeUnknownIds(session, tally, await make()));
  await Promise.all([
    judgeKind(async () => {
      const deletion = await resultOrNull(agentDeleted(session));
      return readable(session, 'agents', deletion === null ? null : deletedId(deletion));
    }),
    judgeKind(() => readable(session, 'leads', null)),
    judgeKind(async () => {
      const deletion = await agentDeleted(session);
      return removable('agents', deletion, deletedId(deletion));
    }),
    // A cancelled booking may be known for ever.
    judgeKind(async () => removable('bookings', await bookingCancelled(session), null)),
    judgeKind(async () => {
      const removal = await webhookRemoved(session);
      return removable('webhooks', removal, deletedId(removal));
    }),
  ]);
  return tally.outcome();
}

const deletedId = ({ id, answer }: Deletion): string | null => (isSuccess(answer) ? id : null);

/** The calls that read and change a record. */
async function readable(session: Session, kind: Readable, deleted: string | null): Promise<IdCalls> {
  const { id: real } = await details(session, kind);
  const calls: IdCall[] = [
    { endpoint: reading(kind), twin: async () => (await details(session, kind)).answer },
    {
      endpoint: changing(kind),
      twin: async () => (await changed(session, kind)).answer,
      // Words of its own: what it changes, wrongly, is not taken for what another change did.
      body: async () => {
        const { body, record } = await changed(session, kind);
        return reworded(session, { body, tag: record.tag }).body;
      },
      headers: async () => (await changed(session, kind)).headers,
    },
  ];
  return { collection: pathOf(kind), real, deleted, mayDeleteAgain: false, purpose: 'documented', calls };
}

/** The call that deletes a record. */
const removable = (kind: Deletable, { id, answer }: Deletion, deleted: string | null): IdCalls => ({
  collection: pathOf(kind),
  real: id,
  deleted,
  mayDeleteAgain: false,
  purpose: 'documented',
  calls: [{ endpoint: deleting(kind), twin: async () => answer }],
});
