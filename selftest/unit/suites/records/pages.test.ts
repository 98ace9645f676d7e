import { expect, test } from 'vitest';
import { pagesOf } from '../../../../suites/records/pages.ts';
import type { Answer, RawJson } from '../../../../suites/session/answer.ts';
import type { Call } from '../../../../suites/session/call.ts';
import type { Client } from '../../../../suites/session/client.ts';

type Query = Readonly<Record<string, string | number>>;

/**
 * A list of ten rows in pages of three. `offset` returns where a query's page begins, `paging` the fields next to the
 * rows that tell how to get another page.
 */
interface Style {
  readonly offset: (query: Query) => number;
  readonly paging: (offset: number, last: string | undefined) => Record<string, unknown>;
  readonly headers?: (offset: number) => Readonly<Record<string, string>>;
  /** The rows of a page; 3 if not given. */
  readonly size?: (query: Query) => number;
  /** The rows at this request, counted from 0. */
  readonly rows?: (request: number) => readonly string[];
}

const ten = Array.from({ length: 10 }, (_, index) => `row_${index}`);

function listOf(style: Style): { client: Pick<Client, 'send'>; call: Call; first: Answer; asked: Query[] } {
  const asked: Query[] = [];
  const answer = (query: Query): Answer => {
    const rows = style.rows?.(asked.length) ?? ten;
    asked.push(query);
    const offset = style.offset(query);
    const shown = rows.slice(offset, offset + (style.size?.(query) ?? 3));
    const header = (name: string): string | null => style.headers?.(offset)[name] ?? null;
    const json = { data: shown.map((id) => ({ id })), ...style.paging(offset, shown.at(-1)) };
    const body = json as object as RawJson;
    const raw = { json: body, payload: body, next: undefined, holds: () => false, header };
    return {
      status: 200,
      accepted: true,
      lack: null,
      ...{ json, payload: json, text: '', header },
      exchange: {} as Answer['exchange'],
      unredacted: (read) => read(raw),
    };
  };
  return {
    client: { send: async ({ query = {} }: Call) => answer(query) },
    call: { method: 'GET', path: '/v1/rows', key: null },
    first: answer({}),
    asked,
  };
}

async function readAll(style: Style): Promise<{ ids: string[]; complete: boolean; requests: number }> {
  const { client, call, first, asked } = listOf(style);
  const ids: string[] = [];
  let complete = false;
  for await (const page of pagesOf(client, call, first)) {
    complete = page.complete;
    ids.push(...(page.answer.json as { data: { id: string }[] }).data.map(({ id }) => id));
  }
  return { ids, complete, requests: asked.length };
}

const byPage = ({ page = 1 }: Query): number => (Number(page) - 1) * 3;
const byOffset = ({ offset = 0 }: Query): number => Number(offset);

// The looks of lists in the proof show the other ways in which pages lead to the next.
test.for<[string, Style, number]>([
  [
    'the header X-Next-Page, as of GitLab',
    {
      offset: byPage,
      paging: () => ({}),
      headers: (offset) => ({ 'X-Next-Page': offset < 9 ? String(offset / 3 + 2) : '' }),
    },
    4,
  ],
  // `page` is tried once, before `offset`.
  ['a total, and the parameter offset', { offset: byOffset, paging: (offset) => ({ total: 10, limit: 3, offset }) }, 5],
])('a list is read to its end, each row once, by %s', async ([, style, requests]) => {
  expect(await readAll(style)).toEqual({ ids: ten, complete: true, requests });
});

test.for<[string, Pick<Style, 'offset' | 'paging'>, readonly number[]]>([
  [
    'a link with limit and offset, the offset leads to the last page',
    {
      offset: byOffset,
      paging: (offset) => ({ count: 38, next: offset < 36 ? `/v1/rows?limit=3&offset=${offset + 3}` : null }),
    },
    [35, 36, 37],
  ],
  [
    'page numbers, the last page is read next',
    { offset: byPage, paging: (offset) => ({ page: offset / 3 + 1, pages: 13 }) },
    [36, 37, 3],
  ],
])('in a long list with %s', async ([, style, next]) => {
  const { ids } = await readAll({ ...style, rows: () => Array.from({ length: 38 }, (_, index) => `row_${index}`) });
  expect(ids.slice(3, 3 + next.length)).toEqual(next.map((index) => `row_${index}`));
});

test.for<[string, Pick<Style, 'offset'>, number, number]>([
  [
    'is followed by page=2, and on as long as that brings rows',
    { offset: ({ page = 1 }) => (Number(page) - 1) * 10 },
    45,
    6,
  ],
  ['and ignores page=2, is all that is read', { offset: () => 0 }, 10, 2],
])(
  'a page of ten rows that shows no next one %s; the list is not known to be whole',
  async ([, style, count, requests]) => {
    const rows = Array.from({ length: 45 }, (_, index) => `row_${index}`);
    const read = await readAll({ ...style, paging: () => ({}), size: () => 10, rows: () => rows });
    expect(read).toEqual({ ids: rows.slice(0, count), requests, complete: false });
  },
);

test('a list that does not say how to get the next page is not read to its end', async () => {
  expect(await readAll({ offset: () => 0, paging: () => ({ has_more: true }) })).toMatchObject({
    ids: ten.slice(0, 3),
    complete: false,
  });
});

test('an ignored parameter is not taken for the next page, although the list grows meanwhile', async () => {
  const grown = ['row_new', ...ten];
  const { ids, complete } = await readAll({
    offset: byOffset,
    paging: () => ({ total: 11 }),
    rows: (request) => (request === 0 ? ten : grown),
  });
  expect(ids.slice(0, 3)).toEqual(ten.slice(0, 3));
  expect(complete).toBe(true);
  expect(new Set(ids)).toEqual(new Set(ten));
});

test('a page of known rows, moved there by new records, is skipped and not taken for an ignored parameter', async () => {
  const grown = ['new_0', 'new_1', 'new_2', ...ten];
  const cursor = (offset: number): string | null => (offset + 3 < 13 ? String(offset + 3) : null);
  const { ids, complete } = await readAll({
    offset: ({ cursor: at = 0 }) => Number(at),
    paging: (offset) => ({ next_cursor: cursor(offset) }),
    rows: (request) => (request === 0 ? ten : grown),
  });
  expect(ids).toEqual([...ten.slice(0, 3), ...ten]);
  expect(complete).toBe(true);
});
