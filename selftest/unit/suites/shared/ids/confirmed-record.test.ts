import { expect, test } from 'vitest';
import { handlerTransport } from '../../../../../suites/session/transport/handler-transport.ts';
import { createRecord } from '../../../../../suites/shared/records.ts';
import { testSession } from '../../../test-session.ts';
import { noneBefore } from './none-before.ts';

const tag = 'conformance-aaaa1111';
const [own, other] = ['Xk6IlsJq3C28e70hxqTz', 'Ld93kQz71RbW0pVm55tY'];
const title = `Demo ${tag}`;
const token = '9f86d081884c7d659a2feaa0c55ad015';

test.for<[string, [agent: object, agentId: string], booking: object, (string | undefined)[]]>([
  [
    'is used first',
    [{ code: other, reference: token }, other],
    { reference: 'Rf4Kq0Zs8Yd2Hn6Jb3Vc', code: own },
    [own, 'Rf4Kq0Zs8Yd2Hn6Jb3Vc'],
  ],
  [
    'is not used if it can be the number of another booking',
    [{ code: 7 }, '7'],
    { number: 4821, code: 12 },
    [undefined],
  ],
])(
  'of two ids, the one in the field that a read of an agent confirms %s',
  async ([, [agent, agentId], booking, ids]) => {
    const transport = handlerTransport(({ method, url }) => {
      const record = { ...(url.includes('agents') ? agent : booking), title };
      const isList = method === 'GET' && !url.endsWith(`/${agentId}`);
      return Response.json(isList ? { rows: [record], has_more: agentId === '7' } : record);
    });
    const session = testSession('workspace', { transport: noneBefore(transport), env: { WRITES: 'all' } });
    const confirmedRecord = () => createRecord(session, '/v1/agents', { tag, body: { title } });
    const { id, otherIds } = await createRecord(session, '/v1/bookings', { tag, body: { title }, confirmedRecord });
    expect([id, ...otherIds]).toEqual(ids);
  },
);

test.for([
  ['', false],
  [', though agents have their ids in that field', true],
] as const)(
  'a number without a conflict shows the place of ids; a later one with a conflict is not used%s',
  async ([, hasAgents]) => {
    const rows: object[] = [{ id: 3, uid: 901, title: 'Renewal' }];
    const agent = { id: 7, title };
    const transport = handlerTransport(async (request) => {
      if (request.url.includes('agents')) {
        return Response.json(request.method === 'POST' || request.url.endsWith('/7') ? agent : { agents: [agent] });
      }
      if (request.method === 'POST') {
        rows.push({ id: 899 + rows.length, uid: 49 + rows.length, ...((await request.json()) as object) });
        return Response.json(rows.at(-1), { status: 201 });
      }
      return Response.json({ bookings: rows, total: rows.length });
    });
    const session = testSession('workspace', { transport: noneBefore(transport), env: { WRITES: 'all' } });
    const confirmedRecord = async () =>
      hasAgents ? createRecord(session, '/v1/agents', { tag, body: { title } }) : null;
    const made: unknown[] = [];
    for (const one of ['conformance-bbbb2222', 'conformance-cccc3333']) {
      const { id, otherIds } = await createRecord(session, '/v1/bookings', {
        tag: one,
        body: { title: one },
        confirmedRecord,
      });
      made.push([id, otherIds]);
    }
    expect(made).toEqual([
      ['900', ['50']],
      ['51', []],
    ]);
  },
);

test('of a webhook, which no call reads, the whole URL is the id, as it is of an agent', async () => {
  const agent = { id: `https://api.example.test/v1/agents/${own}`, name: tag };
  const webhook = {
    id: `https://api.example.test/v1/webhooks/${other}`,
    url: 'https://inbox.test/conformance-bbbb2222',
  };
  const transport = handlerTransport(({ method, url }) => {
    const [shown, list] = url.includes('/v1/agents')
      ? [agent, { agents: [agent] }]
      : [webhook, { webhooks: [webhook] }];
    const isThere = url.endsWith(`/${encodeURIComponent(agent.id)}`) || /(agents|webhooks)$/.test(url);
    const isList = method === 'GET' && /(agents|webhooks)$/.test(url);
    return Response.json(isList ? list : shown, { status: method === 'POST' ? 201 : isThere ? 200 : 404 });
  });
  const session = testSession('workspace', { transport: noneBefore(transport), env: { WRITES: 'all' } });
  const first = await createRecord(session, '/v1/agents', { tag, body: { name: tag } });
  expect(first.id).toBe(agent.id);
  const registered = { tag: 'conformance-bbbb2222', body: { url: webhook.url }, confirmedRecord: async () => first };
  expect((await createRecord(session, '/v1/webhooks', registered)).id).toBe(webhook.id);
});
