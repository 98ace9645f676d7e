import { type JsonObject, walk } from '../../common/json.ts';
import type { Tally } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import { findingOn } from '../engine/expect.ts';
import { nextPage } from '../reading/next-page.ts';
import { type Identity, mentions } from '../reading/own-words.ts';
import { recordIn } from '../reading/record.ts';
import { rowPlace } from '../reading/rows.ts';
import { isUnguessable } from '../reading/unguessable.ts';
import { nounOf } from './collections.ts';
import type { ListSearch } from './list-search.ts';
import type { Created } from './own.ts';
import { mostPages } from './pages.ts';
import { changedState, isShownGone } from './shown-gone.ts';

/** Judges that the list shows a created record. Throws Inconclusive where it does not and was not read to its end. */
export function judgeCreatedListed(
  tally: Tally,
  search: Pick<ListSearch, 'isShown' | 'isComplete' | 'last' | 'pages' | 'brokenPage'>,
  { collection, id }: Pick<Created, 'collection' | 'id'>,
): void {
  if (search.isShown) {
    tally.judge(null);
    return;
  }
  const noun = nounOf(collection);
  const finding = findingOn(search.last, {
    message: `Created ${noun} is not listed: ${id} is not in ${inPages(search.pages, `GET ${collection}`)}`,
    expected: `a record that shows ${id}`,
    actual: 'no such record',
  });
  if (!search.isComplete) {
    throw new Inconclusive({ ...finding, cause: whyIncomplete(search) });
  }
  tally.judge(finding);
}

/** Why a list was not read to its end. */
function whyIncomplete({ brokenPage, last, pages }: Pick<ListSearch, 'brokenPage' | 'last' | 'pages'>): string {
  if (brokenPage !== undefined) {
    return `The list has more pages, and one of them got ${brokenPage}`;
  }
  const showsNext = nextPage(last) !== null;
  return showsNext && pages <= mostPages
    ? 'The last of these pages links to a next one, but following it brings no new rows'
    : 'The responses do not show whether this is the whole list, or which record is new';
}

/**
 * Judges that the list no longer shows a deleted record, or shows it as deleted. `before`: the row until then; where
 * the list did not show the record before, nothing is compared.
 */
export function judgeNotListed(tally: Tally, after: ListSearch, record: DeletedRecord, before: ListedRow | null): void {
  const noun = nounOf(record.collection);
  const list = `GET ${record.collection}`;
  const newState = newStateOf(after, before);
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

type DeletedRecord = Pick<Created, 'collection' | 'id' | 'tag' | 'answer' | 'body'>;
/** Whether a list shows a record, and its row there. */
export type ListedRow = Pick<ListSearch, 'row' | 'isShown'> & Partial<Pick<ListSearch, 'showsId'>>;

/** What is taken for the row of a record that no list has shown yet: the record in the answer to its create. */
export const rowFromCreate = ({ collection, answer }: Pick<Created, 'collection' | 'answer'>): ListedRow => ({
  isShown: false,
  row: recordIn(answer.json, nounOf(collection)) ?? {},
});

/** The name of a field in which a row shows another state than before. */
const newStateOf = (
  { row = {} }: Pick<ListSearch, 'row'>,
  before: Pick<ListSearch, 'row'> | null,
): string | undefined => changedState(row, before?.row ?? {});

/** Whether a list still shows a deleted record as it was. `before`: its row until then. */
export function isStillListed(
  { isShown, row, showsId = true }: ListedRow,
  before: Omit<ListedRow, 'isShown'> | null,
  record: DeletedRecord,
): boolean {
  if (!isShown || row === undefined) {
    return isShown;
  }
  // Its row showed its id, and this one does not: it is that of a copy, which has the same words.
  if (before?.showsId === true && !showsId) {
    return false;
  }
  const isGone = before !== null && isShownGone(row, before.row);
  const isChanged = newStateOf({ row }, before) !== undefined;
  return !isGone && !isChanged && !isRowOfAnother(row, record);
}

/** Gives a test of rows: whether a list that shows it still shows a deleted record as it was. */
export const stillListedTest =
  (before: Omit<ListedRow, 'isShown'> | null, record: DeletedRecord) =>
  (row: JsonObject): boolean =>
    isStillListed({ isShown: true, row }, before, record);

/** The place of a record's row among rows of which one may show its guessable id for another record; -1: none. */
export function ownRowPlace(rows: readonly JsonObject[], record: DeletedRecord & Identity): number {
  const mayBeOwn = rows.filter((row) => !isRowOfAnother(row, record));
  const row = mayBeOwn[rowPlace(mayBeOwn, nounOf(record.collection), record)];
  return row === undefined ? -1 : rows.indexOf(row);
}

/**
 * Whether a row is another record's, which got the same guessable id: where the deleted record had words of the run, it
 * has others.
 */
function isRowOfAnother(row: JsonObject, { id, tag, answer, body }: DeletedRecord): boolean {
  const fieldsWithWords = (root: unknown) =>
    walk(root).filter(({ value }) => typeof value === 'string' && mentions(value, tag));
  const names = new Set([answer.json, body].flatMap(fieldsWithWords).map(({ name }) => name));
  const hasSuchText = walk(row).some(({ name, value }) => names.has(name) && typeof value === 'string');
  return !isUnguessable(id) && hasSuchText && fieldsWithWords(row).length === 0;
}

/** Where something was searched, in words: `GET /v1/leads`, `any of 3 pages of GET /v1/leads`. */
const inPages = (pages: number, list: string): string => (pages === 1 ? list : `any of ${pages} pages of ${list}`);
