import { findMainList } from '../../../common/main-list.ts';
import type { Answer } from '../answer.ts';
import type { Call } from '../call.ts';
import type { Client } from '../client.ts';
import { endOf, guessed, guesses, lastPage, otherOrder } from './list-end.ts';
import { nextPage } from './next-page.ts';
import { type Before, type Continuation, partsOf, type Query, totalOf } from './page-parts.ts';

/** One page of a list. */
export interface Page {
  readonly answer: Answer;
  /** The answers say that there is no more: what stood on no page so far is not in the list. */
  readonly complete: boolean;
  /** They say that there is more, or the page is as full as pages are. */
  readonly goesOn: boolean;
}

/** The most further pages that are read: a list is not walked to its end, only looked through for a record. */
const [mostPages, mostBesideEnds] = [20, 6];

/**
 * The pages of a list from its first one on, as far as its answers show how to get on: cursor, link, page number or offset. A
 * new record stands at one of the ends: in a long list the other end comes second.
 */
export async function* pagesOf(
  client: Pick<Client, 'send'>,
  call: Call,
  first: Answer,
  isWide = false,
): AsyncGenerator<Page> {
  const walk: Walk = { client, call, known: new Set(rowTexts(first)), ignored: new Set() };
  let [answer, before, most]: [Answer, Before, number] = [first, { pages: 0, rows: 0 }, mostPages];
  for (;;) {
    const end = answer.unredacted((body) => endOf(body, before));
    yield { answer, complete: end === 'ends', goesOn: end === 'goes on' };
    if (end === 'ends' || before.pages >= most) {
      return;
    }
    const wide = before.pages === 1 && !isWide && most === mostPages ? await widened(walk, first) : null;
    if (wide !== null) {
      yield* pagesOf(client, { ...call, query: { ...call.query, ...larger } }, wide, true);
      return;
    }
    const far = before.pages === 0 ? await otherEnd(walk, first) : null;
    if (far !== null) {
      most = mostBesideEnds;
      yield { answer: far, complete: false, goesOn: true };
    }
    const next = continuationOf(answer, before, walk.ignored);
    const isLed = next !== null && next.style !== guessed;
    before = { pages: before.pages + 1, rows: before.rows + rowCount(answer), isLed };
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

/** How to get on; guessed where a full page does not show it, and then in the way that worked: only an empty page shows the end. */
const continuationOf = (answer: Answer, before: Before, ignored: ReadonlySet<string>): Continuation | null =>
  answer.unredacted((body) => {
    const shown = nextPage(body, before);
    if (shown !== null || (before.pages === 0 && endOf(body, before) !== 'goes on')) {
      return shown;
    }
    const { style, queries } = guesses(body, before);
    const open = queries.filter((query) => !ignored.has(namesIn(query)));
    return { style, queries: before.pages === 0 ? open : open.slice(0, 1) };
  });

/** A list that is being walked. */
interface Walk {
  readonly client: Pick<Client, 'send'>;
  readonly call: Call;
  /** Rows of the pages so far. */
  readonly known: Set<string>;
  /** Parameters that brought nothing new: they are not tried again. */
  readonly ignored: Set<string>;
}

/** The page at the other end of a long list: its last one or, where its order can be turned, the first of the other order. */
async function otherEnd(walk: Walk, first: Answer): Promise<Answer | null> {
  const [last, turned] = first.unredacted((body) => [lastPage(body), otherOrder(body)] as const);
  const next = last ?? (turned === null ? null : { style: 'other order', queries: [turned] });
  return next === null ? null : follow(walk, next, first);
}

/** What asks for larger pages, where the deployment takes it: a list of many takes fewer calls then. */
const larger = { limit: 100 } as const;
/** Pages of fewer rows are not worth it. */
const fewRows = 10;

async function widened(walk: Walk, first: Answer): Promise<Answer | null> {
  const page =
    rowCount(first) < fewRows ? null : await follow(walk, { style: 'larger pages', queries: [larger] }, first);
  // The first page again shows another next one, too.
  return page !== null && isLonger(page, first, larger) ? page : null;
}

/** `from`: the page that shows how to get on. */
async function follow(
  { client, call, known, ignored }: Walk,
  next: Continuation,
  from: Answer,
): Promise<Answer | null> {
  for (const query of next.queries.filter((one) => !ignored.has(namesIn(one)))) {
    const ask = (asked: Query) => client.send({ ...call, query: { ...call.query, ...asked }, purpose: 'off-document' });
    const page = await ask(query);
    if (page.accepted && ['total', guessed].includes(next.style) && isShort(page, from, Number(query.page))) {
      // Pages that nothing shows the numbers of may be counted from 0.
      const earlier = await ask({ ...query, page: Number(query.page) - 1 });
      if (earlier.accepted && rowCount(earlier) > 0 && isNew(rowTexts(earlier), known)) {
        return earlier;
      }
    }
    if (
      page.accepted &&
      (isNew(rowTexts(page), known) || hasMovedOn(page, from, query) || isLonger(page, from, query))
    ) {
      // It may have been asked with another id of the last row before.
      ignored.delete(namesIn(query));
      return page;
    }
    ignored.add(namesIn(query));
  }
  return null;
}

const namesIn = (query: Query): string => Object.keys(query).join();

/** A parameter that is ignored brings rows again that were seen; a list that grows meanwhile repeats a few. */
const isNew = (rows: readonly string[], known: ReadonlySet<string>): boolean =>
  rows.filter((row) => known.has(row)).length * 2 <= rows.length;

/** A larger page has the rows of the smaller one, and others. */
const isLonger = (page: Answer, from: Answer, query: object): boolean =>
  ('limit' in query || 'per_page' in query) && rowCount(page) > rowCount(from) + 1;

/** Whether a page after the first has no rows, or the second one fewer than the total leaves for it. */
function isShort(page: Answer, from: Answer, number: number): boolean {
  const [rows, size] = [rowCount(page), rowCount(from)];
  const total = from.unredacted((body) => totalOf(partsOf(body))) ?? 0;
  return number > 1 && (rows === 0 || (number === 2 && rows < Math.min(size, total - size)));
}

/** New records push the others on to the next page: its rows were all seen, and what it says of its next one shows that it is another. */
function hasMovedOn(page: Answer, from: Answer, query: Query): boolean {
  const shown = (answer: Answer): Continuation | null => answer.unredacted((body) => nextPage(body));
  const [before, after] = [shown(from), shown(page)];
  if (before === null || after?.style !== before.style || ['total', 'has_more'].includes(before.style)) {
    return false;
  }
  // A link to the next page repeats what it was asked with, heeded or not.
  const isOther = (name: string): boolean => after.queries[0]?.[name] !== before.queries[0]?.[name];
  const names = Object.keys({ ...after.queries[0], ...before.queries[0] });
  return (
    rowTexts(page).length > 0 &&
    names.some((name) => (!(name in query) || name in (before.queries[0] ?? {})) && isOther(name))
  );
}

const rowCount = (answer: Answer): number => answer.unredacted(({ json }) => findMainList(json)?.rows.length ?? 0);

const rowTexts = (answer: Answer): string[] =>
  answer.unredacted(({ json }) => (findMainList(json)?.rows ?? []).map((row) => JSON.stringify(row)));
