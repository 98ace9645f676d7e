import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createRedactor } from '../../../../common/redact.ts';
import { clauses } from '../../../../contract/clauses.ts';
import type { ClauseResult } from '../../../../results/verdict.ts';
import { judgeRecording } from '../../../../suites/recorded/judge-recording.ts';
import { type Recording, readRecording } from '../../../../suites/recorded/recording.ts';
import { newFolder } from '../../../new-folder.ts';
import { call, harOf, path, source } from './recordings.ts';

const folder = newFolder();
const secret = 'svc_test_gq09VY3uceWqt4pBMWmGecD1Elv7uXJH';
const [developer, workspace] = ['https://api.example.com/api/v1', 'https://workspace.example.com/v1'];

function entry(url: string, status: number, json: unknown, method = 'GET') {
  const text = JSON.stringify(json);
  const size = Buffer.byteLength(text);
  const limits = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59', 'X-RateLimit-Reset': '41' };
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(size), ...limits };
  return {
    startedDateTime: '2026-03-14T08:00:00.000Z',
    time: 5,
    request: { method, url, headers: [{ name: 'X-API-Key', value: secret }] },
    response: {
      ...{ status, statusText: '', content: { size, mimeType: 'application/json', text } },
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    },
  };
}

type Entry = ReturnType<typeof entry>;
/** The entry with other fields in its answer. */
const answering = (one: Entry, response: object): Entry => ({ ...one, response: { ...one.response, ...response } });
const containing = (one: Entry, content: object): Entry => answering(one, { content });

const envelope = (number: number, data: unknown, error: unknown = null): unknown => ({
  success: error === null,
  data,
  context: null,
  error,
  meta: { trace_id: `537621da-b0c6-45bb-966e-27191941b44${number}`, timestamp: '2026-03-14T08:00:00.000Z' },
});

/** What a correct deployment answered, as it was. */
const correct: readonly Entry[] = [
  entry(`${developer}/ads/campaigns`, 200, envelope(1, { campaigns: [] })),
  entry(`${developer}/inbox/skills`, 401, envelope(2, null, { code: 'UNAUTHORIZED', message: 'No key: “?”' })),
  entry(`${developer}/content/generate`, 201, envelope(3, { id: 'post_1', title: 'Ünïcode' }), 'POST'),
  entry(`${workspace}/agents`, 200, { data: [{ id: 'agt_1' }] }),
  entry(`${workspace}/leads/none`, 404, { error: { code: 'not_found', message: 'No such lead', status: 404 } }),
];

async function read(
  entries: readonly unknown[],
  given: readonly string[] = [],
): Promise<Recording & { readonly results: readonly ClauseResult[]; readonly red: readonly string[] }> {
  const redactor = createRedactor();
  const recording = readRecording(harOf(...entries), { ...source, folder, named: { given, settings: {} } }, redactor);
  const results = await judgeRecording(recording, redactor);
  const red = results.flatMap(({ id, verdict }) => (verdict === 'fail' || verdict === 'warn' ? [id] : []));
  // The clock of the recording is another one.
  return { ...recording, results, red: red.filter((id) => id !== 'developer.envelope.timestamp-clock') };
}

type Habit = (entries: readonly Entry[]) => readonly Entry[];
const textOf = ({ response }: Entry): string => String(response.content.text);

/** Changes each entry, the third alone, or fields of every answer or its content; adds entries. */
const each =
  (change: (one: Entry, at: number) => Entry): Habit =>
  (all) =>
    all.map(change);
const third = (change: (one: Entry) => Entry): Habit => each((one, at) => (at === 2 ? change(one) : one));
const answers = (fields: object): Habit => each((one) => answering(one, fields));
const contents = (fields: (text: string, size: number) => object): Habit =>
  each((one) => containing(one, { ...one.response.content, ...fields(textOf(one), one.response.content.size) }));
const beside =
  (...more: readonly Entry[]): Habit =>
  (all) => [...all, ...more];
/** Keeps the type of a body alone. */
const unkept = (one: Entry, more: object = {}): Entry => containing(one, { mimeType: 'application/json', ...more });

const base64 = (text: string): string => Buffer.from(text).toString('base64');
/** The third answer as it came, compressed, in a text of this encoding. */
const packed = (encoding: 'latin1' | 'utf8' | 'base64', pack: (text: string) => Buffer = gzipSync, flag = {}): Habit =>
  third((one) => {
    const headers = [...one.response.headers, { name: 'Content-Encoding', value: pack === gzipSync ? 'gzip' : 'br' }];
    const content = { ...one.response.content, text: pack(textOf(one)).toString(encoding), ...flag };
    return answering(one, { headers, content });
  });
const [first = entry(path, 200, {})] = correct;
const hsts = [{ name: 'Non-Authoritative-Reason', value: 'HSTS' }];

/** What recorders make of a correct deployment's traffic, each named after the tool or the report that shows it. */
const habits: Readonly<Record<string, Habit>> = {
  'nobody: as it was': (all) => all,
  'Chrome DevTools: "_error": null in each response': answers({ _error: null }),
  'Firefox bug 1762313: base64 is flagged, the text is plain': contents(() => ({ encoding: 'base64' })),
  'browsermob-proxy#67: the text is base64, and not flagged': contents((text) => ({ text: base64(text) })),
  'HAR 1.2: base64, flagged': contents((text) => ({ text: base64(text), encoding: 'base64' })),
  'mitmproxy: size counts compressed bytes, compression may be negative': contents((_, size) => ({
    size: size + 17,
    compression: -17,
  })),
  'a proxy that counts UTF-16 code units twice': contents((_, size) => ({ size: 2 * size })),
  'a recorder that strips a byte order mark': contents((_, size) => ({ size: size + 3 })),
  'Playwright: a body that the browser did not keep has size -1 and no text': third((one) => unkept(one, { size: -1 })),
  'Playwright: a call that failed has status -1 and _failureText': beside(
    answering(first, { status: -1, _failureText: 'net::ERR_FAILED' }),
  ),
  'Playwright: bodies in files beside the HAR': each((one, at) => {
    writeFileSync(join(folder, `${at}.json`), textOf(one));
    return unkept(one, { size: one.response.content.size, _file: `${at}.json` });
  }),
  'BrowserMob Proxy: no headers by default': answers({ headers: [] }),
  'Chrome: the 307 of HSTS, which the browser makes itself': beside(
    answering(entry('http://workspace.example.com/v1/agents', 307, ''), { headers: hsts, content: { size: 0 } }),
  ),
  'wanghongenpin/proxypin#775: each byte of a gzip body is a character': packed('latin1'),
  'lightbody/browsermob-proxy#753: a gzip body is read as UTF-8': packed('utf8'),
  'a gzip body in base64': packed('base64', gzipSync, { encoding: 'base64' }),
  'a brotli body is read as UTF-8': packed('utf8', brotliCompressSync),
  'Firefox: 304 with the cached body': beside(answering(first, { status: 304 })),
  'Chrome: answers from its cache': beside({
    ...entry(`${developer}/ads/keywords`, 200, 1),
    ...{ _fromCache: 'disk' },
  }),
  'Chrome: WebSockets and extensions': beside(
    entry('wss://workspace.example.com/v1/stream', 101, ''),
    entry('chrome-extension://abc/v1/agents', 200, 'x'),
  ),
  'calls of the page to other companies below /v1/': beside(
    entry('https://api.segment.io/v1/t', 200, { success: true }, 'POST'),
    entry('https://api.stripe.com/v1/payment_intents', 402, { error: { type: 'card_error' } }, 'POST'),
    entry('https://grafana.example.org/api/v1/rules', 200, { status: 'success' }),
  ),
};

test.each(Object.entries(habits))(
  'traffic of a correct deployment fails nothing, and a defect still shows, whoever recorded it: %s',
  async (_, habit) => {
    const { exchanges, origins, red, results } = await read(habit(correct));
    expect(red).toEqual([]);
    expect(origins).toEqual({ developer: 'https://api.example.com', workspace: 'https://workspace.example.com' });
    expect(exchanges).toHaveLength(correct.length);
    expect(results.find(({ id }) => id === 'developer.envelope.success')?.verdict).toBe('pass');
    const broken = [...correct, entry(`${developer}/ads/keywords`, 200, { success: 'yes' })];
    expect((await read(habit(broken))).red).toContain('developer.envelope.success');
  },
);

test('rules on headers are undecided where none were recorded, and bodies that no recorder kept are not empty', async () => {
  const { results } = await read(correct.map((one) => answering(one, { headers: [] })));
  const headers = results.filter(({ id }) => id.endsWith('.limits.headers'));
  expect(headers.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'inconclusive']);
  const bodiless = correct.map((one) => unkept(one, { comment: 'Response bodies are not included.' }));
  expect(await read(bodiless)).toMatchObject({ hasBodies: false, red: [] });
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
    ...['https://api.example.com/other', `${developer}/x\nrm -rf x`].map((url) => call(url, {}, {})),
    ...[call(path, { method: 'GET\nrm -rf x' }, {}), null, 7],
  ];
  const { exchanges, leftOut } = await read([call(path, {}, {}), ...odd]);
  expect(exchanges).toHaveLength(2);
  expect(leftOut).toEqual([
    '3 entries of the recording left out: no HTTP calls (WebSockets, extensions, broken entries)',
    '1 entry of the recording left out: calls of neither API',
  ]);
  expect(exchanges.filter(({ curl }) => curl?.().includes('\n'))).toEqual([]);
});

const notWhole = { message: 'Its body was not recorded, or not to its end' };
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
