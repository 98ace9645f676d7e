import { type Continuation, mostPages, pageSigns, type Query, type ReadSoFar } from '../reading/page.ts';
import { findMainList } from '../reading/rows.ts';
import type { Answer, Call } from '../session/call.ts';
import type { Client } from '../session/client.ts';

/** One page of a list. */
export interface Page {
  readonly answer: Answer;
  /** The answers show that the list ends here: what was on no page so far is not in it. */
  readonly complete: boolean;
  /** They show that the list goes on, or may, since nothing shows its pages and one is as full as pages usually are. */
  readonly goesOn: boolean;
  /** The page itself shows a next one. */
  readonly showsNext: boolean;
}

/** Most pages of a list each of whose rows is judged. */
const mostJudged = 3;

/** A list that is being walked. */
interface Walk {
  readonly client: Pick<Client, 'send'>;
  readonly call: Call;
  /** Rows of the pages so far. */
  readonly known: Set<string>;
  /** Parameters that brought nothing new: they are not tried again. */
  readonly ignored: Set<string>;
}

/**
 * The pages of a list, from `first` on, as long as the answers show how to get to the next. New records are at one of
 * the ends, so the other end of a long list comes second. Where a full page shows nothing, `page=2` is tried: it may
 * find a record, but what follows is not known to be all. Unless it may guess, it only goes where an answer shows the
 * parameters of the next page.
 */
export async function* pagesOf(
  client: Pick<Client, 'send'>,
  call: Call,
  first: Answer,
  { mayGuess = true } = {},
): AsyncGenerator<Page> {
  const walk: Walk = { client, call, known: new Set(rowTexts(first)), ignored: new Set() };
  let answer = first;
  let before: ReadSoFar = { pages: 0, rows: 0 };
  let isGuessed = false;
  for (;;) {
    const { end, last, next: shown } = answer.unredacted((body) => pageSigns(body, before));
    const showsNext = shown !== null;
    yield { answer, complete: end === 'ends' && !isGuessed, goesOn: end === 'goes on' || isGuessed, showsNext };
    if (end === 'ends' || before.pages >= mostPages) {
      return;
    }
    const otherEnd = mayGuess && last ? await follow({ ...walk, ignored: new Set() }, last) : null;
    if (otherEnd !== null) {
      yield { answer: otherEnd, complete: false, goesOn: true, showsNext };
    }
    isGuessed ||= !showsNext && end === 'goes on';
    const next =
      shown ?? (isGuessed ? { style: 'not shown', queries: [{ page: before.pages + 2 }], isGuessed: true } : null);
    const page = next === null || (next.isGuessed && !mayGuess) ? null : await follow(walk, next);
    if (page === null) {
      return;
    }
    before = { pages: before.pages + 1, rows: before.rows + rowTexts(answer).length, previousShowedNext: showsNext };
    for (const row of rowTexts(page)) {
      walk.known.add(row);
    }
    answer = page;
  }
}

/** The first pages of a list, from `first` on, as far as the answers show the way. */
export async function shownPages(client: Pick<Client, 'send'>, call: Call, first: Answer): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for await (const page of pagesOf(client, call, first, { mayGuess: false })) {
    pages.push(page);
    if (!first.accepted || pages.length === mostJudged) {
      break;
    }
  }
  return pages;
}

/** Sends the queries of a continuation until one brings another page; null: none does. */
async function follow({ call, client, known, ignored }: Walk, next: Continuation): Promise<Answer | null> {
  for (const query of next.queries.filter((one) => !ignored.has(namesIn(one)))) {
    const page = await client.send({ ...call, query: { ...call.query, ...query }, purpose: 'off-document' });
    if (page.accepted && hasNewRows(page, known, next)) {
      // With another value, it may just have brought nothing.
      ignored.delete(namesIn(query));
      return page;
    }
    ignored.add(namesIn(query));
  }
  return null;
}

const namesIn = (query: Query): string => Object.keys(query).join();

/**
 * Whether half of the rows are new. Where the parameter is ignored none is; a list that grows repeats a few. A page
 * without any may be the end, unless its parameters were guessed: these may lead beyond it.
 */
function hasNewRows(page: Answer, known: ReadonlySet<string>, { isGuessed = false }: Continuation): boolean {
  const rows = rowTexts(page);
  return rows.filter((row) => known.has(row)).length * 2 <= rows.length && (rows.length > 0 || !isGuessed);
}

const rowTexts = (answer: Answer): string[] =>
  answer.unredacted(({ json }) => (findMainList(json)?.rows ?? []).map((row) => JSON.stringify(row)));
