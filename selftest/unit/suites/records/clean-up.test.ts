import { expect, test } from 'vitest';
import { createReference } from '../../../../fixtures/reference/deployment.ts';
import { parseSettings } from '../../../../settings/settings.ts';
import { developerApi } from '../../../../suites/developer/api.ts';
import { cleanUpLedgers } from '../../../../suites/records/sweep.ts';
import type { Entry, Ledger } from '../../../../suites/session/ledger/ledger.ts';
import { leftLedgers, openLedger } from '../../../../suites/session/ledger/ledger-file.ts';
import { handlerTransport } from '../../../../suites/session/transport/transport.ts';
import { workspaceApi } from '../../../../suites/workspace/api.ts';
import { newFolder } from '../../../new-folder.ts';
import { createVirtualClock } from '../../../virtual-clock.ts';

const origins = { BASE_URL: 'http://developer.example', WORKSPACE_API_URL: 'http://workspace.example' };
const [keys, agents, leads, bookings] = ['/api/v1/developer/keys', '/v1/agents', '/v1/leads', '/v1/bookings'] as const;

/** What a deployment does otherwise: of its long lists only the first page can be read, and nothing can be deleted. */
interface Odd {
  readonly hasFirstPagesOnly?: boolean;
  readonly refusesDeletions?: boolean;
}

/** A reference deployment, the ledger of an earlier run, and its clean-up. */
function setUp({ hasFirstPagesOnly = false, refusesDeletions = false }: Odd = {}) {
  const clock = createVirtualClock();
  const choices = hasFirstPagesOnly ? { 'workspace-page-size': 'three', 'workspace-stock': 'thirty' } : {};
  const { developer, workspace, settings } = createReference({
    clock,
    choices,
    deliver: async () => ({ status: 200 }),
  });
  const apiOf = (path: string) => (path.startsWith('/v1') ? workspace : developer);
  const transport = handlerTransport((request) => {
    const { pathname, search } = new URL(request.url);
    if (refusesDeletions && request.method === 'DELETE') {
      return new Response('{}', { status: 429, headers: { 'Retry-After': '31536000' } });
    }
    return hasFirstPagesOnly && search !== '' ? new Response('{}', { status: 503 }) : apiOf(pathname).fetch(request);
  });
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
  // It was killed: nothing closes its ledger.
  const { ledger } = openLedger('run-1', folder);
  return {
    call,
    ledger,
    /** Makes a key or an agent with that name. Resolves with its id. */
    async make(collection: string, name: string): Promise<string> {
      const made = await call('POST', collection, { name, environment: 'sandbox', scopes: ['ads:read'] });
      return ((made.data ?? made) as { id: string }).id;
    },
    note(collection: string, tag: string, more: Partial<Entry> = {}): ReturnType<Ledger['intend']> {
      const [api, origin, keySetting] =
        collection === keys
          ? (['developer', origins.BASE_URL, 'SANDBOX_API_KEY'] as const)
          : (['workspace', origins.WORKSPACE_API_URL, 'WORKSPACE_API_KEY'] as const);
      return ledger.intend({ api, origin, keySetting, collection, tag, ...more });
    },
    /** Cleans up. Resolves with what became of each record. */
    async run(changes: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
      const parsed = parseSettings({ ...settings, ...origins, ...changes });
      const parts = { apis: { developer: developerApi, workspace: workspaceApi }, settings: parsed, clock, transport };
      const cleaned = await cleanUpLedgers(
        leftLedgers(folder).map((name) => openLedger(name, folder)),
        parts,
      );
      return cleaned.map(({ end, entry: { collection, id, tag }, why }) => `${end} ${collection}/${id ?? tag} ${why}`);
    },
    /** The names of keys and agents that exist, but for those that were there at first, and the ledgers that are left. */
    now: (): readonly [names: unknown, ledgers: readonly string[]] => [
      [...developer.made(), ...workspace.made()].map(({ text }) => /"name":"([^"]*)"/.exec(text)?.[1]),
      leftLedgers(folder),
    ],
  };
}

const matching = (lines: readonly string[]) => lines.map((line) => expect.stringMatching(new RegExp(`^${line}`)));

/** A line of the ledger; `own` is the id of the record that was made first. */
type Noted = readonly [tag: string, more?: Partial<Entry>];
type Names = readonly string[];

const another = { id: 'key_0123456789abcdefghijklmn' };
const refused: readonly Noted[] = ['t-1', 't-2'].map((tag) => [tag, { refused: true }]);
const byId: readonly Noted[] = [['t-1', { id: 'own' }], ['t-2'], ['t-3']];
const quoting = 'Rejected: t-1, t-2';
const firstPages = { hasFirstPagesOnly: true };

test.for<
  [string, made: Names, noted: readonly Noted[], ends: Names, stay: Names, odd?: Odd & { isOther?: true; in?: string }]
>([
  ['by id and by words, and no others', ['t-1', 't-2', 'mine'], byId, ['gone', 'deleted', 'deleted'], ['mine']],
  ['whose create showed another id', ['t-1'], [['t-1', another]], ['deleted'], []],
  ['whose create did, and that can be read', ['t-1'], [['t-1', another]], ['deleted'], [], { in: agents }],
  ['with the words as sent', ['t-1', 't-1 (copy)'], [['t-1']], ['deleted'], ['t-1 (copy)']],
  ['with the words in another spelling', ['t-1 (copy)', 'T_1'], [['t-1']], ['deleted'], ['t-1 (copy)']],
  ['but none with more than the words', ['team/t-1', 't-1 (copy)'], [['t-1']], ['left'], ['team/t-1', 't-1 (copy)']],
  ['but none of two with the words', ['t-1', 't-1'], [['t-1']], ['left .*2 listed records contain'], ['t-1', 't-1']],
  ['that a refused create made', ['t-1'], refused, ['deleted .*t-1'], [], firstPages],
  ['but none that quotes a refused create', ['t-1', quoting], refused, ['deleted .*t-1'], [quoting], firstPages],
  ['but none of two that were refused', ['t-1', 't-1'], refused, ['left .*t-1'], ['t-1', 't-1'], firstPages],
  ['but none that was there before', ['t-1'], refused, [], ['t-1'], { isOther: true, ...firstPages }],
  ['that can be', ['t-1'], refused, ['left .*t-1'], ['t-1'], { refusesDeletions: true, ...firstPages }],
])('of what an earlier run left, records are deleted %s', async ([, made, noted, ends, stay, odd = {}]) => {
  const { make, note, ledger, run, now } = setUp(odd);
  const collection = odd.in ?? (noted === refused ? agents : keys);
  const ids: string[] = [];
  for (const name of made) {
    ids.push(await make(collection, name));
  }
  for (const [tag, more = {}] of noted) {
    note(collection, tag, more.id === 'own' ? { id: ids[0] ?? '' } : more);
  }
  if (odd.isOther) {
    ledger.noteOthers(collection, ids);
  }
  expect(await run()).toEqual(matching(ends));
  expect(now()).toEqual([stay, ends.some((end) => end.startsWith('left')) ? ['run-1'] : []]);
});

test.for<[string, Record<string, string>, string]>([
  ['of another deployment', { BASE_URL: 'http://elsewhere.example' }, 'set BASE_URL to http://developer.example'],
  ['whose key is not set', { SANDBOX_API_KEY: '' }, 'set SANDBOX_API_KEY'],
  ['that WRITES does not allow to delete', { WRITES: 'none' }, String.raw`.*\(now: none\)`],
  ['that another key may not delete', { SANDBOX_API_KEY: 'svc_test_neverIssued0123' }, '.*got 401'],
])('a record %s stays in the ledger, with what to do', async ([, changes, says]) => {
  const { make, note, run, now } = setUp();
  note(keys, 'tag-1', { id: await make(keys, 'tag-1') });
  expect(await run(changes)).toEqual(matching([`left \\S+ ${says}`]));
  expect(now()).toEqual([['tag-1'], ['run-1']]);
  expect(await run()).toEqual(matching(['deleted']));
});

test('a record that is gone counts as deleted, and one that the API cannot delete, or that is not found, as left', async () => {
  const { make, note, call, run } = setUp();
  const id = await make(keys, 'tag-1');
  note(keys, 'tag-1', { id });
  note(leads, 'tag-2', { id: 'lead-1' });
  note(bookings, 'tag-3', { accepted: true });
  await call('DELETE', `${keys}/${id}`);
  expect(await run()).toEqual(
    matching(['left .*tag-3 its id is not certain', 'left .*leads/lead-1 the API cannot delete it', 'gone']),
  );
});
