import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { newFolder } from '../../../new-folder.ts';

export const path = 'https://api.example.com/api/v1/platform/me';

/** An entry of a recording: a call that got 200, with the given changes. */
export const call = (url: string, request: object, response: object): object => ({
  startedDateTime: '2026-03-14T08:00:00.000Z',
  time: 5,
  request: { method: 'GET', url, headers: [], ...request },
  response: { status: 200, headers: [], content: { text: '{}' }, ...response },
});

/** The text of a recording. */
export const harOf = (...entries: readonly unknown[]): string => JSON.stringify({ log: { entries } });

/** A recording that no origin is named for, with nothing beside it. */
export const source = { name: 'a.har', folder: '/nowhere', named: { given: [], settings: {} } };

export const folder = newFolder();
export const secret = 'svc_test_gq09VY3uceWqt4pBMWmGecD1Elv7uXJH';
export const [developer, workspace] = ['https://api.example.com/api/v1', 'https://workspace.example.com/v1'];

export function entry(url: string, status: number, json: unknown, method = 'GET') {
  const text = JSON.stringify(json);
  const size = Buffer.byteLength(text);
  const limits = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59', 'X-RateLimit-Reset': '41' };
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(size), ...limits };
  return {
    startedDateTime: '2026-03-14T08:00:00.000Z',
    time: 5,
    request: { method, url, headers: [{ name: 'X-API-Key', value: secret }] },
    response: {
      status,
      statusText: '',
      content: { size, mimeType: 'application/json', text },
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    },
  };
}

type Entry = ReturnType<typeof entry>;
/** The entry with other fields in its answer. */
export const answering = (one: Entry, response: object): Entry => ({
  ...one,
  response: { ...one.response, ...response },
});
const containing = (one: Entry, content: object): Entry => answering(one, { content });

const envelope = (number: number, data: unknown, error: unknown = null): object => ({
  success: error === null,
  data,
  context: null,
  error,
  meta: { trace_id: `537621da-b0c6-45bb-966e-27191941b44${number}`, timestamp: '2026-03-14T08:00:00.000Z' },
});

/** What a correct deployment answered, as it was. */
export const correct: readonly Entry[] = [
  entry(`${developer}/ads/campaigns`, 200, envelope(1, { campaigns: [] })),
  entry(`${developer}/inbox/skills`, 401, envelope(2, null, { code: 'UNAUTHORIZED', message: 'No key: “?”' })),
  entry(`${developer}/content/generate`, 201, envelope(3, { id: 'post_1', title: 'Ünïcode' }), 'POST'),
  entry(`${workspace}/agents`, 200, { data: [{ id: 'agt_1' }] }),
  entry(`${workspace}/leads/none`, 404, { error: { code: 'not_found', message: 'No such lead', status: 404 } }),
];

/** What one with a defect answered. */
export const defect = entry(`${developer}/ads/keywords`, 200, { ...envelope(4, { keywords: [] }), success: 'yes' });

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
/** The answer without its body, as of a recorder that does not say that it lost it; nothing else tells its length. */
const lost = (one: Entry, more: object): Entry =>
  unkept(
    answering(one, { headers: one.response.headers.filter(({ name }) => name !== 'Content-Length'), bodySize: -1 }),
    more,
  );
/** Keeps the type of a body alone. */
export const unkept = (one: Entry, more: object): Entry => containing(one, { mimeType: 'application/json', ...more });

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
/** Replaces keys, and values of answers. */
const masking = (mask: (name: string, value: string) => string): Habit =>
  each((one) => {
    const text = textOf(one).replace(
      /"(trace_id|id|title)":"([^"]*)"/g,
      (_, name, value) => `"${name}":"${mask(name, value)}"`,
    );
    const headers = one.request.headers.map(({ name }) => ({ name, value: mask(name, secret) }));
    return { ...containing(one, { ...one.response.content, text }), request: { ...one.request, headers } };
  });

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const [first = entry(path, 200, {})] = correct;
const odd = (status: number, json: unknown): Entry => entry(`${developer}/ads/keywords`, status, json);
const pageOf = (status: number, text: string): Entry => containing(odd(status, ''), { text });
const hsts = [{ name: 'Non-Authoritative-Reason', value: 'HSTS' }];

/** What recorders make of a correct deployment's traffic, each named after the tool or the report that shows it. */
export const habits: Readonly<Record<string, Habit>> = {
  'nobody: as it was': (all) => all,
  'Chrome DevTools: "_error": null in each response': answers({ _error: null }),
  'Firefox bug 1762313: base64 is flagged, the text is plain': contents(() => ({ encoding: 'base64' })),
  'browsermob-proxy#67: the text is base64, and not flagged': contents((text) => ({ text: base64(text) })),
  'HAR 1.2: base64, flagged': contents((text) => ({ text: base64(text), encoding: 'base64' })),
  'mitmproxy: size counts compressed bytes, compression may be negative': contents((_, size) => ({
    size: size + 17,
    compression: -17,
  })),
  'sqlmapproject/sqlmap#5942: a text is cut, and size is that of what is left': third((one) =>
    containing(one, { size: 40, mimeType: 'application/json', text: textOf(one).slice(0, 40) }),
  ),
  'Playwright: a body that the browser did not keep has size -1 and no text': third((one) => unkept(one, { size: -1 })),
  'Playwright: bodies in files beside the HAR': each((one, at) => {
    writeFileSync(join(folder, `${at}.json`), textOf(one));
    return unkept(one, { size: one.response.content.size, _file: `${at}.json` });
  }),
  'BrowserMob Proxy: no headers by default; its clock may be wrong': each((one) => ({
    ...answering(one, { headers: [] }),
    startedDateTime: '2020-09-08T14:10:25.924+05:30',
  })),
  "a recorder whose clock is wrong, beside the server's Date": each((one) => ({
    ...answering(one, {
      headers: [...one.response.headers, { name: 'Date', value: 'Sat, 14 Mar 2026 08:00:00 GMT' }],
    }),
    startedDateTime: '2026-03-14T08:20:00.000Z',
  })),
  'mitmproxy: a body that it streamed has null for a text': third((one) =>
    answering(lost(one, { size: 0, text: null }), { bodySize: 0 }),
  ),
  'Firefox: a call that was aborted behind its headers': third((one) => lost(one, { size: 0, text: '' })),
  'scalar/scalar#9448: a recorder in a page does not see the headers that the server does not expose': third((one) =>
    answering(one, { headers: one.response.headers.filter(({ name }) => name.startsWith('Content')) }),
  ),
  'ProxymanApp/Proxyman#2580: times have no zone': each((one, at) => ({
    ...one,
    startedDateTime: `2026-03-1${at}T20:00:00.000`,
  })),
  'a sanitizer that takes the keys away, and masks trace ids': (all) =>
    masking((name, value) => (name === 'trace_id' ? 'REDACTED' : value))(all).map((one) => ({
      ...one,
      request: { ...one.request, headers: [] },
    })),
  'Logger++: no time is known': each((one) => ({ ...one, startedDateTime: '1970-01-01T05:30:00.000+0530' })),
  'cloudflare/har-sanitizer: bodies of a type with a charset': third((one) =>
    lost(one, { mimeType: 'application/json', text: '[application/json; charset=utf-8 redacted]' }),
  ),
  'google/har-sanitizer: values of headers': each((one) =>
    answering(one, { headers: one.response.headers.map(({ name }) => ({ name, value: `[${name} redacted]` })) }),
  ),
  'a sanitizer that empties the values of headers': each((one) =>
    answering(one, { headers: one.response.headers.map(({ name }) => ({ name, value: '' })) }),
  ),
  'a sanitizer that hashes the values of headers': each((one) =>
    answering(one, { headers: one.response.headers.map(({ name, value }) => ({ name, value: hash(value) })) }),
  ),
  'a report of this suite, its trace ids masked': masking((name) => (name === 'trace_id' ? '***' : 'svc_test_…')),
  'google/har-sanitizer: cookies': each((one) =>
    answering(one, { headers: [...one.response.headers, { name: 'Set-Cookie', value: '[Set-Cookie redacted]' }] }),
  ),
  'hahwul/gori#1042: hashes of values': masking((_, value) => `[REDACTED:${hash(value).slice(0, 8)}]`),
  'wanghongenpin/proxypin#775: each byte of a gzip body is a character': third((one) => {
    const headers = [...one.response.headers, { name: 'Content-Encoding', value: 'gzip' }];
    const text = gzipSync(textOf(one)).toString('latin1');
    return answering(one, { headers, content: { ...one.response.content, text } });
  }),
  "answers of caches: Chrome's, chrome-har's, Firefox's, WebKit Inspector's, and 304": beside(
    { ...odd(200, 1), ...{ _fromCache: 'disk' } },
    { ...odd(200, 1), ...{ cache: { beforeRequest: { hitCount: 0 } } } },
    { ...odd(200, 1), ...{ cache: { afterRequest: null } } },
    { ...odd(200, 1), ...{ _fetchType: 'Memory Cache' } },
    answering(first, { status: 304 }),
    // Chrome's provisional headers show no If-None-Match.
    answering(first, { status: 304, headers: [], content: { size: 0 } }),
  ),
  'answers of browsers and recorders: Playwright, Proxyman (ProxymanApp/Proxyman#922), Fiddler, HSTS of Chrome': beside(
    answering(first, { status: -1, _failureText: 'net::ERR_FAILED' }),
    { ...odd(200, { mock: true }), ...{ _wasFulfilled: true } },
    pageOf(999, ''),
    pageOf(502, '[Fiddler] DNS Lookup failed'),
    answering(entry('http://workspace.example.com/v1/agents', 307, ''), { headers: hsts, content: { size: 0 } }),
  ),
  'answers of gateways: Cloudflare, HAProxy, AWS API Gateway, Early Hints (RFC 8297), a slash of FastAPI, oauth2-proxy':
    beside(
      answering(entry(`${workspace}/leads`, 302, ''), {
        headers: [{ name: 'Location', value: 'https://login.example.com/oauth2/v2.0/authorize?client_id=1' }],
      }),
      pageOf(403, '<title>Just a moment...</title>'),
      pageOf(524, 'error code: 524'),
      pageOf(408, '<h1>408 Request Time-out</h1>'),
      pageOf(503, '{"message":"Service Unavailable"}'),
      answering(first, { status: 103, content: { size: 0 } }),
      answering(entry(`${workspace}/agents/`, 307, ''), {
        headers: [{ name: 'location', value: `${workspace}/agents` }],
      }),
    ),
  'calls of the page to others: WebSockets, extensions, other companies below /v1/': beside(
    entry('wss://workspace.example.com/v1/stream', 101, ''),
    entry('chrome-extension://abc/v1/agents', 200, 'x'),
    entry('https://api.segment.io/v1/t', 200, { success: true }, 'POST'),
    entry('https://api.stripe.com/v1/payment_intents', 402, { error: { type: 'card_error' } }, 'POST'),
    entry('https://grafana.example.org/api/v1/rules', 200, { status: 'success' }),
  ),
};
