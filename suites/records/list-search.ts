import type { JsonObject } from '../../common/json.ts';
import { showsId } from '../reading/id-places.ts';
import { type Identity, showsSomewhere } from '../reading/own-words.ts';
import { rawRows, rowPlace, rowsIn } from '../reading/rows.ts';
import { idsOf } from '../reading/shown-ids.ts';
import type { Answer } from '../session/answer.ts';
import type { Session } from '../session/session.ts';
import { stepFor } from '../session/step.ts';
import { nounOf } from './collections.ts';
import { begunAfter, type ListOptions, readList } from './list-reading.ts';
import type { Page } from './pages.ts';

/** The result of a search for a record in a list. */
export interface ListSearch {
  readonly first: Answer;
  /** The last page that was read. */
  readonly last: Answer;
  readonly pages: number;
  /** The place of its row on that page; -1: it has none. */
  readonly place: number;
  /** Whether the list shows the record: in a row or, where no rows can be found, anywhere. */
  readonly isShown: boolean;
  /** Its row; undefined where it has none: in a table, say. */
  readonly row: JsonObject | undefined;
  /** Whether its row shows its id, in whatever field. */
  readonly showsId: boolean;
  /** The ids that its row shows of itself, likeliest first. */
  readonly ids: readonly string[];
  /** Whether all of the list was read, and its answers show that this is all. */
  readonly isComplete: boolean;
}

/** How a list is searched for a record. */
interface SearchOptions extends ListOptions {
  /**
   * Finds the record's row among those of a page, after those of the pages before it; -1: none is. Default: the row with
   * its ids or its words.
   */
  readonly placeOf?: (rows: readonly JsonObject[], earlier: readonly JsonObject[]) => number;
}

/** Searches a list for a record, page by page as far as the answers show how to get on. */
export async function findInList(
  session: Session,
  collection: string,
  record: Identity,
  options: SearchOptions = {},
): Promise<ListSearch> {
  const reading = await readList(session, `GET ${collection}`, options);
  const noun = nounOf(collection);
  const { placeOf = (rows) => rowPlace(rows, noun, record) } = options;
  const pages: Page[] = [];
  const earlier: JsonObject[] = [];
  let place = -1;
  for await (const page of reading.pages()) {
    pages.push(page);
    const rows = rawRows(page.answer, noun);
    place = placeOf(rows, earlier);
    if (place !== -1) {
      break;
    }
    earlier.push(...rows);
  }
  const [first, last] = [pages[0], pages.at(-1)] as [Page, Page];
  const hasRows = rawRows(first.answer, noun).length > 0;
  const shown = atPlace(last.answer, place, { noun, record });
  const shows = pageShows(record, noun);
  const isLoose = !hasRows && pages.some(({ answer }) => shows(answer));
  return {
    first: first.answer,
    last: last.answer,
    pages: pages.length,
    ...shown,
    isShown: place !== -1 || isLoose,
    isComplete: last.complete,
  };
}

/** What a page shows of a record. */
type OnPage = Pick<ListSearch, 'place' | 'row' | 'showsId' | 'ids'>;

function atPlace(page: Answer, place: number, { noun, record }: { noun: string; record: Identity }): OnPage {
  const raw = rawRows(page, noun)[place];
  return {
    place,
    row: rowsIn(page.payload, noun)?.[place],
    showsId: record.id !== undefined && showsId(raw, record.id),
    ids: raw === undefined ? [] : idsOf(raw, noun),
  };
}

/** Gives a test of pages: whether one shows the record, in a row or anywhere else. */
export const pageShows =
  (record: Identity, noun: string) =>
  (answer: Answer): boolean =>
    answer.unredacted(({ payload }) => showsSomewhere(payload, record, noun));

/** How often a read is repeated that does not show yet what was written. */
const moreReads = 2;

/** Reads, and repeats that within KEY_SETTLE_MS until `shows` holds for the answer. Attempts are counted from 0. */
export async function readUntil<T>(
  session: Session,
  read: (attempt: number) => Promise<T>,
  shows: (answer: T) => boolean,
): Promise<T> {
  let answer = await read(0);
  for (let attempt = 1; attempt <= moreReads && !shows(answer); attempt += 1) {
    await session.clock.sleep(session.settings.KEY_SETTLE_MS / moreReads);
    answer = await read(attempt);
  }
  return answer;
}

type RecordInCollection = Identity & { readonly collection: string };

/** Searches its list for a record, and repeats that within KEY_SETTLE_MS until `shows` holds for the search. */
export function findInListUntil(
  session: Session,
  record: RecordInCollection,
  shows: (search: ListSearch) => boolean,
  { reuse, ...options }: SearchOptions = {},
): Promise<ListSearch> {
  const search = (attempt: number): Promise<ListSearch> => {
    const reused = attempt > 0 || reuse === undefined ? {} : { reuse };
    return findInList(session, record.collection, record, { ...options, ...reused });
  };
  return readUntil(session, search, shows);
}

/** The search for a created record in its list, made once a run. Whoever deletes the record awaits this first. */
export const findCreated = stepFor(
  ({ collection, id }: RecordInCollection & { readonly answer: Answer }) => `${collection}/${id}`,
  (session, record) =>
    findInListUntil(session, record, ({ isShown }) => isShown, { reuse: begunAfter(session, record.answer) }),
);
