import { endOf, guessedContinuation, guessedStyle, lastPage, reversedOrder } from '../reading/list-end.ts';
import { findMainList } from '../reading/main-list.ts';
import { nextPage } from '../reading/next-page.ts';
import { type Continuation, partsOf, type Query, type ReadSoFar, totalOf } from '../reading/page-parts.ts';
import type { Answer } from '../session/answer.ts';
import type { Call } from '../session/call.ts';
import type { Client } from '../session/client.ts';

/** One page of a list. */
export interface Page {
  readonly answer: Answer;
  /** The answers show that the list ends here: what was on no page so far is not in it. */
  readonly complete: boolean;
  /** They show that the list goes on, or the page is as full as pages usually are. */
  readonly goesOn: boolean;
}

/** A list that is being walked. */
interface Walk {
  readonly client: Pick<Client, 'send'>;
  readonly call: Call;
  /** Rows of the pages so far. */
  readonly known: Set<string>;
  /** Parameters that brought nothing new: they are not tried again. */
  readonly ignored: Set<string>;
}

/** What is known of the pages of a list. */
interface PagesKnown {
  /** Whether the call already asks for larger pages. */
  readonly isEnlarged?: boolean;
  /** The rows of the longest page that the list ever had without such a wish. */
  readonly longestPage?: number;
}

/** Most further pages that are read: a list is searched for a record, and need not be walked to its end. */
export const mostPages = 20;
/** The same after both ends were read. */
const mostBetweenEnds = 6;

/**
 * The pages of a list, from `first` on, as long as the answers show how to get to the next: by cursor, link, page
 * number or offset. New records are at one of the ends, so the other end of a long list comes second, and after it the
 * page before it where the last page has room for only a few.
 */
export async function* pagesOf(
  client: Pick<Client, 'send'>,
  call: Call,
  first: Answer,
  { isEnlarged = false, longestPage = 0 }: PagesKnown = {},
): AsyncGenerator<Page> {
  const walk: Walk = { client, call, known: new Set(rowTexts(first)), ignored: new Set() };
  let answer = first;
  let before: ReadSoFar = { pages: 0, rows: 0, longestPage };
  let most = mostPages;
  for (;;) {
    const end = answer.unredacted((body) => endOf(body, before));
    yield { answer, complete: end === 'ends', goesOn: end === 'goes on' };
    if (end === 'ends' || before.pages >= most) {
      return;
    }
    if (before.pages === 0) {
      const toOtherEnd = otherEndOf(first);
      const otherEnd = toOtherEnd && (await follow(walk, toOtherEnd, first));
      if (toOtherEnd !== null && otherEnd !== null) {
        most = mostBetweenEnds;
        yield { answer: otherEnd, complete: false, goesOn: true };
        const toPageBefore = rowCount(otherEnd) < rowCount(first) ? pageBefore(toOtherEnd) : null;
        const beforeIt = toPageBefore && (await follow(walk, toPageBefore, first));
        if (beforeIt) {
          yield { answer: beforeIt, complete: false, goesOn: true };
        }
      }
    } else if (before.pages === 1 && !isEnlarged && most === mostPages) {
      const larger = await readLargerPage(walk, first);
      if (larger !== null) {
        yield* pagesOf(client, { ...call, query: { ...call.query, ...enlarging } }, larger, { isEnlarged: true });
        return;
      }
    }
    const next = continuationOf(answer, before, walk.ignored);
    const previousShowedNext = next !== null && next.style !== guessedStyle;
    before = { ...before, pages: before.pages + 1, rows: before.rows + rowCount(answer), previousShowedNext };
    const page = next === null ? null : await follow(walk, next, answer);
    if (page === null) {
      return;
    }
    for (const row of rowTexts(page)) {
      walk.known.add(row);
    }
    answer = page;
  }
}

/**
 * How to get to the next page. Where a full page does not show it, all usual ways are tried, and later on the one that
 * worked: then only an empty page shows the end.
 */
const continuationOf = (answer: Answer, before: ReadSoFar, ignored: ReadonlySet<string>): Continuation | null =>
  answer.unredacted((body) => {
    const shown = nextPage(body, before);
    if (shown !== null || (before.pages === 0 && endOf(body, before) !== 'goes on')) {
      return shown;
    }
    const { style, queries } = guessedContinuation(body, before);
    const untried = queries.filter((query) => !ignored.has(namesIn(query)));
    return { style, queries: before.pages === 0 ? untried : untried.slice(0, 1) };
  });

/** How to get to the other end of a long list: to its last page, or to its first in reversed order. */
const otherEndOf = (first: Answer): Continuation | null =>
  first.unredacted((body) => {
    const reversed = reversedOrder(body);
    return lastPage(body) ?? (reversed === null ? null : { style: 'other order', queries: [reversed] });
  });

/** How to get to the page before one; null: no number in its query shows which one that is. */
function pageBefore({ queries: [query = {}] }: Continuation): Continuation | null {
  const [[name, number] = ['', 0], ...others] = Object.entries(query).filter(([, value]) => Number(value) > 1);
  return name === '' || others.length > 0
    ? null
    : { style: 'page before the last', queries: [{ ...query, [name]: Number(number) - 1 }] };
}

/** Asks for larger pages: where the deployment takes it, a long list takes fewer calls. */
const enlarging = { limit: 100 } as const;
/** Larger pages are not asked for where pages have fewer rows. */
const fewRows = 10;

async function readLargerPage(walk: Walk, first: Answer): Promise<Answer | null> {
  if (rowCount(first) < fewRows) {
    return null;
  }
  const page = await follow(walk, { style: 'larger pages', queries: [enlarging] }, first);
  // It may also have been followed because it shows another next page; then it has no more rows.
  return page !== null && isLarger(page, first, enlarging) ? page : null;
}

/** Sends the queries of a continuation until one brings another page than `from`, which shows it; null: none does. */
async function follow(walk: Walk, next: Continuation, from: Answer): Promise<Answer | null> {
  const { call, client, known, ignored } = walk;
  const ask = (query: Query): Promise<Answer> =>
    client.send({ ...call, query: { ...call.query, ...query }, purpose: 'off-document' });
  for (const query of next.queries.filter((one) => !ignored.has(namesIn(one)))) {
    const page = await ask(query);
    const isNumberGuessed = ['total', guessedStyle].includes(next.style);
    if (page.accepted && isNumberGuessed && isTooShort(page, from, Number(query.page))) {
      // Page numbers that no answer shows may count from 0.
      const before = await ask({ ...query, page: Number(query.page) - 1 });
      if (before.accepted && rowCount(before) > 0 && hasNewRows(before, known)) {
        return before;
      }
    }
    if (page.accepted && (hasNewRows(page, known) || hasMovedOn(page, from, query) || isLarger(page, from, query))) {
      // With another id of the last row this parameter may have been ignored before.
      ignored.delete(namesIn(query));
      return page;
    }
    ignored.add(namesIn(query));
  }
  return null;
}

const namesIn = (query: Query): string => Object.keys(query).join();

/** Whether half of the rows are new. Where the parameter is ignored none is; a list that grows repeats a few. */
function hasNewRows(page: Answer, known: ReadonlySet<string>): boolean {
  const rows = rowTexts(page);
  return rows.filter((row) => known.has(row)).length * 2 <= rows.length;
}

/** Whether a page was asked to be larger and has more rows. */
const isLarger = (page: Answer, from: Answer, query: Query): boolean =>
  ('limit' in query || 'per_page' in query) && rowCount(page) > rowCount(from) + 1;

/** Whether a page after the first has no rows, or the second one fewer than the total leaves for it. */
function isTooShort(page: Answer, from: Answer, number: number): boolean {
  const rows = rowCount(page);
  const size = rowCount(from);
  const total = from.unredacted((body) => totalOf(partsOf(body))) ?? 0;
  return number > 1 && (rows === 0 || (number === 2 && rows < Math.min(size, total - size)));
}

/**
 * Whether a page whose rows are all known is another page than `from`, on to which new records pushed these rows: then
 * the way to its next page differs.
 */
function hasMovedOn(page: Answer, from: Answer, query: Query): boolean {
  const shownNext = (answer: Answer): Continuation | null => answer.unredacted((body) => nextPage(body));
  const before = shownNext(from);
  const after = shownNext(page);
  if (before === null || after?.style !== before.style || ['total', 'has_more'].includes(before.style)) {
    return false;
  }
  const beforeQuery = before.queries[0] ?? {};
  const afterQuery = after.queries[0] ?? {};
  // A link to the next page repeats the parameters of its own request, even those that were ignored: these show
  // nothing.
  const names = Object.keys({ ...afterQuery, ...beforeQuery }).filter(
    (name) => !(name in query) || name in beforeQuery,
  );
  return rowTexts(page).length > 0 && names.some((name) => afterQuery[name] !== beforeQuery[name]);
}

export const rowCount = (answer: Answer): number =>
  answer.unredacted(({ json }) => findMainList(json)?.rows.length ?? 0);

const rowTexts = (answer: Answer): string[] =>
  answer.unredacted(({ json }) => (findMainList(json)?.rows ?? []).map((row) => JSON.stringify(row)));
