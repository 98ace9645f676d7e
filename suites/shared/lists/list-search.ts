import type { JsonObject } from '../../../common/json.ts';
import type { Answer } from '../../session/answer.ts';
import { type Identity, showsSomewhere } from '../../session/reading/own-words.ts';
import type { Page } from '../../session/reading/pages.ts';
import { rawRows, rowPlace, rowsIn } from '../../session/reading/rows.ts';
import { idsOf } from '../../session/reading/shown-ids.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { nounOf } from '../collections.ts';
import { after, type Looking, lookInto } from './looks.ts';

/** What looking for a record in a list came to. */
export interface ListSearch {
  readonly first: Answer;
  /** The last page that was read. */
  readonly last: Answer;
  readonly pages: number;
  /** The record stands in the list, in a row or, where no rows can be found, anywhere. */
  readonly isShown: boolean;
  /** Its row; undefined where it has none. */
  readonly row: JsonObject | undefined;
  /** The ids that its row shows of itself, likeliest first. */
  readonly ids: readonly string[];
  /** All of the list was read, and its answers say that this is all. */
  readonly isComplete: boolean;
  /** All of it is on one page: rows of other pages are not compared. */
  readonly isOnePage: boolean;
}

/** On which page of a list a record of the run's was seen, the furthest of them; null: none was looked for and found. */
export const furthestPage = stepFor(
  (collection: string) => collection,
  async (): Promise<{ page: number | null }> => ({ page: null }),
);

/** How a record is looked for in a list. */
interface Searching extends Looking {
  /** Finds the record's row among those of a page; -1: none is. Default: the row with its ids or its words. */
  readonly placeOf?: (rows: readonly JsonObject[]) => number;
}

/** Looks for a record in a list, on further pages too as far as the answers show the way. */
export async function lookFor(
  session: Session,
  collection: string,
  record: Identity,
  looking: Searching = {},
): Promise<ListSearch> {
  const look = await lookInto(session, `GET ${collection}`, looking);
  const noun = nounOf(collection);
  const { placeOf = (rows) => rowPlace(rows, noun, record) } = looking;
  const placeIn = (answer: Answer): number => placeOf(rawRows(answer, noun));
  const pages: Page[] = [];
  for await (const page of look.pages()) {
    pages.push(page);
    if (placeIn(page.answer) !== -1) {
      break;
    }
  }
  // The first page always comes.
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

/** How often a read is made again that does not show yet what was written. */
const moreReads = 2;

/** Reads; and again within KEY_SETTLE_MS, as long as the answer does not show what was written. Attempts are counted from 0. */
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

/** A record of the run's, and the list in which it is looked for. */
type Listed = Identity & { readonly collection: string };

/** Looks for a record in its list; and again within KEY_SETTLE_MS, as long as the list does not show what was done. */
export function lookUntil(
  session: Session,
  record: Listed,
  shows: (search: ListSearch) => boolean,
  { reuse, ...looking }: Searching = {},
): Promise<ListSearch> {
  const look = (attempt: number): Promise<ListSearch> =>
    lookFor(session, record.collection, record, attempt > 0 || reuse === undefined ? looking : { ...looking, reuse });
  return readUntil(session, look, shows);
}

/** Where a created record stands in its list, once a run. Whoever deletes the record awaits this first. */
export const whereListed = stepFor(
  ({ collection, id }: Listed & { readonly answer: Answer }) => `${collection}/${id}`,
  (session, record) => lookUntil(session, record, ({ isShown }) => isShown, { reuse: after(session, record.answer) }),
);
