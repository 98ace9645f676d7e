import { expect, test } from 'vitest';
import { createRedactor } from '../../../../common/redact.ts';
import { clauses } from '../../../../contract/clauses.ts';
import type { ClauseResult } from '../../../../results/verdict.ts';
import { judgeRecording } from '../../../../suites/recorded/judge-recording.ts';
import { type Recording, readRecording } from '../../../../suites/recorded/recording.ts';
import {
  answering,
  call,
  correct,
  defect,
  developer,
  entry,
  folder,
  habits,
  harOf,
  path,
  secret,
  source,
  unkept,
  workspace,
} from './habits.ts';

async function read(
  entries: readonly unknown[],
  given: readonly string[] = [],
): Promise<Recording & { readonly results: readonly ClauseResult[]; readonly red: readonly string[] }> {
  const redactor = createRedactor();
  const recording = readRecording(harOf(...entries), { ...source, folder, named: { given, settings: {} } }, redactor);
  const results = await judgeRecording(recording, redactor);
  const red = results.flatMap(({ id, verdict }) => (verdict === 'fail' || verdict === 'warn' ? [id] : []));
  return { ...recording, results, red };
}

test.each(Object.entries(habits))(
  'of the traffic of a deployment its defect fails, and nothing else, whoever recorded it: %s',
  async (_, habit) => {
    const { exchanges, origins, red } = await read(habit([...correct, defect]));
    expect(red).toEqual(['developer.envelope.success']);
    expect(origins).toEqual({ developer: 'https://api.example.com', workspace: 'https://workspace.example.com' });
    expect(exchanges).toHaveLength(correct.length + 1);
  },
);

test('what a deployment itself masks excuses nothing where the keys of the calls are not replaced', async () => {
  const body = { success: true, data: { secret: '[redacted]' }, meta: { trace_id: '[redacted]' } };
  expect((await read([...correct, entry(`${developer}/developer/keys`, 201, body, 'POST')])).red).toContain(
    'developer.envelope.trace-id',
  );
});

test('rules on headers are undecided where none were recorded, and bodies that no recorder kept are not empty', async () => {
  const { results } = await read(correct.map((one) => answering(one, { headers: [] })));
  const headers = results.filter(({ id }) => id.endsWith('.limits.headers'));
  expect(headers.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'inconclusive']);
  const withoutCookies = await read(habits['google/har-sanitizer: cookies']?.(correct) ?? []);
  expect(withoutCookies.results.find(({ id }) => id === 'developer.limits.headers')?.verdict).toBe('pass');
  const bodiless = correct.map((one) => unkept(one, { comment: 'Response bodies are not included.' }));
  const unread = await read(bodiless);
  expect(unread).toMatchObject({ hasBodies: false, red: [] });
  expect(new Set(unread.results.flatMap(({ findings }) => findings.flatMap(({ advice }) => advice ?? [])))).toEqual(
    new Set(['export with response bodies']),
  );
});

test('a recording whose entries were all left out says why', async () => {
  const cached = correct.map((one) => ({ ...one, _fromCache: 'disk' }));
  await expect(read([...cached, null])).rejects.toThrow(
    /: it has no call that the deployment answered \(\d+ entries of the recording left out: answers from the browser's cache or a service worker; 1 entry of the recording left out: no HTTP calls .*\); record calls/,
  );
  await expect(read([])).rejects.toThrow(/it has 0 calls, and none/);
});

test('--origin names the deployment, below a prefix, too', async () => {
  const other = correct.map(({ request, ...one }) => {
    return { ...one, request: { ...request, url: request.url.replace('workspace.example.com', 'gateway.test/api') } };
  });
  const { origins } = await read([...correct, ...other], ['https://gateway.test/api/']);
  expect(origins).toEqual({ workspace: 'https://gateway.test/api' });
  await expect(read(correct, ['https://nowhere.test'])).rejects.toThrow(
    /at https:\/\/nowhere\.test; .*it has calls to https:/,
  );
});

const random = secret.slice(9);
const sentWith = (name: string, value: string): object => call(path, { headers: [{ name, value }] }, {});

/** Calls that show a secret. */
const showing: Readonly<Record<string, object>> = {
  'sent in X-API-Key': sentWith('x-api-key', secret),
  'sent behind Bearer': sentWith('Authorization', `Bearer ${random}`),
  'sent in Basic': sentWith('Authorization', `Basic ${btoa(`user:${secret}`)}`),
  'sent in a cookie': sentWith('Cookie', `lang=en; sid=${random}`),
  'sent in a token header': sentWith('X-Session-Token', random),
  'sent in the query': call(`${path}?access_token=${random}`, {}, {}),
  'sent before the host': call(path.replace('//', `//user:${random}@`), {}, {}),
  'given as a cookie': call(path, {}, { headers: [{ name: 'Set-Cookie', value: `sid=${random}; HttpOnly` }] }),
  'returned by a creation': entry(`${workspace}/webhooks`, 201, { id: 'whk_1', signing_secret: random }, 'POST'),
};

test.each(Object.entries(showing))(
  'a secret that is %s, and shown by an earlier answer, is redacted',
  async (_, one) => {
    const { exchanges } = await read([call(path, {}, { content: { text: JSON.stringify({ was: random }) } }), one]);
    expect(exchanges).toHaveLength(2);
    expect(JSON.stringify(exchanges)).not.toContain(random.slice(3, 15));
  },
);

test('entries that are not calls of either API are left out, and no entry can put a line into a script', async () => {
  const odd = [
    ...['https://api.example.com/other', `${developer}/ads/x\nrm -rf x`].map((url) => call(url, {}, {})),
    ...[call(path, { method: 'GET\nrm -rf x' }, {}), null, 7],
  ];
  const { exchanges, leftOut } = await read([call(path, {}, {}), ...odd]);
  expect(exchanges).toHaveLength(2);
  expect(leftOut).toEqual([
    '3 entries of the recording left out: no HTTP calls (WebSockets, extensions, broken entries)',
    '1 entry of the recording left out: calls of neither API, or to another origin (--origin)',
  ]);
  expect(exchanges.filter(({ curl }) => curl?.().includes('\n'))).toEqual([]);
});

const notWhole = { message: 'Its body was not recorded as it was sent' };
const [cut, deep] = ['{"success":', `${'['.repeat(90_000)}${']'.repeat(90_000)}`];

test.for<[string, content: object, more: object, failure: object]>([
  ['cut off', { size: 812, text: cut }, {}, notWhole],
  ['not there', { size: 812 }, {}, notWhole],
  ['kept as a status', { text: cut }, { _isBare: true }, notWhole],
  ['nested too deep', { text: deep }, {}, { kind: 'too-deep' }],
])('an answer whose body is %s is not judged, and the reason is given', async ([, content, more, failure]) => {
  const { exchanges, results } = await read([{ ...call(path, {}, { content }), ...more }]);
  expect(exchanges).toMatchObject([{ response: null, failure }]);
  expect(results).toHaveLength(clauses.length);
});
