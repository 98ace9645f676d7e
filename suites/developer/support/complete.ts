import { at, findLists, walk } from '../../../common/json.ts';
import type { Answer } from '../../session/answer.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';

/** Fewer rows than anybody's page has. */
const leastPage = 10;

/**
 * Whether the pages that were read of a list are all of it: its answers say so (a total that is reached, a next that is
 * null), or it is shorter than any page and the usual parameters of pages bring nothing else.
 */
export async function areAll(session: Session, list: string, pages: readonly Answer[]): Promise<boolean> {
  const known = new Set(pages.flatMap(rowTexts));
  if (known.size === 0 || saysEnd(pages.at(-1)?.json, known.size)) {
    return true;
  }
  if (known.size >= leastPage) {
    return false;
  }
  const queries = [{ limit: 100 }, { page: 2 }, { offset: known.size }];
  const others = await Promise.all(queries.map((query) => send(session, list, { query, purpose: 'off-document' })));
  return others.every((answer) => rowTexts(answer).every((row) => known.has(row)));
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

const rowTexts = ({ json }: Answer): string[] =>
  findLists(at(json, '/data')).flatMap(({ rows }) => rows.map((row) => JSON.stringify(row)));
