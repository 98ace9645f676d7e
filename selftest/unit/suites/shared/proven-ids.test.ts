import { expect, test } from 'vitest';
import { handlerTransport } from '../../../../suites/session/handler-transport.ts';
import { createRecord } from '../../../../suites/shared/records.ts';
import { testSession } from '../../test-session.ts';

interface Kept {
  readonly json: object;
  /** What a path has to hold, decoded. */
  readonly id: string;
  readonly location?: string;
}

/** A deployment whose agents look so: creates, reads, and a list of them all. */
function deploymentOf(keep: (number: number, name: string) => Kept) {
  const all: Kept[] = [];
  return handlerTransport(async (request) => {
    const path = new URL(request.url).pathname.replace(/^\/v1\/agents\/?/, '');
    if (request.method === 'POST') {
      const kept = keep(4821 + 37 * all.length, ((await request.json()) as { name: string }).name);
      all.push(kept);
      const headers = kept.location === undefined ? {} : { Location: kept.location };
      return Response.json(kept.json, { status: 201, headers });
    }
    const found = all.find(({ id }) => id === decodeURIComponent(path));
    return path === ''
      ? Response.json({ agents: all.map(({ json }) => json) })
      : Response.json(found?.json ?? { error: { code: 'not_found' } }, { status: found === undefined ? 404 : 200 });
  });
}

const random = (number: number): string => `Xk${number}qTz7Rw`;

test.for<[string, (number: number, name: string) => Kept]>([
  ['stands in id', (number, name) => ({ json: { id: random(number), name }, id: random(number) })],
  ['ends a path', (number, name) => ({ json: { id: `agents/${random(number)}`, name }, id: random(number) })],
  ['is a path', (number, name) => ({ json: { id: `agents/${random(number)}`, name }, id: `agents/${random(number)}` })],
  [
    'stands beside the number of a row',
    (number, name) => ({ json: { id: number, uid: random(number), name }, id: random(number) }),
  ],
  [
    "stands beside its owner's",
    (number, name) => ({ json: { id: random(number), owner: { id: 'usr_2360' }, name }, id: random(number) }),
  ],
  [
    'stands in Location alone',
    (number, name) => ({ json: { name }, id: random(number), location: `/v1/agents/${random(number)}` }),
  ],
])('the id that %s is proven, of the first record and of the next', async ([, keep]) => {
  const session = testSession('workspace', { transport: deploymentOf(keep), env: { WRITES: 'all' } });
  for (const [index, tag] of ['conformance-aaaa1111', 'conformance-bbbb2222'].entries()) {
    const { id } = await createRecord(session, '/v1/agents', { tag, body: { name: tag } });
    expect(id).toBe(keep(4821 + 37 * index, tag).id);
  }
});

test("the id of somebody else's record, which a read shows, is not taken for the new one's", async () => {
  const theirs = { id: random(1), name: 'Front desk' };
  const transport = handlerTransport(({ method, url }) => {
    const isList = url.endsWith('/v1/agents');
    return method === 'POST'
      ? Response.json({ id: theirs.id }, { status: 201 })
      : Response.json(isList ? { agents: [theirs] } : theirs, {
          status: isList || url.endsWith(theirs.id) ? 200 : 404,
        });
  });
  const session = testSession('workspace', { transport, env: { WRITES: 'all' } });
  const tag = 'conformance-aaaa1111';
  expect((await createRecord(session, '/v1/agents', { tag, body: { name: tag } })).id).toBeUndefined();
});

test('a number that clashes with none teaches where ids stand; a later one that clashes is not used', async () => {
  const rows: object[] = [{ id: 3, uid: 901, title: 'Renewal' }];
  const transport = handlerTransport(async (request) => {
    if (request.method === 'POST') {
      const { title } = (await request.json()) as { title: string };
      rows.push({ id: 899 + rows.length, uid: 49 + rows.length, title });
      return Response.json(rows.at(-1), { status: 201 });
    }
    return Response.json({ bookings: rows, total: rows.length });
  });
  const session = testSession('workspace', { transport, env: { WRITES: 'all' } });
  const made: unknown[] = [];
  for (const tag of ['conformance-aaaa1111', 'conformance-bbbb2222']) {
    const { id, otherIds } = await createRecord(session, '/v1/bookings', { tag, body: { title: tag } });
    made.push([id, otherIds]);
  }
  expect(made).toEqual([
    ['900', ['50']],
    ['51', []],
  ]);
});
