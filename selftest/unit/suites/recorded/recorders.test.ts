import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createRedactor } from '../../../../common/redact.ts';
import type { ClauseResult } from '../../../../results/verdict.ts';
import { judgeRecording } from '../../../../suites/recorded/judge-recording.ts';
import { type Recording, readRecording } from '../../../../suites/recorded/recording.ts';
import { newFolder } from '../../../new-folder.ts';
import { source } from './recordings.ts';

const folder = newFolder();

interface Answer {
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly content: Readonly<Record<string, unknown>>;
  readonly [more: string]: unknown;
}
interface Entry {
  readonly request: Readonly<Record<string, unknown>>;
  readonly response: Answer;
  readonly [more: string]: unknown;
}

const [developer, workspace] = ['https://api.example.com/api/v1', 'https://workspace.example.com/v1'];

function entry(url: string, status: number, json: unknown, method = 'GET'): Entry {
  const text = JSON.stringify(json);
  const size = Buffer.byteLength(text);
  const limits = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59', 'X-RateLimit-Reset': '41' };
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(size), ...limits };
  return {
    startedDateTime: '2026-03-14T08:00:00.000Z',
    time: 5,
    request: { method, url, headers: [{ name: 'X-API-Key', value: 'svc_test_gq09VY3uceWqt4pBMWmGecD1Elv7uXJH' }] },
    response: {
      ...{ status, statusText: '', content: { size, mimeType: 'application/json', text } },
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    },
  };
}

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

type Content = Answer['content'];
type Habit = (entries: readonly Entry[]) => readonly Entry[];

const textOf = ({ text }: Content): string => String(text);
const withContent =
  (change: (content: Content) => Content) =>
  (one: Entry): Entry => ({ ...one, response: { ...one.response, content: change(one.response.content) } });
/** Changes fields of the content of every answer. */
const contents =
  (fields: (text: string, size: number) => Content): Habit =>
  (all) =>
    all.map(withContent((content) => ({ ...content, ...fields(textOf(content), Number(content.size)) })));
/** Changes fields of every answer. */
const answers =
  (fields: Partial<Answer>): Habit =>
  (all) =>
    all.map((one) => ({ ...one, response: { ...one.response, ...fields } }));
/** Adds the first call again, with other fields in its answer. */
const again =
  (fields: Partial<Answer>): Habit =>
  (all) => [...all, ...answers(fields)(all.slice(0, 1))];

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The third answer as it came, compressed, in a text of this encoding. */
const packed =
  (encoding: 'latin1' | 'utf8' | 'base64', pack: (text: string) => Buffer = gzipSync, flag: Content = {}): Habit =>
  (all) =>
    all.map((one, at) => {
      const headers = [...one.response.headers, { name: 'Content-Encoding', value: pack === gzipSync ? 'gzip' : 'br' }];
      const content = { ...one.response.content, text: pack(textOf(one.response.content)).toString(encoding), ...flag };
      return at === 2 ? { ...one, response: { ...one.response, headers, content } } : one;
    });

/** What recorders make of a correct deployment's traffic, each named after the tool or the report that shows it. */
const habits: Readonly<Record<string, Habit>> = {
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
  'Playwright: a body that the browser did not keep has size -1 and no text': (all) =>
    all.map((one, at) => (at === 2 ? withContent(({ mimeType }) => ({ mimeType, size: -1 }))(one) : one)),
  'Playwright: a call that failed has status -1 and _failureText': again({
    status: -1,
    _failureText: 'net::ERR_FAILED',
  }),
  'Playwright: bodies in files beside the HAR': (all) =>
    all.map((one, at) => {
      writeFileSync(join(folder, `${at}.json`), textOf(one.response.content));
      return withContent(({ size, mimeType }) => ({ size, mimeType, _file: `${at}.json` }))(one);
    }),
  'BrowserMob Proxy: no headers by default': answers({ headers: [] }),
  'Chrome: the 307 of HSTS, which the browser makes itself': (all) => [
    {
      ...entry('http://workspace.example.com/v1/agents', 307, ''),
      response: {
        status: 307,
        headers: [{ name: 'Non-Authoritative-Reason', value: 'HSTS' }],
        content: { size: 0, mimeType: 'x-unknown' },
      },
    },
    ...all,
  ],
  'wanghongenpin/proxypin#775: each byte of a gzip body is a character': packed('latin1'),
  'lightbody/browsermob-proxy#753: a gzip body is read as UTF-8': packed('utf8'),
  'a gzip body in base64': packed('base64', gzipSync, { encoding: 'base64' }),
  'a brotli body is read as UTF-8': packed('utf8', brotliCompressSync),
  'Firefox: 304 with the cached body': again({ status: 304 }),
  'Chrome: answers from its cache': (all) => [
    ...all,
    { ...entry(`${developer}/ads/keywords`, 200, 1), _fromCache: 'disk' },
  ],
  'Chrome: WebSockets and extensions': (all) => [
    entry('wss://workspace.example.com/v1/stream', 101, ''),
    entry('chrome-extension://abc/v1/agents', 200, 'x'),
    ...all,
  ],
  'calls of the page to other companies below /v1/': (all) => [
    entry('https://api.segment.io/v1/t', 200, { success: true }, 'POST'),
    ...all,
    entry('https://api.stripe.com/v1/payment_intents', 402, { error: { type: 'card_error' } }, 'POST'),
    entry('https://grafana.example.org/api/v1/rules', 200, { status: 'success' }),
  ],
};

async function judged(
  entries: readonly Entry[],
): Promise<{ readonly recording: Recording; readonly results: readonly ClauseResult[] }> {
  const redactor = createRedactor();
  const recording = readRecording(JSON.stringify({ log: { entries } }), { ...source, folder }, redactor);
  return { recording, results: await judgeRecording(recording, redactor) };
}

const redIn = (results: readonly ClauseResult[]): string[] =>
  results.flatMap(({ id, verdict }) => (verdict === 'fail' || verdict === 'warn' ? [id] : []));

// The clock of the recording is another one.
const unclocked = (ids: readonly string[]): string[] => ids.filter((id) => id !== 'developer.envelope.timestamp-clock');
const asItWas: Habit = (all) => all;

test.each(Object.entries({ 'nobody: as it was': asItWas, ...habits }))(
  'traffic of a correct deployment fails nothing, and a defect still shows, whoever recorded it: %s',
  async (_, habit) => {
    const { recording, results } = await judged(habit(correct));
    expect(unclocked(redIn(results))).toEqual([]);
    const origins = { developer: 'https://api.example.com', workspace: 'https://workspace.example.com' };
    expect(recording.origins).toEqual(origins);
    expect(recording.exchanges).toHaveLength(correct.length);
    expect(results.find(({ id }) => id === 'developer.envelope.success')?.verdict).toBe('pass');
    const broken = [...correct, entry(`${developer}/ads/keywords`, 200, { success: 'yes' })];
    expect(redIn((await judged(habit(broken))).results)).toContain('developer.envelope.success');
  },
);

test('rules on headers are undecided where none were recorded', async () => {
  const { results } = await judged(habits['BrowserMob Proxy: no headers by default']?.(correct) ?? []);
  const headers = results.filter(({ id }) => id.endsWith('.limits.headers'));
  expect(headers.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'inconclusive']);
});

test('bodies that no recorder kept are not empty', async () => {
  const without = correct.map(
    withContent(({ mimeType }) => ({ mimeType, comment: 'Response bodies are not included.' })),
  );
  const { recording, results } = await judged(without);
  expect([recording.hasBodies, redIn(results)]).toEqual([false, []]);
});

test('--origin names the deployment, below a prefix, too', () => {
  const other = correct.map((one) => ({
    ...one,
    request: { ...one.request, url: String(one.request.url).replace('workspace.example.com', 'gateway.test/api') },
  }));
  const read = (given: readonly string[]): Recording =>
    readRecording(
      JSON.stringify({ log: { entries: [...correct, ...other] } }),
      { ...source, named: { given, settings: {} } },
      createRedactor(),
    );
  expect(read(['https://gateway.test/api/']).origins).toEqual({ workspace: 'https://gateway.test/api' });
  expect(() => read(['https://nowhere.test'])).toThrow(/at https:\/\/nowhere\.test; .*it has calls to https:/);
});
