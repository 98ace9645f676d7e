import { expect, test } from 'vitest';
import { captureText, judgeCapture, readCapture } from '../../../../webhooks/capture/judge.ts';
import type { Delivery } from '../../../../webhooks/signature/delivery.ts';
import { deliver, har, hmac, plain, registered, type Sender, senderOf, sendingOf, whsec } from '../deliveries.ts';

const capture = (content: string | Buffer) => ({ name: 'capture', bytes: Buffer.from(content) });
const essence = (deliveries: readonly Delivery[]): unknown =>
  deliveries.map(({ body, headers, ...rest }) => ({
    ...rest,
    body: body.toString(),
    headers: headers.filter(([name]) => !/^(content-length|host)$/i.test(name)),
  }));
/** Deliveries as raw requests, one after the other. */
const raw = (deliveries: readonly Delivery[], end: string, length: boolean): string =>
  deliveries
    .map(({ method, url, headers, body }) =>
      [
        `${method} ${url} HTTP/1.1`,
        ...headers.filter(([name]) => length || name !== 'Content-Length').map(([name, value]) => `${name}: ${value}`),
        '',
        body.toString('utf8'),
        '',
      ].join(end),
    )
    .join(`### next${end}`);

const deliveries = deliver(senderOf('default').sender);
const http = raw(deliveries, '\r\n', true);
const answer = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"received": true}\r\n';

/** As `curl -v` prints a request and its answer: with prefixes, and notes. */
function curlVerbose(one: Delivery): string {
  const prefixed = (prefix: string, text: string): string => text.replace(/^(?=.)/gm, prefix);
  const head = raw([one], '\r\n', true).split('\r\n\r\n', 1)[0];
  return `* Connected to 127.0.0.1\n${prefixed('> ', `${head}\r\n`)}> \r\n${one.body}\n} [113 bytes data]\n${prefixed('< ', answer.slice(0, 17))}< \r\n`;
}

const lists = (headers: Delivery['headers']): object =>
  Object.fromEntries(headers.map(([name, value]) => [name, [value]]));

/** The deliveries as JSON, each written so, in a list under a name. */
const json = (under: string, each: (one: Delivery) => object): string =>
  JSON.stringify({ [under]: deliveries.map(each) });
const texts = (write: (one: Delivery) => string): string => deliveries.map(write).join('');

const captures: Readonly<Record<string, string>> = {
  'a HAR': har(deliveries),
  'raw HTTP, by separators': raw(deliveries, '\r\n', false),
  'raw HTTP of HTTPie, with answers': texts((one) => `${raw([one], '\r\n', true)}\r\n\r\n${answer}\r\n`),
  'raw HTTP by answers': texts((one) => raw([one], '\n', false) + answer),
  'raw HTTP of curl -v': texts(curlVerbose),
  'Wireshark: a followed TCP stream, whose answers end without a line feed': texts(
    (one) => `${raw([one], '\r\n', true).trimEnd()}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK`,
  ),
  'raw HTTP behind a byte order mark': `\ufeff${http}`,
  'an .http file with comments and variables': `@host = a\n# one\n// two\n${raw(deliveries, '\n', true)}`,
  "what ngrok's API gives": json('requests', (one) => ({
    request: { raw: Buffer.from(raw([one], '\r\n', true)).toString('base64') },
  })),
  "what webhook.site's API gives": json('data', ({ method, headers, body }) => ({
    method,
    url: registered,
    content: body.toString(),
    headers: lists(headers),
  })),
  "what RequestBin's API gives": json('requests', ({ method, url, headers, body }) => ({
    method,
    path: url,
    headers: { ...Object.fromEntries(headers), Host: new URL(registered).host },
    body: body.toString(),
  })),
};

test.for(Object.entries(captures))('a capture is read back to its deliveries: %s', ([, content]) => {
  const read = readCapture(capture(content));
  expect([essence(read.deliveries), read.leftOut]).toEqual([essence(deliveries), []]);
});

test('bodies may be chunked, no text, or hold the separator', () => {
  const body = Buffer.from([0x00, 0xff, 0x0d, 0x0a, ...Buffer.from('### not the end\n'), 0xfe]);
  const chunked = 'POST /b HTTP/1.1\r\nHost: h.test\r\nTransfer-Encoding: chunked\r\n\r\n';
  const file = Buffer.concat([
    Buffer.from(`POST /a HTTP/1.1\r\nHost: h.test\r\nContent-Length: ${body.length}\r\n\r\n`),
    body,
    Buffer.from(`\r\n###\r\nGET /c HTTP/1.1\r\nHost: h.test\r\n\r\n${chunked}4\r\n{"a"\r\n3;x=y\r\n:1}\r\n0\r\n\r\n`),
  ]);
  expect(readCapture(capture(file)).deliveries.map((one) => [one.registeredUrl, one.body])).toEqual([
    ['https://h.test/a', body],
    ['https://h.test/b', Buffer.from('{"a":1}')],
  ]);
});

const { body: _, ...first } = deliveries[0] as Delivery;
const cookie: [string, string][] = [['Cookie', `session=${'0123abcd'.repeat(8)}`]];
const health: Delivery = { ...first, method: 'GET', url: '/health', headers: cookie, body: Buffer.alloc(0) };

const har1 = (postData: object, others: readonly Delivery[] = []): string => {
  const entry = { request: { method: 'POST', url: registered, headers: [], postData } };
  return JSON.stringify({ log: { entries: [entry, ...JSON.parse(har(others)).log.entries] } });
};

test.for<[string, string, string]>([
  ['a health check', raw([health, ...deliveries], '\r\n', true), '1 request without a body (GET)'],
  ['browsermob-proxy#770: no postData.text', har1({ params: [] }, deliveries), '1 request whose body was not recorded'],
  ['a capture that ends too soon', http.slice(0, -30), '1 request whose body has'],
])('what is no delivery is left out and counted: %s', ([, content, words]) => {
  const judged = judgeCapture(capture(content), whsec);
  expect([judged.status, judged.leftOut]).toEqual([0, [expect.stringContaining(words)]]);
  const text = captureText(judged, capture(''), 'NAME', whsec);
  expect([text.includes(words), text.includes(whsec.slice(8))]).toEqual([true, false]);
});

test.for<[string, string | Buffer, RegExp]>([
  ['no delivery', raw([health], '\r\n', true), /holds no delivery: 1 request without a body \(GET\)/],
  [
    'a HAR without bodies',
    har1({}),
    /holds no delivery: 1 request whose body was not recorded as it was sent left out/,
  ],
  [
    'a text that is no request',
    'hello world\n',
    /line 1 does not begin a request.*; save any other recording as HAR or as raw HTTP$/,
  ],
  ['JSON of another tool', '{"items": []}', /no HAR.*ngrok.*webhook\.site.*raw HTTP/],
  ['no headers', har(deliveries.map((one) => ({ ...one, headers: [] }))), /3 requests without headers left out/],
  ['a cut body', 'POST /a HTTP/1.1\r\nHost: h.test\r\nContent-Length: 40\r\n\r\nshort', /Content-Length says 40/],
])('why a capture cannot be used is named: %s', ([, content, message]) => {
  expect(() => readCapture(capture(content))).toThrow(message);
});

const signed =
  (change: (body: string) => string): Sender =>
  ({ body }) => ({ 'X-Signature': hmac(plain, change(body)) });
const ofLines = deliver(
  signed((body) => body.replaceAll('\n', '\r\n')),
  [0, 1].map((n) => sendingOf(n, `{\n"n": ${n}\n}`)),
);
const indented = deliver(signed((body) => JSON.stringify(JSON.parse(body), null, 2)));

test.for<[string, Delivery[], boolean, 0 | 1 | 2, RegExp]>([
  ['verified', deliver(signed((body) => body)), false, 0, /^$/],
  ['a lost line feed', deliver(signed((body) => `${body}\n`)), false, 0, /lost the line feed/],
  ['carriage returns that git took', ofLines, false, 0, /lost the carriage returns/],
  ['a reformatted body', indented, false, 2, /or the capture reformatted it/],
  ['a body whose length is confirmed', indented, true, 1, /^$/],
  ['no signature at all', deliver(() => ({})), false, 1, /^$/],
  ['a signature that was redacted', deliver(() => ({ 'X-Signature': '[redacted]' })), false, 2, /hides .* X-Signature/],
])('the capture is suspected before the sender is accused: %s', ([, given, length, status, doubt]) => {
  const judged = judgeCapture(capture(raw(given, '\r\n', length)), plain);
  expect([judged.status, judged.doubt ?? '']).toEqual([status, expect.stringMatching(doubt)]);
});
