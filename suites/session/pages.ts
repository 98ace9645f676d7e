import { findLists } from '../../common/json.ts';
import type { Answer } from './answer.ts';
import type { Call } from './call.ts';
import type { Client } from './client.ts';
import { type Before, type Continuation, nextPage } from './next-page.ts';

/** One page of a list. */
export interface Page {
  readonly answer: Answer;
  /** Nothing on this page says that there is more: what stood on no page so far is not in the list. */
  readonly complete: boolean;
}

/** The most further pages that are read: a list is not walked to its end, only looked through for a record. */
const mostPages = 20;

/** The pages of a list from its first one on, as far as its answers show how to get on: cursor, link, page number or offset. */
export async function* pagesOf(client: Pick<Client, 'send'>, call: Call, first: Answer): AsyncGenerator<Page> {
  const known = new Set(rowTexts(first));
  const ignored = new Set<string>();
  let [answer, before]: [Answer, Before] = [first, { pages: 0, rows: 0 }];
  for (;;) {
    const next = continuationOf(answer, before);
    yield { answer, complete: next === null };
    if (next === null || before.pages >= mostPages) {
      return;
    }
    before = { pages: before.pages + 1, rows: before.rows + firstListLength(answer) };
    const page = await follow(client, call, { next, from: answer, known, ignored });
    if (page === null) {
      return;
    }
    for (const row of rowTexts(page)) {
      known.add(row);
    }
    answer = page;
  }
}

interface Progress {
  readonly next: Continuation;
  /** The page that shows how to get on. */
  readonly from: Answer;
  /** Rows of the pages so far. */
  readonly known: ReadonlySet<string>;
  /** Parameters that brought nothing new: they are not tried again. */
  readonly ignored: Set<string>;
}

async function follow(
  client: Pick<Client, 'send'>,
  call: Call,
  { next, from, known, ignored }: Progress,
): Promise<Answer | null> {
  for (const query of next.queries) {
    const names = Object.keys(query).join();
    if (ignored.has(names)) {
      continue;
    }
    const page = await client.send({ ...call, query: { ...call.query, ...query }, purpose: 'off-document' });
    if (page.accepted && (isNew(rowTexts(page), known) || hasMovedOn(page, from))) {
      return page;
    }
    ignored.add(names);
  }
  return null;
}

/** A parameter that is ignored brings rows again that were seen; a list that grows meanwhile repeats a few. */
const isNew = (rows: readonly string[], known: ReadonlySet<string>): boolean =>
  rows.filter((row) => known.has(row)).length * 2 <= rows.length;

/** New records push the others on to the next page: its rows were all seen, and what it says of its next one shows that it is another. */
function hasMovedOn(page: Answer, from: Answer): boolean {
  const [before, after] = [continuationOf(from), continuationOf(page)];
  if (before === null || after?.style !== before.style || ['total', 'has_more'].includes(before.style)) {
    return false;
  }
  return rowTexts(page).length > 0 && JSON.stringify(after.queries) !== JSON.stringify(before.queries);
}

const continuationOf = (answer: Answer, before?: Before): Continuation | null =>
  answer.unredacted((body) => nextPage(body, before));

const firstListLength = ({ json }: Answer): number => findLists(json)[0]?.rows.length ?? 0;

const rowTexts = (answer: Answer): string[] =>
  answer.unredacted(({ json }) => findLists(json).flatMap(({ rows }) => rows.map((row) => JSON.stringify(row))));
