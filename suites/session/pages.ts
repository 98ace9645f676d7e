import { at, findLists, isObject, walk } from '../../common/json.ts';
import { accepted } from '../engine/expect.ts';
import type { Answer, Call } from './call.ts';
import type { Session } from './session.ts';

/** One page of a list. */
export interface Page {
  readonly answer: Answer;
  /** Nothing on this page says that there is more: what stood on no page so far is not in the list. */
  readonly complete: boolean;
}

/** The most further pages that are read: a list is not walked to its end, only looked through for a new record. */
const mostPages = 20;

/** Where the next page is, as query parameters to try in turn; empty: the page says that there is none. */
export type Hint = {
  readonly style: string;
  readonly queries: readonly Readonly<Record<string, string | number>>[];
} | null;

/** What was read of a list before a page. */
export interface Before {
  readonly pages: number;
  readonly rows: number;
}

const nothing: Before = { pages: 0, rows: 0 };

/** The pages of a list from its first one on, as far as its answers show how to get on: cursor, link, page number or offset. */
export async function* pagesOf(session: Session, call: Call, first: Answer): AsyncGenerator<Page> {
  const known = new Set(rowsOf(first));
  const ignored = new Set<string>();
  let [answer, before] = [first, nothing];
  for (;;) {
    const hint = nextPage(answer, before);
    yield { answer, complete: hint === null };
    if (hint === null || before.pages >= mostPages) {
      return;
    }
    before = { pages: before.pages + 1, rows: before.rows + (findLists(answer.json)[0]?.rows.length ?? 0) };
    const next = await follow(session, call, { hint, from: answer, known, ignored });
    if (!next) {
      return;
    }
    for (const row of rowsOf(next)) {
      known.add(row);
    }
    answer = next;
  }
}

interface Reading {
  readonly hint: NonNullable<Hint>;
  /** The page that shows the hint. */
  readonly from: Answer;
  /** Rows of the pages so far. */
  readonly known: ReadonlySet<string>;
  /** Parameters that brought nothing new: they are not tried again. */
  readonly ignored: Set<string>;
}

async function follow(session: Session, call: Call, { hint, from, known, ignored }: Reading): Promise<Answer | null> {
  for (const query of hint.queries) {
    const names = Object.keys(query).join();
    if (ignored.has(names)) {
      continue;
    }
    const next = await session.client.send({ ...call, query: { ...call.query, ...query }, purpose: 'off-document' });
    if (accepted(next) && (isNew(rowsOf(next), known) || movedOn(next, from))) {
      return next;
    }
    ignored.add(names);
  }
  return null;
}

/** A parameter that is ignored brings rows again that were seen; a list that grows meanwhile repeats a few. */
const isNew = (rows: readonly string[], known: ReadonlySet<string>): boolean =>
  rows.filter((row) => known.has(row)).length * 2 <= rows.length;

/** New records push the others on to the next page: its rows were all seen, and what it says of its next one tells that it is another. */
function movedOn(next: Answer, from: Answer): boolean {
  const [before, after] = [nextPage(from), nextPage(next)];
  if (before === null || after?.style !== before.style || ['total', 'has_more'].includes(before.style)) {
    return false;
  }
  return rowsOf(next).length > 0 && JSON.stringify(after.queries) !== JSON.stringify(before.queries);
}

const rowsOf = (answer: Answer): string[] =>
  findLists(answer.json).flatMap(({ rows }) => rows.map((row) => JSON.stringify(row)));

/** What a page shows of the next one. null: it shows none. */
export function nextPage(answer: Answer, before: Before = nothing): Hint {
  return byLink(answer) ?? byCursor(answer.json) ?? byNumber(answer.json, before) ?? byRemainder(answer, before);
}

const queryOf = (url: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(url.replace(/^[^?]*\??/, '').replace(/#.*/, '')));

function byLink(answer: Answer): Hint {
  const next = /<([^>]*)>\s*;[^,]*rel="?next"?/i.exec(answer.header('Link') ?? '')?.[1];
  return next === undefined ? null : { style: 'Link header', queries: [queryOf(next)] };
}

const cursorName =
  /^(next|next_?(cursor|page|page_?token|token|url|link|offset)|cursor|after|end_?cursor|continuation(_?token)?)$/i;

function byCursor(json: unknown): Hint {
  const found = walk(json)
    .filter(({ pointer }) => !/\/\d+\//.test(pointer))
    .find(
      ({ name, value }) =>
        cursorName.test(name) &&
        ((typeof value === 'string' && value !== '') || (typeof value === 'number' && value > 0)),
    );
  if (!found) {
    return null;
  }
  const { name, value } = found as { name: string; value: string | number };
  if (typeof value === 'string' && /^(https?:\/\/|\/|\?)/.test(value)) {
    return { style: `link in ${name}`, queries: [queryOf(value)] };
  }
  const bare = name.replace(/^next_?/i, '').toLowerCase();
  const names = [...new Set([bare, name, 'cursor', 'after', 'page', 'page_token', 'starting_after', 'offset'])].filter(
    (text) => text !== '',
  );
  return { style: `cursor in ${name}`, queries: names.map((parameter) => ({ [parameter]: value })) };
}

const numberAt = (json: unknown, names: RegExp): number | undefined => {
  const found = walk(json)
    .filter(({ pointer }) => !/\/\d+\//.test(pointer))
    .find(({ name, value }) => names.test(name) && typeof value === 'number');
  return found?.value as number | undefined;
};

function byNumber(json: unknown, { pages: seen }: Before): Hint {
  const page = numberAt(json, /^(page|current_?page|page_?number)$/i);
  const pages = numberAt(json, /^(pages|total_?pages|page_?count|last_?page)$/i);
  if (page === undefined && pages === undefined) {
    return null;
  }
  const current = page ?? seen + 1;
  if (pages !== undefined) {
    return current < pages ? { style: 'page number', queries: [{ page: current + 1 }] } : null;
  }
  return null;
}

/** A total larger than what was shown, or a flag that says there is more, without saying how to get there. */
function byRemainder(answer: Answer, before: Before): Hint {
  const rows = findLists(answer.json)[0]?.rows ?? [];
  const total = numberAt(answer.json, /^(total|total_?(count|results|items|records)|count)$/i);
  const more = walk(answer.json).some(({ name, value }) => /^has_?(more|next(_?page)?)$/i.test(name) && value === true);
  const shown = before.rows + rows.length;
  if (rows.length === 0 || (!more && (total === undefined || total <= shown))) {
    return null;
  }
  const last = rows.at(-1);
  const lastId = isObject(last) ? at(last, '/id') : undefined;
  const after =
    typeof lastId === 'string' || typeof lastId === 'number' ? [{ starting_after: lastId }, { after: lastId }] : [];
  return { style: more ? 'has_more' : 'total', queries: [{ page: before.pages + 2 }, { offset: shown }, ...after] };
}
