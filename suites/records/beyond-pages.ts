import { findLists, isObject, walk } from '../../common/json.ts';
import type { Tally } from '../../results/outcome.ts';
import { endOf } from '../reading/list-end.ts';
import { partsOf, totalOf } from '../reading/page-parts.ts';
import { idsOf } from '../reading/shown-ids.ts';
import type { Answer } from '../session/answer.ts';
import type { ApiKey } from '../session/key.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { nounOf } from './collections.ts';
import { type ListSearch, pageShows } from './list-search.ts';
import { judgeCreatedListed } from './listed-records.ts';
import type { Created } from './own.ts';

/**
 * Parameters to get on in a list that does not say how. Pages may be counted from 0, and offsets in pages: then the
 * first number of each brings new rows, where the second may be beyond the end.
 */
const usualQueries = (rows: number): readonly Readonly<Record<string, string | number>>[] => [
  { limit: 100 },
  { page: 1 },
  { page: 2 },
  { offset: 1 },
  { offset: rows },
];

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
 * Whether a list shows a record beyond the pages that were read, where the usual parameters lead. `absent`: the answers
 * show that the list ends there, or one of the parameters brings an empty page and none a new row. `unknown` otherwise,
 * since the lack of a hint at further pages proves nothing (clauses.md).
 */
export async function searchBeyondPages(
  session: Session,
  list: string,
  { pages, shows, key }: VainSearch,
): Promise<'shown' | 'absent' | 'unknown'> {
  const rowsOf = rowsIn(nounOf(list));
  const known = new Set(pages.flatMap(rowsOf));
  const last = pages.at(-1) ?? pages[0];
  // Records need not be written as rows, unless the list says that it has none.
  const saysNone = last.unredacted((body) => totalOf(partsOf(body)) === 0);
  if (known.size === 0 && !saysNone && pages.some(holdsText)) {
    return 'unknown';
  }
  const before = { pages: pages.length - 1, rows: new Set(pages.slice(0, -1).flatMap(rowsOf)).size };
  const end = last.unredacted((body) => endOf(body, before));
  if (known.size === 0 || end === 'ends') {
    return 'absent';
  }
  const others = await Promise.all(
    usualQueries(known.size).map((query) => send(session, list, { query, key, purpose: 'off-document' })),
  );
  if (others.some(shows)) {
    return 'shown';
  }
  const hasNoNewRow = others.every((answer) => rowsOf(answer).every((row) => known.has(row)));
  const hasEmptyPage = others.some((answer) => answer.accepted && rowsOf(answer).length === 0 && !holdsText(answer));
  return hasNoNewRow && hasEmptyPage && end === 'unknown' ? 'absent' : 'unknown';
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
