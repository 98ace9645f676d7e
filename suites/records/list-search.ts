import type { JsonObject } from '../../common/json.ts';
import type { Identity } from '../reading/own-words.ts';
import { rawRows, rowPlace, rowsIn } from '../reading/rows.ts';
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
  /** Whether a row is the record's. */
  readonly isShown: boolean;
  readonly row: JsonObject | undefined;
  /** Whether rows can be found in the list at all. */
  readonly hasRows: boolean;
  /** Whether all of the list was read, and its answers show that this is all. */
  readonly isComplete: boolean;
}

/** How a list is searched for a record. */
interface SearchOptions extends ListOptions {
  /** Finds the record's row among those of a page; -1: none is. Default: the row with its id or its words. */
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
  const pages: Page[] = [];
  let place = -1;
  for await (const page of reading.pages()) {
    pages.push(page);
    place = placeOf(rawRows(page.answer, noun));
    if (place !== -1) {
      break;
    }
  }
  const [first, last] = [pages[0], pages.at(-1)] as [Page, Page];
  const hasRows = rowsIn(last.answer.payload, noun) !== undefined;
  return {
    first: first.answer,
    last: last.answer,
    pages: pages.length,
    row: rowsIn(last.answer.payload, noun)?.[place],
    isShown: place !== -1,
    hasRows,
    isComplete: last.complete && hasRows,
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
