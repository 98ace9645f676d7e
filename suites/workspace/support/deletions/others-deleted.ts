import { type JsonObject, walk } from '../../../../common/json.ts';
import type { Exchange } from '../../../../results/exchange.ts';
import type { Tally } from '../../../../results/outcome.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import { findingOn } from '../../../engine/expect.ts';
import { showsId } from '../../../reading/id-places.ts';
import { mentionsSpelled } from '../../../reading/own-words.ts';
import { rowsIn } from '../../../reading/rows.ts';
import { idsOf } from '../../../reading/shown-ids.ts';
import { nounOf } from '../../../records/collections.ts';
import { begunAfterAll, readFirstPage } from '../../../records/list-reading.ts';
import type { ListSearch } from '../../../records/list-search.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import type { Session } from '../../../session/session.ts';
import type { Kind } from '../kinds.ts';
import { type Deletable, deleting, listing, pathOf } from '../kinds.ts';
import type { Created } from '../records/create.ts';

/** What a list showed before and after a deletion. */
export interface ListsAround {
  readonly kind: Deletable;
  readonly record: Created;
  /** null: nothing is known of the time before. */
  readonly before: ListSearch | null;
  readonly after: ListSearch;
  /** Whether a row shows that its record is gone. */
  readonly isGone: (row: JsonObject) => boolean;
}

/**
 * A deletion takes no record that the run did not make. Somebody else may have deleted one at the same moment: only if
 * each of several later deletions of the run took as many, it is the deployment that takes them. Otherwise throws
 * Inconclusive, unless something else has failed. Waits until the run is quiet where one was taken.
 */
export async function judgeOthersKept(session: Session, tally: Tally, lists: ListsAround): Promise<void> {
  const { kind, record, before, after, isGone } = lists;
  const isWhole = [before, after].every((look) => look?.isOnePage === true && look.isComplete);
  const taken =
    before === null ? [] : takenBetween(session, kind, { before: before.first, after: after.first, isGone, isWhole });
  const [first] = taken;
  if (first === undefined) {
    return;
  }
  await session.until('quiet');
  const isDeletion = ({ endpoint, response, number }: Exchange): boolean =>
    endpoint === deleting(kind) && response !== null && isSuccess(response) && number > after.first.exchange.number;
  const deletions = session.evidence.exchanges.filter(isDeletion).length;
  const later = await readFirstPage(session, listing(kind), { reuse: begunAfterAll(session, isDeletion) });
  const takenLater = takenBetween(session, kind, { before: after.first, after: later, isGone, isWhole });
  const noun = nounOf(pathOf(kind));
  const what = `${first}, which this run did not create, disappeared when ${record.id} was deleted`;
  const isEachTime = deletions >= fewestRepeated && takenLater.length === deletions * taken.length;
  if (isSuccess(later) && isEachTime) {
    tally.judge(
      findingOn(later, {
        message: `Deleting one ${noun} removes others: ${what}, and later deletions of the run removed ${takenLater.length} more`,
        expected: `only the deleted ${noun} removed`,
        actual: [...taken, ...takenLater].join(', '),
        place: 'body',
      }),
    );
  } else {
    const message = `Cannot tell whether deleting one ${noun} removes others: ${what}; somebody else may have deleted it at that moment`;
    const finding = findingOn(after.first, { message });
    if (tally.outcome().failures.length === 0) {
      throw new Inconclusive(finding);
    }
    tally.leaveOpen(finding);
  }
}

/** The first page of a list before and after a deletion. */
interface Pages extends Pick<ListsAround, 'isGone'> {
  readonly before: Answer;
  readonly after: Answer;
  /** It is the only page. */
  readonly isWhole: boolean;
}

/** The ids of records of others that the first page of a list shows as gone, or no longer shows. */
function takenBetween(session: Session, kind: Kind, { before, after, isGone, isWhole }: Pages): readonly string[] {
  const noun = nounOf(pathOf(kind));
  const rowsOf = ({ json }: Answer): readonly IdentifiedRow[] =>
    (rowsIn(json, noun) ?? []).flatMap((row) =>
      idsOf(row, noun)
        .slice(0, 1)
        .map((id) => ({ id, row })),
    );
  const [was, is] = [rowsOf(before), rowsOf(after)];
  const now = new Map(is.map(({ id, row }) => [id, row]));
  const stayed = was.filter(({ id }) => now.has(id)).map(({ id }) => id);
  const isInOrder = stayed.join() === is.flatMap(({ id }) => (stayed.includes(id) ? [id] : [])).join();
  const lastThatStayed = was.findLastIndex(({ id }) => now.has(id));
  // New rows may have pushed the last ones off the page, but none from between others.
  const isMissing = (index: number): boolean => isWhole || (isInOrder && index < lastThatStayed);
  return was.flatMap(({ id, row }, index) => {
    const later = now.get(id);
    const isTaken = later === undefined ? isMissing(index) : isGone(later);
    return isTaken && !isGone(row) && !isOfRun(session, kind, row) ? [id] : [];
  });
}

interface IdentifiedRow {
  readonly id: string;
  readonly row: JsonObject;
}

/** How many later deletions have to take others: one may be chance. */
const fewestRepeated = 2;

/** A record of this run, or of another one, which deletes it itself: it has words of the suite's. */
const ofAnyRun = /\bconformance\b/i;

/**
 * Whether a row may be that of a record that a run of the suite made: it shows words of a run, in any spelling, or an id
 * of this one.
 */
const isOfRun = ({ tag, ledger }: Session, kind: Kind, row: JsonObject): boolean =>
  mentionsSpelled(row, tag) ||
  walk(row).some(({ value }) => typeof value === 'string' && ofAnyRun.test(value)) ||
  ledger
    .all()
    .filter(({ collection }) => collection === pathOf(kind))
    .some(({ id, answeredIds = [] }) => [id ?? [], answeredIds].flat().some((one) => showsId(row, one)));
