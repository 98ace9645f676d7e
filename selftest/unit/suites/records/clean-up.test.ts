import { expect, test } from 'vitest';
import { createReference } from '../../../../fixtures/reference/deployment.ts';
import { parseSettings } from '../../../../settings/settings.ts';
import { developerApi } from '../../../../suites/developer/api.ts';
import { cleanUpLedgers } from '../../../../suites/records/left-ledgers.ts';
import type { Intent, Ledger } from '../../../../suites/session/ledger/ledger.ts';
import { leftLedgers, openLedger } from '../../../../suites/session/ledger/ledger-file.ts';
import { handlerTransport } from '../../../../suites/session/transport/handler-transport.ts';
import { workspaceApi } from '../../../../suites/workspace/api.ts';
import { newFolder } from '../../../new-folder.ts';
import { createVirtualClock } from '../../../virtual-clock.ts';

const origins = { BASE_URL: 'http://developer.example', WORKSPACE_API_URL: 'http://workspace.example' };
const inWorkspace = (collection: string): Omit<Intent, 'tag'> => {
  const origin = origins.WORKSPACE_API_URL;
  return { api: 'workspace', origin, collection, keySetting: 'WORKSPACE_API_KEY' };
};
const [agents, leads, bookings] = [inWorkspace('/v1/agents'), inWorkspace('/v1/leads'), inWorkspace('/v1/bookings')];
const keys: Omit<Intent, 'tag'> = {
  ...{ api: 'developer', origin: origins.BASE_URL, collection: '/api/v1/developer/keys' },
  keySetting: 'SANDBOX_API_KEY',
};

/** A reference deployment, the ledger of an earlier run, and a clean-up. */
function setUp() {
  const clock = createVirtualClock();
  const { developer, workspace, settings } = createReference({ clock, deliver: async () => ({ status: 200 }) });
  const apiOf = (path: string) => (path.startsWith('/v1') ? workspace : developer);
  const transport = handlerTransport((request) => apiOf(new URL(request.url).pathname).fetch(request));
  const call = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const headers = {
      'Content-Type': 'application/json',
      'X-API-Key': settings.SANDBOX_API_KEY ?? '',
      Authorization: `Bearer ${settings.WORKSPACE_API_KEY}`,
    };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return (await (await apiOf(path).fetch(new Request(`http://any.example${path}`, init))).json()) as never;
  };
  const folder = newFolder();
  return {
    call,
    ledgers: () => leftLedgers(folder),
    /** Makes keys with these names. Resolves with their ids. */
    async makeKeys(...names: readonly string[]): Promise<string[]> {
      const ids: string[] = [];
      for (const name of names) {
        const made = await call('POST', keys.collection, { name, environment: 'sandbox', scopes: ['ads:read'] });
        ids.push((made.data as { id: string }).id);
      }
      return ids;
    },
    /** The names of keys and agents that exist, but for those that were there at first. */
    existing: () => [...developer.made(), ...workspace.made()].map(({ text }) => /"name":"([^"]*)"/.exec(text)?.[1]),
    /** Writes the ledger, and closes it. */
    note(write: (ledger: Ledger) => void): void {
      const { ledger, close } = openLedger('run-1', folder);
      write(ledger);
      close();
    },
    /** Cleans up. Resolves with what became of each record. */
    async run(changes: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
      const parsed = parseSettings({ ...settings, ...origins, ...changes });
      const parts = { apis: { developer: developerApi, workspace: workspaceApi }, settings: parsed, clock, transport };
      const cleaned = await cleanUpLedgers(leftLedgers(folder), folder, parts);
      return cleaned.map(({ end, entry: { collection, id, tag }, why }) => `${end} ${collection}/${id ?? tag} ${why}`);
    },
  };
}

test('records that a run left are deleted, with or without a known id, and nothing else', async () => {
  const { note, call, makeKeys, run, existing, ledgers } = setUp();
  const [known = ''] = await makeKeys('tag-1 known', 'tag-1 unknown', "the user's own");
  await call('POST', agents.collection, { name: 'Receptionist tag-1-07' });
  note((ledger) => {
    ledger.identify(ledger.intend({ ...keys, tag: 'tag-1 known' }), known);
    ledger.intend({ ...keys, tag: 'tag-1 unknown' });
    ledger.intend({ ...keys, tag: 'tag-1 never made' });
    ledger.intend({ ...agents, tag: 'tag-1-07' });
  });
  expect((await run()).map((line) => line.split(' ')[0])).toEqual(['deleted', 'gone', 'deleted', 'deleted']);
  expect([existing(), ledgers()]).toEqual([["the user's own"], []]);
});

test.for<[string, Record<string, string>, RegExp]>([
  ['of another deployment', { BASE_URL: 'http://elsewhere.example' }, /set BASE_URL to http:\/\/developer\.example/],
  ['whose key is not set', { SANDBOX_API_KEY: '' }, /set SANDBOX_API_KEY/],
  ['that WRITES does not allow to delete', { WRITES: 'none' }, /\(now: none\)/],
  ['that another key may not delete', { SANDBOX_API_KEY: 'svc_test_neverIssued0123' }, /got 401/],
])('a record %s stays in the ledger, with what to do', async ([, changes, says]) => {
  const { note, makeKeys, run, existing, ledgers } = setUp();
  const [id = ''] = await makeKeys('tag-1');
  note((ledger) => ledger.identify(ledger.intend({ ...keys, tag: 'tag-1' }), id));
  expect(await run(changes)).toEqual([expect.stringMatching(new RegExp(`^left .*${says.source}`))]);
  expect([existing(), ledgers()]).toEqual([['tag-1'], ['run-1']]);
  expect(await run()).toEqual([expect.stringMatching(/^deleted/)]);
});

test.for([
  ['key', keys, 'key_0123456789abcdefghijklmn'],
  ['agent', agents, 'agent_0123456789abcdefghijklmn'],
] as const)('a new %s whose answer showed another id is found by its words and deleted', async ([, intent, id]) => {
  const { note, call, makeKeys, run, existing, ledgers } = setUp();
  note((ledger) => ledger.identify(ledger.intend({ ...intent, tag: 'tag-1' }), id));
  await (intent === keys ? makeKeys('tag-1') : call('POST', '/v1/agents', { name: 'Receptionist tag-1' }));
  expect(await run()).toEqual([expect.stringMatching(/^deleted/)]);
  expect([existing(), ledgers()]).toEqual([[], []]);
});

test.for<[string, readonly string[], RegExp, readonly string[]]>([
  ['the words as sent', ['tag-1', 'tag-1 (copy)'], /^deleted/, ['tag-1 (copy)']],
  ['the words in another spelling', ['tag-1 (copy)', 'Tag_1'], /^deleted/, ['tag-1 (copy)']],
  ['an addition, as another record', ['team/tag-1', 'tag-1 (copy)'], /^left/, ['team/tag-1', 'tag-1 (copy)']],
  ['the same words as another', ['tag-1', 'tag-1'], /^left .*2 listed records contain "tag-1"/, ['tag-1', 'tag-1']],
])('of records with the words, the one with %s', async ([, names, says, stay]) => {
  const { note, makeKeys, existing, run } = setUp();
  note((ledger) => void ledger.intend({ ...keys, tag: 'tag-1' }));
  await makeKeys(...names);
  expect(await run()).toEqual([expect.stringMatching(says)]);
  expect(existing()).toEqual(stay);
});

test('a record that is gone counts as deleted, and one that the API cannot delete, or that is not found, as left', async () => {
  const { note, makeKeys, call, run, ledgers } = setUp();
  const [id = ''] = await makeKeys('tag-1');
  note((ledger) => {
    ledger.identify(ledger.intend({ ...keys, tag: 'tag-1' }), id);
    ledger.identify(ledger.intend({ ...leads, tag: 'tag-2' }), 'lead-1');
    ledger.accept(ledger.intend({ ...bookings, tag: 'tag-3' }));
  });
  await call('DELETE', `${keys.collection}/${id}`);
  expect(await run()).toEqual([
    expect.stringMatching(/^left .*tag-3 its id is not certain/),
    expect.stringMatching(/^left .*leads\/lead-1 the API cannot delete it/),
    expect.stringMatching(/^gone/),
  ]);
  expect(ledgers()).toEqual(['run-1']);
});

test('a booking that shows none of its words is recognised by the lead and the time of its body', async () => {
  const { note, call, run } = setUp();
  const { id: lead } = await call('POST', '/v1/leads', { name: 'Ann tag-1' });
  const monday = '2031-03-03T09:00:00Z';
  const fingerprint = { references: [{ name: 'lead_id', id: String(lead) }], times: [Date.parse(monday)] };
  note((ledger) => void ledger.intend({ ...bookings, tag: 'tag-2', fingerprint }));
  const { id } = await call('POST', '/v1/bookings', { lead_id: lead, scheduled_at: monday });
  await call('POST', '/v1/bookings', { lead_id: lead, scheduled_at: '2031-03-04T09:00:00Z' });
  await call('POST', '/v1/bookings', { lead_id: 'lead of another', scheduled_at: monday });
  expect(await run()).toEqual([expect.stringMatching(/^deleted/)]);
  const { data } = (await call('GET', '/v1/bookings')) as { data: Record<string, string>[] };
  const made = data.filter(({ scheduled_at }) => scheduled_at !== undefined);
  expect(made.filter(({ status }) => status === 'cancelled')).toEqual([expect.objectContaining({ id })]);
  expect(made).toHaveLength(3);
});
