import { expect, test } from 'vitest';
import { begunAfter, readFirstPage, readList, readPages } from '../../../../suites/records/list-reading.ts';
import { send } from '../../../../suites/session/send.ts';
import { testSession } from '../../test-session.ts';

const list = 'GET /v1/agents';

/** A workspace that answers everything, with two pages of agents; `sent` are the calls that it got. */
function open() {
  const sent: string[] = [];
  const session = testSession('workspace', {
    env: { WRITES: 'all' },
    transport: async ({ method, url }) => {
      const { pathname, searchParams } = new URL(url);
      sent.push(`${method} ${pathname}`);
      const isSecond = searchParams.has('cursor');
      const page = { data: [{ id: isSecond ? 'agent_b' : 'agent_a' }], next_cursor: isSecond ? null : 'more' };
      return {
        status: 200,
        headers: [['Content-Type', 'application/json']],
        body: Buffer.from(JSON.stringify(page)),
      };
    },
  });
  return { session, sent };
}

test('simultaneous reads share their calls', async () => {
  const { session, sent } = open();
  const reuse = begunAfter(session);
  const [one, other] = await Promise.all([readPages(session, list, { reuse }), readPages(session, list, { reuse })]);
  expect(one).toHaveLength(2);
  expect(other).toEqual(one);
  expect(sent).toEqual([list, list]);
});

test('a page is read only when it is needed', async () => {
  const { session, sent } = open();
  const first = await readFirstPage(session, list, { reuse: () => true });
  expect(sent).toEqual([list]);
  expect((await readPages(session, list, { reuse: () => true }))[0]).toBe(first);
  expect(sent).toEqual([list, list]);
});

test('a read that began before the answer to a call does not show what the call did', async () => {
  const { session } = open();
  const early = await readList(session, list);
  const write = await send(session, 'POST /v1/agents', { body: {} });
  const later = await readList(session, list, { reuse: begunAfter(session, write) });
  expect(later).not.toBe(early);
  expect(await readList(session, list, { reuse: begunAfter(session, write) })).toBe(later);
});

test('a caller that accepts no earlier read gets a new one', async () => {
  const { session } = open();
  expect(await readList(session, list)).not.toBe(await readList(session, list));
});
