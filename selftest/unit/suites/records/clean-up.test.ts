import { expect, test } from 'vitest';
import { createReference } from '../../../../fixtures/reference/deployment.ts';
import { parseSettings } from '../../../../settings/settings.ts';
import { developerApi } from '../../../../suites/developer/api.ts';
import { cleanUpLedgers } from '../../../../suites/records/left-ledgers.ts';
import type { Intent } from '../../../../suites/session/ledger/ledger.ts';
import { leftLedgers, openLedger } from '../../../../suites/session/ledger/ledger-file.ts';
import { handlerTransport } from '../../../../suites/session/transport/handler-transport.ts';
import { workspaceApi } from '../../../../suites/workspace/api.ts';
import { newFolder } from '../../../new-folder.ts';
import { createVirtualClock } from '../../../virtual-clock.ts';

const origin = 'http://developer.example';
const workspaceOrigin = 'http://workspace.example';
const keys: Omit<Intent, 'tag'> = {
  api: 'developer',
  origin,
  collection: '/api/v1/developer/keys',
  keySetting: 'SANDBOX_API_KEY',
};
const agents: Omit<Intent, 'tag'> = {
  api: 'workspace',
  origin: workspaceOrigin,
  collection: '/v1/agents',
  keySetting: 'WORKSPACE_API_KEY',
};

/** A reference deployment, an empty folder of ledgers, and a cleanup with these settings. */
function setUp(choices: Readonly<Record<string, string>> = {}) {
  const clock = createVirtualClock();
  const reference = createReference({ clock, choices, deliver: () => Promise.resolve({ status: 200 }) });
  const folder = newFolder();
  const transport = handlerTransport((request) =>
    (request.url.startsWith(origin) ? reference.developer : reference.workspace).fetch(request),
  );
  const env = { ...reference.settings, BASE_URL: origin, WORKSPACE_API_URL: workspaceOrigin };
  const call = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const workspace = path.startsWith('/v1');
    const headers = {
      'Content-Type': 'application/json',
      'X-API-Key': reference.settings.SANDBOX_API_KEY ?? '',
      Authorization: `Bearer ${reference.settings.WORKSPACE_API_KEY}`,
    };
    const request = new Request(`${workspace ? workspaceOrigin : origin}${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return (await (await (workspace ? reference.workspace : reference.developer).fetch(request)).json()) as Record<
      string,
      unknown
    >;
  };
  const makeKey = async (name: string): Promise<string> => {
    const { data } = (await call('POST', '/api/v1/developer/keys', {
      name,
      environment: 'sandbox',
      scopes: ['ads:read'],
    })) as { data: { id: string } };
    return data.id;
  };
  const run = async (changes: Record<string, string> = {}): Promise<readonly string[]> => {
    const settings = parseSettings({ ...env, ...changes });
    const apis = { developer: developerApi, workspace: workspaceApi };
    const cleaned = await cleanUpLedgers(leftLedgers(folder), folder, { apis, settings, clock, transport });
    return cleaned.map(({ end, entry: { collection, id, tag }, why }) => `${end} ${collection}/${id ?? tag} ${why}`);
  };
  const left = async (): Promise<string> =>
    JSON.stringify([await call('GET', '/api/v1/developer/keys'), await call('GET', '/v1/agents')]);
  return { folder, ...openLedger('run-1', folder), call, makeKey, run, left };
}

test('records that a run left are deleted, with or without a known id, and nothing else', async () => {
  const { folder, ledger, close, call, makeKey, run, left } = setUp();
  ledger.identify(ledger.intend({ ...keys, tag: 'tag-1 known' }), await makeKey('tag-1 known'));
  ledger.intend({ ...keys, tag: 'tag-1 unknown' });
  await makeKey('tag-1 unknown');
  ledger.intend({ ...keys, tag: 'tag-1 never made' });
  ledger.intend({ ...agents, tag: 'tag-1-07' });
  await call('POST', '/v1/agents', { name: 'Receptionist tag-1-07' });
  close();
  await makeKey("the user's own");
  expect((await run()).map((line) => line.split(' ')[0])).toEqual(['deleted', 'gone', 'deleted', 'deleted']);
  expect(await left()).not.toContain('tag-1');
  expect(await left()).toContain("the user's own");
  expect(leftLedgers(folder)).toEqual([]);
});

test.for<[string, Record<string, string>, RegExp]>([
  [
    'of another deployment',
    { BASE_URL: 'http://elsewhere.example' },
    /^left .*set BASE_URL to http:\/\/developer\.example/,
  ],
  ['whose key is not set', { SANDBOX_API_KEY: '' }, /^left .*set SANDBOX_API_KEY/],
  ['that WRITES does not allow to delete', { WRITES: 'none' }, /^left .*\(now: none\)/],
  ['that another key may not delete', { SANDBOX_API_KEY: 'svc_test_neverIssued0123' }, /^left .*got 401/],
])('a record %s stays in the ledger, with what to do', async ([, changes, says]) => {
  const { folder, ledger, close, makeKey, run, left } = setUp();
  ledger.identify(ledger.intend({ ...keys, tag: 'tag-1' }), await makeKey('tag-1'));
  close();
  expect(await run(changes)).toEqual([expect.stringMatching(says)]);
  expect(await left()).toContain('tag-1');
  expect(leftLedgers(folder)).toEqual(['run-1']);
  expect(await run()).toEqual([expect.stringMatching(/^deleted/)]);
});

test.for([
  ['key', keys, 'key_0123456789abcdefghijklmn'],
  ['agent', agents, 'agent_0123456789abcdefghijklmn'],
] as const)('a new %s whose answer showed another id is found by its words and deleted', async ([, intent, id]) => {
  const { folder, ledger, close, call, makeKey, run, left } = setUp();
  ledger.identify(ledger.intend({ ...intent, tag: 'tag-1' }), id);
  await (intent === keys ? makeKey('tag-1') : call('POST', '/v1/agents', { name: 'Receptionist tag-1' }));
  close();
  expect((await run()).map((line) => line.split(' ')[0])).toEqual(['deleted']);
  expect(await left()).not.toContain('tag-1');
  expect(leftLedgers(folder)).toEqual([]);
});

test('of two records with the same words, neither is deleted', async () => {
  const { ledger, close, makeKey, run, left } = setUp();
  ledger.intend({ ...keys, tag: 'twice' });
  close();
  await makeKey('twice');
  await makeKey('twice');
  expect(await run()).toEqual([expect.stringMatching(/^left .*2 listed records contain "twice"/)]);
  expect(await left()).toContain('twice');
});

test.for<[string, readonly string[], RegExp, readonly string[]]>([
  ['the words as sent', ['tag-1', 'tag-1 (copy)'], /^deleted/, ['tag-1 (copy)']],
  ['the words in another spelling', ['tag-1 (copy)', 'Tag_1'], /^deleted/, ['tag-1 (copy)']],
  ['an addition, as another record', ['team/tag-1', 'tag-1 (copy)'], /^left/, ['team/tag-1', 'tag-1 (copy)']],
])('of records with the words, the one with %s', async ([, names, says, stay]) => {
  const { ledger, close, makeKey, call, run } = setUp();
  ledger.intend({ ...keys, tag: 'tag-1' });
  close();
  for (const name of names) {
    await makeKey(name);
  }
  expect(await run()).toEqual([expect.stringMatching(says)]);
  const { data } = (await call('GET', '/api/v1/developer/keys')) as { data: { keys: { name: string }[] } };
  expect(data.keys.flatMap(({ name }) => (/tag.1/i.test(name) ? [name] : []))).toEqual(stay);
});

test('a record that is already gone counts as deleted, and one that the API cannot delete is reported', async () => {
  const { ledger, close, makeKey, call, run } = setUp();
  const id = await makeKey('tag-1');
  ledger.identify(ledger.intend({ ...keys, tag: 'tag-1' }), id);
  ledger.identify(ledger.intend({ ...agents, collection: '/v1/leads', tag: 'tag-2' }), 'lead-1');
  close();
  await call('DELETE', `/api/v1/developer/keys/${id}`);
  expect(await run()).toEqual([
    expect.stringMatching(/^left .*leads\/lead-1 the API cannot delete it/),
    expect.stringMatching(/^gone/),
  ]);
});

const bookings: Omit<Intent, 'tag'> = { ...agents, collection: '/v1/bookings' };
const monday = '2031-03-03T09:00:00Z';

test('a booking that shows none of its words is recognised by the lead and the time of its body', async () => {
  const { ledger, close, call, run } = setUp();
  const { id: lead } = await call('POST', '/v1/leads', { name: 'Ann tag-1' });
  const fingerprint = { references: [{ name: 'lead_id', id: String(lead) }], times: [Date.parse(monday)] };
  ledger.intend({ ...bookings, tag: 'tag-2', fingerprint });
  close();
  const { id } = await call('POST', '/v1/bookings', { lead_id: lead, scheduled_at: monday });
  const others = [
    { lead_id: lead, scheduled_at: '2031-03-04T09:00:00Z' },
    { lead_id: 'lead of another', scheduled_at: monday },
  ];
  await Promise.all(others.map((body) => call('POST', '/v1/bookings', body)));
  expect(await run()).toEqual([expect.stringMatching(/^deleted/)]);
  const { data } = (await call('GET', '/v1/bookings')) as {
    data: { id: string; status: string; scheduled_at?: string }[];
  };
  const made = data.filter(({ scheduled_at }) => scheduled_at !== undefined);
  expect(made.filter(({ status }) => status === 'cancelled')).toEqual([expect.objectContaining({ id })]);
  expect(made).toHaveLength(3);
});

test('a record that was accepted but is not found counts as left, not as gone', async () => {
  const { folder, ledger, close, run } = setUp();
  ledger.accept(ledger.intend({ ...bookings, tag: 'tag-1' }));
  close();
  expect(await run()).toEqual([expect.stringMatching(/^left .*tag-1 its id is not certain/)]);
  expect(leftLedgers(folder)).toEqual(['run-1']);
});
