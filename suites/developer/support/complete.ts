import { at, findLists, isObject, walk } from '../../../common/json.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import { moreName } from '../../session/page-parts.ts';
import { idsOfRow } from '../../session/record.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { nounOf } from '../../shared/collections.ts';

/** Fewer rows than anybody's page has. */
const leastPage = 10;

/** Parameters with which lists go on that do not say how. */
const furtherQueries = (rows: number): readonly Readonly<Record<string, string | number>>[] => [
  { limit: 100 },
  { page: 2 },
  { offset: rows },
];

/** What the pages that were read with a key do not show. */
interface Unseen {
  readonly pages: readonly Answer[];
  readonly shows: (answer: Answer) => boolean;
  readonly key: ApiKey;
}

/**
 * Whether a record that is on none of the pages read is in the list all the same: found by the usual parameters of pages;
 * absent, where the answers say that the list ends there (a total that is reached, a next that is null), or where it is
 * shorter than any page and the parameters bring nothing else; else unknown.
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
  const end = saidEnd(pages.at(-1)?.json, known.size);
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
  return isNothingNew && end === undefined && known.size < leastPage ? 'absent' : 'unknown';
}

/** Records that are written as no rows are texts all the same. */
const holdsText = (answer: Answer): boolean =>
  answer.unredacted(({ json }) =>
    walk(at(json, '/data')).some(({ value }) => typeof value === 'string' && value !== ''),
  );

/** What an answer says beside its rows: that the list ends with them, or goes on; undefined: neither. */
function saidEnd(json: unknown, rows: number): 'ends' | 'goes on' | undefined {
  const beside = walk(json).filter(({ isInList }) => !isInList);
  const totals = beside.flatMap(({ name, value }) =>
    totalName.test(name) && typeof value === 'number' ? [value] : [],
  );
  const more = beside.flatMap(({ name, value }) => (moreName.test(name) && typeof value === 'boolean' ? [value] : []));
  if (totals.some((total) => total > rows) || more.includes(true)) {
    return 'goes on';
  }
  const isLast = beside.some(({ name, value }) => nextName.test(name) && value === null);
  return totals.length > 0 || more.length > 0 || isLast ? 'ends' : undefined;
}

const totalName = /^total(_?(count|results|items|records|elements))?$/i;
const nextName = /^next(_?(cursor|page|page_?token|token|url|link))?$/i;

/** The rows of a list, each by its id: what else it shows may move. */
const rowsIn =
  (noun: string) =>
  (answer: Answer): string[] =>
    answer.unredacted(({ json }) =>
      findLists(at(json, '/data')).flatMap(({ rows }) =>
        rows.map((row) => (isObject(row) ? idsOfRow(row, noun)[0] : undefined) ?? JSON.stringify(row)),
      ),
    );
