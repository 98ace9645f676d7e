import { at, findLists, walk } from '../../../common/json.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';

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
  const known = new Set(pages.flatMap(rowTexts));
  if (known.size === 0 || saysEnd(pages.at(-1)?.json, known.size)) {
    return 'absent';
  }
  const others = await Promise.all(
    furtherQueries(known.size).map((query) => send(session, list, { query, key, purpose: 'off-document' })),
  );
  if (others.some(shows)) {
    return 'shown';
  }
  const isNothingNew = others.every((answer) => rowTexts(answer).every((row) => known.has(row)));
  return isNothingNew && known.size < leastPage ? 'absent' : 'unknown';
}

/** What an answer says beside its rows. */
function saysEnd(json: unknown, rows: number): boolean {
  return walk(json).some(
    ({ name, value, isInList }) =>
      !isInList &&
      ((/^total(_?(count|results|items|records|elements))?$/i.test(name) &&
        typeof value === 'number' &&
        value <= rows) ||
        (/^has_?(more|next(_?page)?)$/i.test(name) && value === false) ||
        (/^next(_?(cursor|page|page_?token|token|url|link))?$/i.test(name) && value === null)),
  );
}

const rowTexts = (answer: Answer): string[] =>
  answer.unredacted(({ json }) =>
    findLists(at(json, '/data')).flatMap(({ rows }) => rows.map((row) => JSON.stringify(row))),
  );
