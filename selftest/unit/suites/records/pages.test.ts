import { expect, test } from 'vitest';
import { endpointOf } from '../../../../contract/endpoints.ts';
import { type Page, pagesOf, shownPages } from '../../../../suites/records/pages.ts';
import { callOf } from '../../../../suites/session/call.ts';
import { mainKey } from '../../../../suites/session/session.ts';
import { testSession } from '../../test-session.ts';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `row_${at}`);

/** A list of so many rows: where the page that a query asks for begins, how long it is, and what it shows beside rows. */
interface List {
  readonly count: number;
  readonly size: number;
  readonly begins: (query: Readonly<Record<string, string>>) => number;
  readonly shows: (offset: number) => object;
}

const linked: List = {
  count: 38,
  size: 3,
  begins: ({ offset = '0' }) => Number(offset),
  shows: (offset) => ({ count: 38, next: offset < 36 ? `/v1/agents?limit=3&offset=${offset + 3}` : null }),
};
const silent: List = { count: 45, size: 10, begins: ({ page = '1' }) => (Number(page) - 1) * 10, shows: () => ({}) };
// As Spring Data's Slice shows its number, from 0 on.
const slice: List = {
  count: 10,
  size: 3,
  begins: ({ page = '1' }) => (Number(page) - 1) * 3,
  shows: (offset) => ({ number: offset / 3, first: offset === 0, last: offset + 3 >= 10 }),
};
const fromZero: List = { ...slice, begins: ({ page = '0' }) => Number(page) * 3 };

// The looks of lists in the proof show the usual ways to the next page.
test.each<[string, List, reads: readonly string[], isComplete: boolean, requests: number]>([
  [
    'links: of a long list the last page is read next',
    { ...linked, count: 100, shows: (offset) => ({ count: 100, next: `/v1/agents?limit=3&offset=${offset + 3}` }) },
    [...numbered(3), ...numbered(100).slice(97), ...numbered(63).slice(3)],
    false,
    23,
  ],
  ['nothing: `page=2` is tried, and on', silent, numbered(45), false, 6],
  ['its number, from 0 on', fromZero, numbered(10), true, 4],
  ['its number, from 0 on, and takes it from 1 on', slice, numbered(10), true, 8],
])('a list shows its next page by %s', async (_, list, reads, isComplete, requests) => {
  const { client, call, sent } = served(list);
  const pages: Page[] = [];
  for await (const page of pagesOf(client, call, await client.send(call))) {
    pages.push(page);
  }
  expect([idsOn(pages), pages.at(-1)?.complete, sent()]).toEqual([reads, isComplete, requests]);
});

test('the first pages of a list, without guesses, are three of those that it shows', async () => {
  const { client, call, sent } = served(linked);
  const pages = await shownPages(client, call, await client.send(call));
  expect([idsOn(pages), pages.at(-1)?.showsNext, sent()]).toEqual([numbered(9), true, 3]);
});

const idsOn = (pages: readonly Page[]): string[] =>
  pages.flatMap(({ answer }) => (answer.json as { data: { id: string }[] }).data.map(({ id }) => id));

/** A client of a deployment with a list, a call of it, and how many calls came. */
function served({ count, size, begins, shows }: List) {
  let sent = 0;
  const serve = ({ url }: Request): Response => {
    const offset = begins(Object.fromEntries(new URL(url).searchParams));
    sent += 1;
    const data = numbered(count)
      .slice(offset, offset + size)
      .map((id) => ({ id }));
    return Response.json({ data, ...shows(offset) });
  };
  const { client, ...session } = testSession('workspace', { serve });
  return { client, call: callOf(endpointOf('GET /v1/agents'), mainKey(session)), sent: () => sent };
}
