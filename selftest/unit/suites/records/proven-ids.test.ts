import { expect, test } from 'vitest';
import { createRecord } from '../../../../suites/records/own.ts';
import { handlerTransport } from '../../../../suites/session/transport/handler-transport.ts';
import type { Transport } from '../../../../suites/session/transport/transport.ts';
import { testKeys, testSession } from '../../test-session.ts';

/** A deployment whose lists are empty until a record of theirs was created. */
function noneBefore(transport: Transport): Transport {
  const created = new Set<string>();
  return async (request, bounds) => {
    const { pathname } = new URL(request.url);
    const isList = request.method === 'GET' && /(agents|leads|bookings|webhooks|keys)$/.test(pathname);
    if (request.method === 'POST') {
      created.add(pathname);
    }
    const answer = await transport(request, bounds);
    return isList && !created.has(pathname) ? { ...answer, status: 200, body: Buffer.from('{"rows": []}') } : answer;
  };
}

interface Kept {
  readonly json: object;
  /** The decoded id that a path must contain. */
  readonly id: string;
  readonly location?: string;
}

/** A deployment whose agents look like this in creates, reads and lists. */
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

/** What agents show besides their name, and their Location, each for an id. */
test.for<[string, (id: string, number: number) => object, ((id: string) => string)?]>([
  ['is in the field id', (id) => ({ id })],
  ['ends a path', (id) => ({ id: `agents/${id}` })],
  ['is next to the number of a row', (uid, id) => ({ id, uid })],
  ["is next to its owner's", (id) => ({ id, owner: { id: 'usr_2360' } })],
  ['is only in Location', () => ({}), (id) => `/v1/agents/${id}`],
  [
    'is only in Location, below a base path of the same name',
    () => ({}),
    (id) => `https://api.example.test/agents/v1/agents/${id}/?at=/agents/none`,
  ],
])('the id that %s is proven, of the first record and of the next', async ([, shows, location]) => {
  const keep = (number: number, name: string): Kept => {
    const id = random(number);
    return { json: { ...shows(id, number), name }, id, ...(location && { location: location(id) }) };
  };
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
  const { id } = await createRecord(session, '/v1/agents', { tag, body: { name: tag } });
  expect(id).toBe(theirs.id);
  expect(session.writeGuard.allows('/v1/agents', theirs.id)).toBe(false);
});

const tag = 'conformance-aaaa1111';
const [own, other] = ['Xk6IlsJq3C28e70hxqTz', 'Ld93kQz71RbW0pVm55tY'];
const title = `Demo ${tag}`;
const token = '9f86d081884c7d659a2feaa0c55ad015';

/** The answer to a create, and the record's row in the list, if it is listed. */
interface Shown {
  readonly collection: string;
  readonly created: object;
  readonly row?: object;
  readonly body?: object;
  /** Where `shapes` in BODIES say that the id stands. */
  readonly told?: string;
}

/** The proven id of a record that no call reads; the list also shows another record. */
async function provenId({ collection, created, row, body = {}, told }: Shown): Promise<string | undefined> {
  const read = { persona: own, title };
  const transport = handlerTransport(({ method, url }) => {
    const list = [...(row === undefined ? [] : [row]), { id: 'Zz9Yy8Xx7Ww6', title: 'Somebody else' }];
    const isRead = url.endsWith(`/${own}`) || url.endsWith('/usage');
    const shown = method === 'POST' ? created : isRead ? read : { rows: list, has_more: false };
    const data = url.includes('/api/') ? { success: true, data: shown, context: null, error: null } : shown;
    const isThere = method === 'POST' || isRead || url.endsWith(collection);
    return Response.json(data, { status: isThere ? (method === 'POST' ? 201 : 200) : 404 });
  });
  const session = testSession(collection.startsWith('/api/') ? 'developer' : 'workspace', {
    transport: noneBefore(transport),
    env: { WRITES: 'all' },
    shapes: told === undefined ? {} : { [collection.split('/').at(-1) ?? '']: { id: told } },
  });
  session.writeGuard.allow('/v1/leads', other);
  const { id = '' } = await createRecord(session, collection, { tag, body: { title, ...body } });
  return session.writeGuard.allows(collection, id) ? id : undefined;
}

const titled = (shown: object): Pick<Shown, 'created' | 'row'> => ({
  created: { ...shown, title },
  row: { ...shown, title },
});
const secret = { key: 'svc_test_Xk6IlsJq3C28e70hxqTzRw8pLm5VbN', title };
const ending = { last4: 'm5VbN', title };
const ofGuest = { created: { id: own, guest: { id: 'gst_7' } }, body: { title: undefined } };
const subscribed = { collection: '/v1/webhooks', ...titled({ subscription: own, token }) };
const [keys, bookings] = ['/api/v1/developer/keys', '/v1/bookings'];

// What no list or read shows is proven by the name alone under which it stands, if by anything.
test.for<[string, Shown, string | undefined]>([
  ['a token next to the id, under a name that says nothing', subscribed, undefined],
  ['a token next to the id, under a name that the user told', { ...subscribed, told: '/subscription' }, own],
  [
    'an id under a told name, in no list',
    { collection: keys, created: { kennung: own, title }, told: '/kennung' },
    own,
  ],
  ['an id that no list shows', { collection: keys, created: { id: own, title } }, undefined],
  [
    'an id under a told name, which a read shows',
    { collection: '/v1/agents', created: { persona: own, title }, told: '/persona' },
    own,
  ],
  ['an id next to that of a guest only, without words, in no list', { collection: bookings, ...ofGuest }, undefined],
  [
    'an id and a number, both under names that can belong to something else',
    { collection: bookings, ...titled({ number: 4821, code: own }) },
    own,
  ],
  [
    'no id of its own, only that of its agent',
    { collection: bookings, ...titled({ agent: { id: other } }) },
    undefined,
  ],
  [
    'an id under the name token_id, and how its secret ends',
    { collection: keys, created: { token_id: own, ...secret, ...ending }, row: { token_id: own, ...ending } },
    own,
  ],
  ['how its secret ends, and no id', { collection: keys, created: secret, row: ending }, undefined],
  ['the key that created it, and no id', { collection: bookings, ...titled({ key: testKeys.workspace }) }, undefined],
])('of a record that shows %s', async ([, shown, id]) => {
  expect(await provenId(shown)).toBe(id);
});
