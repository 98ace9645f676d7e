import type { JsonObject } from '../../../common/json.ts';
import type { Answer } from '../../session/answer.ts';
import { type Identity, showsSomewhere } from '../../session/reading/own-words.ts';
import type { Page } from '../../session/reading/pages.ts';
import { rawRows, rowPlace, rowsIn } from '../../session/reading/rows.ts';
import { idsOf } from '../../session/reading/shown-ids.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { nounOf } from '../collections.ts';
import { begunAfter, type ListOptions, readList } from './list-reading.ts';

/** The result of a search for a record in a list. */
export interface ListSearch {
  readonly first: Answer;
  /** The last page that was read. */
  readonly last: Answer;
  readonly pages: number;
  /** Whether the list shows the record: in a row or, where no rows can be found, anywhere. */
  readonly isShown: boolean;
  /** Its row; undefined where it has none. */
  readonly row: JsonObject | undefined;
  /** The ids that its row shows of itself, likeliest first. */
  readonly ids: readonly string[];
  /** Whether all of the list was read, and its answers show that this is all. */
  readonly isComplete: boolean;
  /** Whether the whole list is one page: `last` holds the rows of one page only. */
  readonly isOnePage: boolean;
}

/** The furthest page of a list on which a record of the run was found; null: none was found so far. */
export const furthestPage = stepFor(
  (collection: string) => collection,
  async (): Promise<{ page: number | null }> => ({ page: null }),
);

/** How a list is searched for a record. */
interface SearchOptions extends ListOptions {
  /** Finds the record's row among those of a page; -1: none is. Default: the row with its ids or its words. */
  readonly placeOf?: (rows: readonly JsonObject[]) => number;
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
  const placeIn = (answer: Answer): number => placeOf(rawRows(answer, noun));
  const pages: Page[] = [];
  for await (const page of reading.pages()) {
    pages.push(page);
    if (placeIn(page.answer) !== -1) {
      break;
    }
  }
  const [first, last] = [pages[0], pages.at(-1)] as [Page, Page];
  const place = placeIn(last.answer);
  if (place !== -1) {
    const furthest = await furthestPage(session, collection);
    furthest.page = Math.max(furthest.page ?? 0, pages.length);
  }
  const raw = rawRows(last.answer, noun)[place];
  const hasRows = rawRows(first.answer, noun).length > 0;
  const showsIt = ({ answer }: Page): boolean => answer.unredacted(({ payload }) => showsSomewhere(payload, record));
  return {
    first: first.answer,
    last: last.answer,
    pages: pages.length,
    isShown: place !== -1 || (!hasRows && pages.some(showsIt)),
    row: rowsIn(last.answer.payload, noun)?.[place],
    ids: raw === undefined ? [] : idsOf(raw, noun),
    isComplete: last.complete,
    isOnePage: last.complete && pages.length === 1,
  };
}

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
