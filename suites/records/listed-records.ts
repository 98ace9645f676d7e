import type { JsonObject } from '../../common/json.ts';
import { withArticle } from '../../common/words.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { Inconclusive, type Tally } from '../../results/outcome.ts';
import { shapeName } from '../../settings/bodies-file.ts';
import { describeAnswer, findingOn, undecided } from '../engine/expect.ts';
import { mentions } from '../reading/own-words.ts';
import { idsOf, isUnguessable } from '../reading/record.ts';
import { rawRows, rowPlace } from '../reading/rows.ts';
import { isSuccess } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import { isAsSent, isOfOther } from './candidates.ts';
import type { Attempt, Created } from './own.ts';
import { type ListSearch, nounOf } from './reads.ts';
import { changedState, isShownGone } from './shown-gone.ts';

/** Judges that the list shows a created record. Throws Inconclusive where it does not and was not read to its end. */
export function judgeCreatedListed(
  tally: Tally,
  search: Pick<ListSearch, 'isShown' | 'isComplete' | 'last' | 'pages' | 'hasRows'>,
  { collection, id }: Pick<Created, 'collection' | 'id'>,
): void {
  if (search.isShown) {
    tally.judge(null);
    return;
  }
  const list = `GET ${collection}`;
  if (!isSuccess(search.last)) {
    const message = `Cannot tell whether a created ${nounOf(collection)} is listed: ${list} got ${describeAnswer(search.last)}`;
    throw undecided(search.last, message, endpointOf(list).clause);
  }
  const finding = findingOn(search.last, {
    message: `Created ${nounOf(collection)} is not listed: ${id} is not in ${inPages(search.pages.length, list)}`,
    expected: `a record that shows ${id}`,
    actual: 'no such record',
  });
  if (!search.isComplete) {
    const why = search.hasRows
      ? { cause: 'The responses do not show whether this is the whole list, or which record is new' }
      : { cause: 'No rows were found', advice: adviceOnRows(collection) };
    throw new Inconclusive({ ...finding, ...why });
  }
  tally.judge(finding);
}

/** Judges that a create made no second record: that no list shows, in a row of another id, what one call alone sent. */
export function judgeMadeOnce(
  session: Session,
  tally: Tally,
  search: ListSearch | null | undefined,
  { collection, id, tag }: Pick<Attempt, 'collection' | 'id' | 'tag'>,
): void {
  const noun = nounOf(collection);
  const calls = session.evidence.exchanges.filter(
    ({ endpoint, request }) => endpoint === `POST ${collection}` && mentions(request.body, tag),
  );
  const isCopy = (row: JsonObject): boolean =>
    isAsSent(session, row, { collection, tag }) && !isOfOther(session, collection, row) && !isShownGone(row);
  const pages = search?.isShown && calls.length === 1 && id !== undefined ? search.pages : [];
  const copies = pages.flatMap(({ answer }) =>
    rawRows(answer, noun)
      .filter(isCopy)
      .map((row) => ({ answer, ids: idsOf(row, noun) })),
  );
  const other = copies.find(({ ids }) => ids.length > 0 && !ids.includes(id ?? ''));
  if (other !== undefined) {
    const message = `Creating ${withArticle(noun)} made two: the list shows what was sent as ${id} and as ${other.ids[0]}`;
    tally.judge(findingOn(other.answer, { message, expected: `one ${noun}`, actual: 'two', place: 'body' }));
  }
}

/** The advice to tell in BODIES where the rows of a list stand. */
export const adviceOnRows = (collection: string): string =>
  `Add this to BODIES, with the place of the rows: "shapes": {"${shapeName(collection)}": {"rows": "/…"}}`;

/** Where something was searched, in words: `GET /v1/leads`, `any of 3 pages of GET /v1/leads`. */
const inPages = (pages: number, list: string): string => (pages === 1 ? list : `any of ${pages} pages of ${list}`);

/** Whether a list shows a deleted record, and its row there. */
export type RowBefore = Pick<ListSearch, 'row' | 'isShown'>;

type DeletedRecord = Pick<Created, 'collection' | 'id' | 'tag'>;

/**
 * Judges that the list no longer shows a deleted record, or shows it as deleted. `before`: its row until then; where
 * the list did not show the record before, nothing is compared.
 */
export function judgeNotListed(tally: Tally, after: ListSearch, record: DeletedRecord, before: RowBefore | null): void {
  const noun = nounOf(record.collection);
  const list = `GET ${record.collection}`;
  const newState = after.row && changedState(after.row, before?.row ?? {});
  if (isStillListed(after, before, record)) {
    tally.judge(
      findingOn(after.last, {
        message: `Deleted ${noun} is still listed: ${record.id} in ${list}`,
        expected: 'absent, or shown as deleted',
        actual: 'listed',
        place: 'body',
      }),
    );
  } else if (after.row !== undefined && !isShownGone(after.row, before?.row) && newState !== undefined) {
    const message = `Cannot tell whether a deleted ${noun} is gone: ${list} shows ${record.id} with another ${newState}`;
    tally.leaveOpen(findingOn(after.last, { message }));
  } else if (before?.isShown) {
    tally.judge(null);
  }
}

/** Whether a list still shows a deleted record as it was. `before`: its row until then. */
export const isStillListed = (
  { row }: Pick<ListSearch, 'row'>,
  before: Pick<ListSearch, 'row'> | null,
  record: DeletedRecord,
): boolean =>
  row !== undefined &&
  !(before !== null && isShownGone(row, before.row)) &&
  changedState(row, before?.row ?? {}) === undefined &&
  !isRowOfAnother(row, before?.row, record);

/**
 * The place of a deleted record's row among rows of which one may show its guessable id for another record; -1: none.
 * `before`: its row until then.
 */
export function ownRowPlace(
  rows: readonly JsonObject[],
  before: JsonObject | undefined,
  record: DeletedRecord,
): number {
  const mayBeOwn = rows.filter((row) => !isRowOfAnother(row, before, record));
  const row = mayBeOwn[rowPlace(mayBeOwn, nounOf(record.collection), record)];
  return row === undefined ? -1 : rows.indexOf(row);
}

/** Whether a row is another record's, which got the same guessable id: the row of the deleted one had its words. */
const isRowOfAnother = (row: JsonObject, before: JsonObject | undefined, { id, tag }: DeletedRecord): boolean =>
  !isUnguessable(id) && mentions(before, tag) && !mentions(row, tag);
