import { expect, test } from 'vitest';
import { endpointOf } from '../../../../contract/endpoints.ts';
import { pagesOf } from '../../../../suites/records/pages.ts';
import { callOf } from '../../../../suites/session/call.ts';
import { mainKey } from '../../../../suites/session/keys.ts';
import { handlerTransport } from '../../../../suites/session/transport/handler-transport.ts';
import { testSession } from '../../test-session.ts';

type Query = Readonly<Record<string, string>>;
const numbered = (name: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${name}_${at}`);
const ten = numbered('row', 10);

/** A list in pages, and what is read of it. The looks of lists in the proof show the usual ways to the next page. */
interface Case {
  readonly says: string;
  /** Where a query's page begins. */
  readonly offset: (query: Query) => number;
  /** The fields and headers beside the rows of a page. */
  readonly paging?: (offset: number) => Readonly<Record<string, unknown>>;
  readonly headers?: (offset: number) => Readonly<Record<string, string>>;
  /** Rows on a page. */
  readonly size?: number;
  /** All rows; those of later requests, if the list changes. */
  readonly rows?: readonly string[];
  readonly later?: readonly string[];
  readonly reads: readonly string[];
  readonly isComplete: boolean;
  readonly requests?: number;
}

const byPage = ({ page = '1' }: Query): number => (Number(page) - 1) * 3;
const byOffset = ({ offset = '0' }: Query): number => Number(offset);
const [many, added] = [numbered('row', 38), numbered('new', 3)];
const at = (...places: readonly number[]): string[] => places.map((place) => `row_${place}`);

const cases: readonly Case[] = [
  {
    says: 'the header X-Next-Page, as of GitLab',
    offset: byPage,
    headers: (offset) => ({ 'X-Next-Page': offset < 9 ? String(offset / 3 + 2) : '' }),
    ...{ reads: ten, isComplete: true, requests: 4 },
  },
  {
    says: 'a total, and the parameter offset, before which `page` is tried once',
    offset: byOffset,
    paging: (offset) => ({ total: 10, limit: 3, offset }),
    ...{ reads: ten, isComplete: true, requests: 5 },
  },
  {
    says: 'a flag alone: the next page cannot be had',
    offset: () => 0,
    paging: () => ({ has_more: true }),
    ...{ reads: ten.slice(0, 3), isComplete: false },
  },
  {
    says: 'links with an offset: of a long list the last page is read next',
    offset: byOffset,
    paging: (offset) => ({ count: 38, next: offset < 36 ? `/v1/agents?limit=3&offset=${offset + 3}` : null }),
    rows: many,
    ...{ reads: [...at(0, 1, 2, 35, 36, 37), ...many.slice(3, 21)], isComplete: false },
  },
  {
    says: 'page numbers: of a long list the last page is read next',
    offset: byPage,
    paging: (offset) => ({ page: offset / 3 + 1, pages: 13 }),
    rows: many,
    ...{ reads: [...at(0, 1, 2, 36, 37), ...many.slice(3, 21)], isComplete: false },
  },
  {
    says: 'nothing: a full page is followed by page=2, and on as long as that brings rows',
    offset: ({ page = '1' }) => (Number(page) - 1) * 10,
    size: 10,
    rows: numbered('row', 45),
    ...{ reads: numbered('row', 45), isComplete: false, requests: 6 },
  },
  {
    says: 'nothing, and page=2 is ignored: the page is all that is read',
    offset: () => 0,
    size: 10,
    rows: numbered('row', 45),
    ...{ reads: ten, isComplete: false, requests: 2 },
  },
  {
    says: 'a total that grows: an ignored parameter is not taken for the next page',
    offset: byOffset,
    paging: () => ({ total: 11 }),
    later: ['row_new', ...ten],
    ...{ reads: [...ten.slice(0, 3), 'row_2', ...ten.slice(3)], isComplete: true },
  },
  {
    says: 'a cursor to known rows, which new ones moved there: they are read again',
    offset: ({ cursor = '0' }) => Number(cursor),
    paging: (offset) => ({ next_cursor: offset + 3 < 13 ? String(offset + 3) : null }),
    later: [...added, ...ten],
    ...{ reads: [...ten.slice(0, 3), ...ten], isComplete: true },
  },
];

test.each(cases)('a list shows how it goes on by $says', async ({ says: _, reads, isComplete, requests, ...list }) => {
  let asked = 0;
  const transport = handlerTransport(({ url }) => {
    const { rows = ten, later = rows, size = 3, paging = () => ({}), headers = () => ({}) } = list;
    const offset = list.offset(Object.fromEntries(new URL(url).searchParams));
    asked += 1;
    const data = (asked === 1 ? rows : later).slice(offset, offset + size).map((id) => ({ id }));
    return Response.json({ data, ...paging(offset) }, { headers: headers(offset) });
  });
  const { client, ...session } = testSession('workspace', { transport });
  const call = callOf(endpointOf('GET /v1/agents'), mainKey(session));
  const ids: string[] = [];
  let complete = false;
  for await (const page of pagesOf(client, call, await client.send(call))) {
    complete = page.complete;
    ids.push(...(page.answer.json as { data: { id: string }[] }).data.map(({ id }) => id));
  }
  expect([ids, complete, requests ?? asked]).toEqual([reads, isComplete, asked]);
});
