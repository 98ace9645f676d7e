import { findLists, isObject, walk } from '../../../common/json.ts';
import type { Tally } from '../../../results/outcome.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import { endOf } from '../../session/reading/list-end.ts';
import { showsSomewhere } from '../../session/reading/own-words.ts';
import { idsOf } from '../../session/reading/shown-ids.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { nounOf } from '../collections.ts';
import type { Created } from '../records.ts';
import { judgeShown } from './created.ts';
import type { ListSearch } from './list-search.ts';

/**
 * Parameters with which lists go on that do not say how. Pages may be counted from 0, and offsets in pages: the first of
 * each brings new rows where the second is behind the end of a list that goes on.
 */
const furtherQueries = (rows: number): readonly Readonly<Record<string, string | number>>[] => [
  { limit: 100 },
  { page: 1 },
  { page: 2 },
  { offset: 1 },
  { offset: rows },
];

/** What the pages that were read with a key do not show. */
interface Unseen {
  /** In the order of reading, each once. */
  readonly pages: readonly [Answer, ...Answer[]];
  readonly shows: (answer: Answer) => boolean;
  readonly key: ApiKey;
}

/**
 * Whether a record that is on none of the pages read is in the list all the same: found by the usual parameters of pages;
 * absent, where the answers say that the list ends there, or where one of the parameters brings an empty page and the others
 * no new row; else unknown (clauses.md: no hint of pages is no proof).
 */
export async function beyondPages(
  session: Session,
  list: string,
  { pages, shows, key }: Unseen,
): Promise<'shown' | 'absent' | 'unknown'> {
  const rowsOf = rowsIn(nounOf(list));
  const known = new Set(pages.flatMap(rowsOf));
  if (known.size === 0 && pages.some(holdsText)) {
    return 'unknown';
  }
  const last = pages.at(-1) ?? pages[0];
  const before = { pages: pages.length - 1, rows: new Set(pages.slice(0, -1).flatMap(rowsOf)).size };
  const end = last.unredacted((body) => endOf(body, before));
  if (known.size === 0 || end === 'ends') {
    return 'absent';
  }
  const others = await Promise.all(
    furtherQueries(known.size).map((query) => send(session, list, { query, key, purpose: 'off-document' })),
  );
  if (others.some(shows)) {
    return 'shown';
  }
  const isNothingNew = others.every((answer) => rowsOf(answer).every((row) => known.has(row)));
  const isEndMet = others.some((answer) => answer.accepted && rowsOf(answer).length === 0 && !holdsText(answer));
  return isNothingNew && isEndMet && end === 'unknown' ? 'absent' : 'unknown';
}

/** A created record that was looked for in its list, and with which key. */
interface Look {
  readonly record: Pick<Created, 'collection' | 'id' | 'tag'>;
  readonly listed: ListSearch;
  readonly key: ApiKey;
}

/** A created record stands in its list. One that says nothing of further pages is asked for them. Throws as `judgeShown` does. */
export async function judgeInList(session: Session, tally: Tally, { record, listed, key }: Look): Promise<void> {
  const shows = (answer: Answer): boolean => answer.unredacted(({ payload }) => showsSomewhere(payload, record));
  const pages = listed.first === listed.last ? ([listed.first] as const) : ([listed.first, listed.last] as const);
  const isLost = !listed.isShown && !listed.isComplete;
  const where = isLost ? await beyondPages(session, `GET ${record.collection}`, { pages, shows, key }) : null;
  judgeShown(
    tally,
    { ...listed, isShown: listed.isShown || where === 'shown', isComplete: listed.isComplete || where === 'absent' },
    record,
  );
}

/** Records that are written as no rows are texts all the same. */
const holdsText = (answer: Answer): boolean =>
  answer.unredacted(({ payload }) => walk(payload).some(({ value }) => typeof value === 'string' && value !== ''));

/** The rows of a list, each by its id: what else it shows may move. */
const rowsIn =
  (noun: string) =>
  (answer: Answer): string[] =>
    answer.unredacted(({ payload }) =>
      findLists(payload).flatMap(({ rows }) =>
        rows.map((row) => (isObject(row) ? idsOf(row, noun)[0] : undefined) ?? JSON.stringify(row)),
      ),
    );
