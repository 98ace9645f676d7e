import { isObject, type JsonObject, walk } from '../../../common/json.ts';
import { workspaceEndpoints } from '../../../contract/workspace-endpoints.ts';
import type { Exchange } from '../../../results/exchange.ts';
import type { Tally } from '../../../results/outcome.ts';
import { Inconclusive } from '../../../results/stop.ts';
import type { Finding } from '../../../results/verdict.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { findingOn } from '../../engine/expect.ts';
import { showsId } from '../../reading/id-places.ts';
import { mentionsSpelled } from '../../reading/own-words.ts';
import { rowsIn } from '../../reading/rows.ts';
import { idsOf, namedIdsOf } from '../../reading/shown-ids.ts';
import { locatedId } from '../../records/candidates.ts';
import { nounOf, readingOf } from '../../records/collections.ts';
import { begunAfterAll, readFirstPage } from '../../records/list-reading.ts';
import { ownRowPlace } from '../../records/listed-records.ts';
import { isOfStore } from '../../records/others.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import type { Session } from '../../session/session.ts';
import { type Deletable, deleting, type Kind, listing, pathOf } from '../kinds.ts';
import type { Deletion } from './story.ts';

/** A deletion succeeds; `what` begins the finding. A 404 or 400 decides nothing where the record's id may be no id. */
export function judgeDeletion(tally: Tally, deletion: Deletion, what: string): void {
  const { record, answer } = deletion;
  const actual = describeAnswer(answer);
  const finding = findingOn(answer, { message: `${what}: ${actual}`, expected: '200 or 201', actual });
  if (isSuccess(answer)) {
    tally.judge(null);
  } else if ((answer.status === 404 || answer.status === 400) && !isSurelyId(deletion)) {
    tally.leaveOpen({
      ...finding,
      cause: `No field is clearly its id: ${record.id} may be something else`,
    });
  } else {
    tally.judge(finding);
  }
}

/** Whether a record's id is surely one: reads take it, or the answer to its create or its row calls it one. */
function isSurelyId({ record, before: { row = {} } }: Deletion): boolean {
  const { kind, id, aliases, answer } = record;
  return (
    readingOf(workspaceEndpoints, record.collection) !== undefined ||
    !isObject(answer.payload) ||
    locatedId(record) === id ||
    aliases.includes(id) ||
    namedIdsOf(row, nounOf(kind)).includes(id)
  );
}

/** How rows of a kind show whether their record exists. */
interface Signs {
  readonly kind: Deletable;
  /** Whether a row of the deleted record shows it as existing. */
  readonly isThere: (row: JsonObject) => boolean;
  /** Whether a row shows that its record is gone. */
  readonly isGone: (row: JsonObject) => boolean;
}

/** An accepted deletion lasts, and took no record of somebody else. Waits until the run is quiet. */
export async function judgeGone(session: Session, tally: Tally, deletion: Deletion, signs: Signs): Promise<void> {
  await judgeNotListedAgain(session, tally, deletion, signs);
  await judgeOthersKept(session, tally, deletion, signs);
}

/** Another record of the run that a deletion took along. */
interface TakenAlong {
  readonly noun: string;
  /** The id of the record that was deleted. */
  readonly deleted: string;
  readonly taken: string;
  /** What became of the other record. Default: removed. */
  readonly end?: 'removed' | 'cancelled';
}

/** The finding on a deletion that took another record of the run along, as `shown` shows. */
export const tookAnother = (shown: Answer, { noun, deleted, taken, end = 'removed' }: TakenAlong): Finding =>
  findingOn(shown, {
    message: `Deleting ${noun} ${deleted} also ${end} ${noun} ${taken}`,
    expected: `only ${deleted} ${end}`,
    actual: `${taken} ${end} as well`,
    place: 'body',
  });

/**
 * No list that the run read KEY_SETTLE_MS after an accepted deletion or later shows the record again, as one of several
 * replicas or a cache may. Waits until the run is quiet, so that all lists are read.
 */
async function judgeNotListedAgain(
  session: Session,
  tally: Tally,
  { record, answer: deletion }: Deletion,
  { isThere }: Signs,
): Promise<void> {
  await session.until('quiet');
  const { evidence, settings } = session;
  const settledAt = deletion.exchange.receivedAt + settings.KEY_SETTLE_MS;
  const isLaterList = ({ endpoint, sentAt, keyLabel, response }: Exchange): boolean =>
    endpoint === `GET ${record.collection}` &&
    sentAt > settledAt &&
    response?.status === 200 &&
    isOfStore(keyLabel, record.entry.keySetting);
  const noun = nounOf(record.collection);
  const shows = ({ response }: Exchange): boolean => {
    const rows = rowsIn(response?.json, noun) ?? [];
    const row = rows[ownRowPlace(rows, record)];
    return row !== undefined && isThere(row);
  };
  const showing = evidence.exchanges.filter(isLaterList).find(shows);
  if (showing === undefined || !isSuccess(deletion)) {
    return;
  }
  const wait = showing.sentAt - deletion.exchange.receivedAt;
  const isList = ({ endpoint, sentAt, response }: Exchange): boolean =>
    endpoint === showing.endpoint && sentAt >= deletion.exchange.receivedAt && response?.status === 200;
  const wasGone = evidence.exchanges.some((one) => isList(one) && one.number < showing.number && !shows(one));
  tally.judge(
    findingOn(
      { exchange: showing },
      {
        message: `Deleted ${noun} is ${wasGone ? 'listed again' : 'still listed'}: ${record.id} in GET ${record.collection}, ${Math.round(wait)} ms after its deletion`,
        expected: 'absent, or shown as deleted',
        actual: 'listed',
        place: 'body',
        ...(wasGone ? { cause: 'One of several replicas, or a cache, missed the deletion' } : {}),
      },
    ),
  );
}

/**
 * A deletion takes no record that the run did not make. Somebody else may have deleted one at the same moment: only if
 * each of several later deletions of the run took as many, it is the deployment that takes them. Otherwise throws
 * Inconclusive, unless something else has failed. Waits until the run is quiet where one was taken.
 */
async function judgeOthersKept(session: Session, tally: Tally, deletion: Deletion, signs: Signs): Promise<void> {
  const { record, listed, other, search: after } = deletion;
  const { kind, isGone } = signs;
  const before = other?.listed ?? listed;
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
interface Pages extends Pick<Signs, 'isGone'> {
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
