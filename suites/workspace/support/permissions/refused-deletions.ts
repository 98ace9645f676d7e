import { endpointOf } from '../../../../contract/endpoints.ts';
import type { Exchange } from '../../../../results/exchange.ts';
import type { Tally } from '../../../../results/outcome.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { findingOn } from '../../../engine/expect.ts';
import { resultOrNull, toldOrNull } from '../../../engine/parts.ts';
import { mentions } from '../../../reading/own-words.ts';
import { nounOf } from '../../../records/collections.ts';
import { findCreated, type ListSearch } from '../../../records/list-search.ts';
import { deletionsOf } from '../../../records/still-there.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { judgeEffect, type RefusedWrite } from '../../../shared/refusals/no-effect.ts';
import { storyOf } from '../../events/story.ts';
import type { Kind } from '../../kinds.ts';
import { type Deletable, deleting, listing, reading } from '../../kinds.ts';
import { cancelledRowTest, deletesOthersToo } from '../../life/collateral.ts';
import { assertCreated, type Created } from '../../records/creating.ts';
import { firstRecord } from '../../records/run-records.ts';

/** A refused deletion, and the search for its record afterwards. */
interface RefusedDeletion {
  readonly deletion: RefusedWrite;
  readonly record: Created;
  readonly search: ListSearch;
}

/** Judges that a refused deletion had no effect: its record still exists. */
export async function judgeRefusedDeletion(
  session: Session,
  tally: Tally,
  kind: Deletable,
  { deletion, record, search }: RefusedDeletion,
): Promise<void> {
  const cannotTell = `Cannot tell whether a refused deletion of ${record.id} took effect`;
  const failed = failedDeletion(session, record);
  if (await deletesOthersToo(session, kind)) {
    const message = `${cannotTell}: an accepted one deletes other ${kind} too`;
    tally.leaveOpen(findingOn(search.last, { message, blames: endpointOf(deleting(kind)).clause }));
  } else if (failed !== undefined) {
    const message = `${cannotTell}: one that was not refused ended with ${failed.response?.status}`;
    tally.leaveOpen(findingOn({ exchange: failed }, { message, blames: 'workspace.errors.no-server-error' }));
  } else {
    const how = await lossOf(session, kind, record, search);
    judgeEffect(tally, deletion, {
      effect: how === null ? undefined : { shownBy: search.last, how },
      unknown: search.isShown ? null : notShown(search.last, kind),
    });
  }
}

/** What happened to a record that should not have been deleted; null: nothing that shows. */
async function lossOf(session: Session, kind: Deletable, record: Created, search: ListSearch): Promise<string | null> {
  if (search.isShown) {
    const isCancelled = kind === 'bookings' && (await cancelledRowTest(session))(search.row);
    return isCancelled ? `${record.id} is cancelled` : null;
  }
  return (await isGone(session, kind, record, search)) ? `${record.id} is gone` : null;
}

/** A deletion of the record that got a 5xx: it may have been done all the same. */
const failedDeletion = (session: Session, record: Created): Exchange | undefined =>
  deletionsOf(session, record).find(({ response }) => (response?.status ?? 0) >= 500);

/** Whether a record that a search did not find is gone: the complete list would show it, or reads would find it. */
async function isGone(session: Session, kind: Deletable, record: Created, search: ListSearch): Promise<boolean> {
  if (
    [search.first, search.last].some(({ json }) => mentions(json, record.tag)) ||
    (await isRead(session, kind, record))
  ) {
    return false;
  }
  return search.isComplete ? listsRecords(session, kind) : readsAnother(session, kind, record);
}

/** Whether a read finds another record of the kind: then one that it does not find is gone. */
async function readsAnother(session: Session, kind: Deletable, { id }: Created): Promise<boolean> {
  const first = kind === 'agents' ? assertCreated(await firstRecord(session, kind)) : null;
  return first !== null && first.id !== id && (await isRead(session, kind, first));
}

/** Whether the list shows records that the run created. */
async function listsRecords(session: Session, kind: Deletable): Promise<boolean> {
  if (kind !== 'agents') {
    const story = await resultOrNull(storyOf(session, kind));
    const listed = story && toldOrNull(story.listed);
    return listed?.first.isShown === true && listed.second?.isShown !== false;
  }
  const first = assertCreated(await firstRecord(session, kind));
  return (await resultOrNull(findCreated(session, first)))?.isShown === true;
}

const isRead = async (session: Session, kind: Deletable, { id }: Created): Promise<boolean> =>
  kind === 'agents' && isSuccess(await send(session, reading('agents'), { id }));

/** The finding on a list that does not show what accepted writes made. */
export const notShown = (answer: Answer, kind: Kind): Finding =>
  findingOn(answer, {
    message: `Cannot tell what refused writes leave behind: ${listing(kind)} does not show the ${nounOf(kind)} that an accepted one made`,
    blames: endpointOf(listing(kind)).clause,
  });
