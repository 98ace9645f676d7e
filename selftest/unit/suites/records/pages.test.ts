import { expect, test } from 'vitest';
import { endpointOf } from '../../../../contract/endpoints.ts';
import { type Page, pagesOf, shownPages } from '../../../../suites/records/pages.ts';
import { callOf } from '../../../../suites/session/call.ts';
import { mainKey } from '../../../../suites/session/session.ts';
import { handlerTransport } from '../../../../suites/session/transport/transport.ts';
import { testSession } from '../../test-session.ts';

const numbered = (name: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${name}_${at}`);
const [ten, many, most] = [10, 38, 45].map((count) => numbered('row', count)) as [string[], string[], string[]];
const grown = ['row_new', ...ten];
/** What a list shows beside the rows of a page that begins at an offset. */
const shows = {
  nothing: () => ({}),
  ofEleven: () => ({ total: 11 }),
  link: (offset: number) => ({ count: 38, next: offset < 36 ? `/v1/agents?limit=3&offset=${offset + 3}` : null }),
  // As Spring Data's Slice does.
  slice: (offset: number) => ({ number: offset / 3, first: offset === 0, last: offset + 3 >= 10 }),
} satisfies Record<string, (offset: number) => object>;

type Query = Readonly<Record<string, string>>;
const asked = {
  page: ({ page = '1' }: Query, size: number) => (Number(page) - 1) * size,
  pageFromZero: ({ page = '0' }: Query, size: number) => Number(page) * size,
  offset: ({ offset = '0' }: Query) => Number(offset),
  none: () => 0,
};
const at = (...places: readonly number[]): string[] => places.map((place) => `row_${place}`);

/** Rows, the parameter that says where a page of so many begins, what a page shows, the rows at later requests. */
interface List {
  readonly rows: readonly string[];
  readonly by: keyof typeof asked;
  readonly shown: keyof typeof shows;
  readonly size?: number;
  readonly later?: readonly string[];
}

// The looks of lists in the proof show the usual ways to the next page.
test.each<[string, List, reads: readonly string[], isComplete: boolean, requests: number]>([
  [
    'links: of a long list the last page is read next',
    { rows: many, by: 'offset', shown: 'link' },
    [...at(0, 1, 2, 35, 36, 37), ...many.slice(3, 21)],
    ...([false, 8] as const),
  ],
  ['nothing: `page=2` is tried, and on', { rows: most, by: 'page', shown: 'nothing', size: 10 }, most, false, 6],
  ['nothing, and `page=2` is ignored', { rows: most, by: 'none', shown: 'nothing', size: 10 }, ten, false, 2],
  ['its number, from 0 on', { rows: ten, by: 'pageFromZero', shown: 'slice' }, ten, true, 4],
  ['its number, from 0 on, and takes it from 1 on', { rows: ten, by: 'page', shown: 'slice' }, ten, true, 8],
  [
    'a total that grows: an ignored parameter is not taken for the next page',
    { rows: ten, by: 'offset', shown: 'ofEleven', later: grown },
    [...at(0, 1, 2, 2), ...ten.slice(3)],
    ...([true, 5] as const),
  ],
])('a list shows its next page by %s', async (_, list, reads, isComplete, requests) => {
  const { client, call, sent } = served(list);
  const pages: Page[] = [];
  for await (const page of pagesOf(client, call, await client.send(call))) {
    pages.push(page);
  }
  expect([idsOn(pages), pages.at(-1)?.complete, sent()]).toEqual([reads, isComplete, requests]);
});

test.each<[string, List, reads: readonly string[], showsNext: boolean]>([
  ['three of those that it shows', { rows: many, by: 'offset', shown: 'link' }, many.slice(0, 9), true],
  ['one, where a total shows that there are more', { rows: ten, by: 'offset', shown: 'ofEleven' }, at(0, 1, 2), true],
])('the first pages of a list, without guesses: %s', async (_, list, reads, showsNext) => {
  const { client, call, sent } = served(list);
  const pages = await shownPages(client, call, await client.send(call));
  expect([idsOn(pages), pages.at(-1)?.showsNext, sent()]).toEqual([reads, showsNext, pages.length]);
});

const idsOn = (pages: readonly Page[]): string[] =>
  pages.flatMap(({ answer }) => (answer.json as { data: { id: string }[] }).data.map(({ id }) => id));

/** A client of a deployment with a list, a call of it, and how many calls came. */
function served(list: List) {
  let sent = 0;
  const transport = handlerTransport(({ url }) => {
    const { rows, by, shown, size = 3, later = rows } = list;
    const offset = asked[by](Object.fromEntries(new URL(url).searchParams), size);
    sent += 1;
    const data = (sent === 1 ? rows : later).slice(offset, offset + size).map((id) => ({ id }));
    return Response.json({ data, ...shows[shown](offset) });
  });
  const { client, ...session } = testSession('workspace', { transport });
  return { client, call: callOf(endpointOf('GET /v1/agents'), mainKey(session)), sent: () => sent };
}
