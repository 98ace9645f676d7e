import { findLists, isObject, type JsonObject, walk } from '../../common/json.ts';
import type { Tally } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import { shapeName } from '../../settings/shapes.ts';
import { findingOn } from '../engine/expect.ts';
import { type Identity, mentions } from '../reading/own-words.ts';
import { endOf, nextPage, saysNone } from '../reading/page.ts';
import { recordIn } from '../reading/record.ts';
import { rowPlace } from '../reading/rows.ts';
import { idsOf } from '../reading/shown-ids.ts';
import { isUnguessable } from '../reading/unguessable.ts';
import type { Answer } from '../session/answer.ts';
import type { ApiKey } from '../session/key.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { nounOf } from './collections.ts';
import { type ListSearch, pageShows } from './list-search.ts';
import type { Created } from './own.ts';
import { mostPages } from './pages.ts';
import { changedState, isShownGone } from './shown-gone.ts';

/** Judges that the list shows a created record. Throws Inconclusive where it does not and was not read to its end. */
export function judgeCreatedListed(
  tally: Tally,
  search: Pick<ListSearch, 'isShown' | 'isComplete' | 'last' | 'pages'>,
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

/** The pages that were read in vain, and what is searched for. */
interface VainSearch {
  /** In the order of reading, each once. */
  readonly pages: readonly [Answer, ...Answer[]];
  /** Whether a page shows the record. */
  readonly shows: (answer: Answer) => boolean;
  /** The key with which the pages were read. */
  readonly key: ApiKey;
}

/**
 * Whether a list shows a record beyond the pages that were read, where `page=2` leads. `absent`: the answers show that
 * the list ends there, or that page is empty and `page=1` is not. `unknown` otherwise, since the lack of a hint at further
 * pages proves nothing (clauses.md).
 */
async function searchBeyondPages(
  session: Session,
  list: string,
  { pages, shows, key }: VainSearch,
): Promise<'shown' | 'absent' | 'unknown'> {
  const rowsOf = rowsIn(nounOf(list));
  const known = new Set(pages.flatMap(rowsOf));
  const last = pages.at(-1) ?? pages[0];
  if (known.size === 0) {
    // Records need not be written as rows, unless the list says that it has none.
    return pages.some(holdsText) && !last.unredacted(saysNone) ? 'unknown' : 'absent';
  }
  const before = { pages: pages.length - 1, rows: new Set(pages.slice(0, -1).flatMap(rowsOf)).size };
  const end = last.unredacted((body) => endOf(body, before));
  if (end === 'ends') {
    return 'absent';
  }
  const ask = (page: number): Promise<Answer> => send(session, list, { query: { page }, key, purpose: 'off-document' });
  const [first, second] = await Promise.all([ask(1), ask(2)]);
  if (shows(first) || shows(second)) {
    return 'shown';
  }
  const isSame = rowsOf(first).length > 0 && rowsOf(first).every((row) => known.has(row));
  const isEmpty = second.accepted && rowsOf(second).length === 0 && !holdsText(second);
  return end === 'unknown' && isSame && isEmpty ? 'absent' : 'unknown';
}

/** The search for a created record in its list, and the key that it was made with. */
interface CreatedSearch {
  readonly record: Pick<Created, 'collection' | 'id' | 'tag'>;
  readonly listed: ListSearch;
  readonly key: ApiKey;
}

/**
 * Judges that the list shows a created record. Where the list says nothing of further pages, asks for some. Throws as
 * `judgeCreatedListed` does.
 */
export async function judgeInList(
  session: Session,
  tally: Tally,
  { record, listed, key }: CreatedSearch,
): Promise<void> {
  if (listed.isShown || listed.isComplete) {
    judgeCreatedListed(tally, listed, record);
    return;
  }
  const shows = pageShows(record, nounOf(record.collection));
  const pages = listed.first === listed.last ? ([listed.first] as const) : ([listed.first, listed.last] as const);
  const found = await searchBeyondPages(session, `GET ${record.collection}`, { pages, shows, key });
  judgeCreatedListed(tally, { ...listed, isShown: found === 'shown', isComplete: found === 'absent' }, record);
}

/** Whether an answer holds a text. Records need not be written as rows, but then they are texts. */
const holdsText = (answer: Answer): boolean =>
  answer.unredacted(({ payload }) => walk(payload).some(({ value }) => typeof value === 'string' && value !== ''));

/** The rows of a list, each by its id, since other fields may change between two reads. */
const rowsIn =
  (noun: string) =>
  (answer: Answer): string[] =>
    answer.unredacted(({ payload }) =>
      findLists(payload).flatMap(({ rows }) =>
        rows.map((row) => (isObject(row) ? idsOf(row, noun)[0] : undefined) ?? JSON.stringify(row)),
      ),
    );

/** Why a list was not read to its end. */
function whyIncomplete({ last, pages }: Pick<ListSearch, 'last' | 'pages'>): string {
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
  if (after.isShown && after.row === undefined) {
    const message = `Cannot tell whether a deleted ${noun} is gone: ${list} shows ${record.id} in no row; say where its rows stand, in BODIES: "shapes": {"${shapeName(record.collection)}": {"rows": "/…"}}`;
    tally.leaveOpen(findingOn(after.last, { message }));
  } else if (isStillListed(after, before, record)) {
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
