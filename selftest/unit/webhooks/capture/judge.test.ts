import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { captureText, judgeCapture, readCapture } from '../../../../webhooks/capture/judge.ts';
import type { Delivery } from '../../../../webhooks/signature/delivery.ts';
import { har, raw, standard } from '../captures.ts';
import { deliver, hmac, plain, registered, type Sender, sendingOf, whsec } from '../deliveries.ts';

const capture = (content: string | Buffer): { name: string; bytes: Buffer } => ({
  name: 'capture',
  bytes: Buffer.from(content),
});
const essence = (deliveries: readonly Delivery[]): unknown =>
  deliveries.map(({ method, url, registeredUrl, headers, body }) => ({
    method,
    url,
    registeredUrl,
    headers: headers.filter(([name]) => name !== 'Content-Length'),
    body: body.toString(),
  }));
const deliveries = deliver(standard);
describe('a capture is read back to its deliveries', () => {
  test.for<[string, string | Buffer]>([
    ['a HAR', har(deliveries)],
    ['raw HTTP, by Content-Length', raw(deliveries, '\r\n', true)],
    ['raw HTTP, by separators', raw(deliveries, '\r\n', false)],
    ['an .http file with line feeds and separators', raw(deliveries, '\n', false)],
    ['gzip', gzipSync(har(deliveries))],
    ['PowerShell: UTF-16 behind a byte order mark', Buffer.from(`\ufeff${raw(deliveries, '\r\n', true)}`, 'utf16le')],
    ['UTF-16, big-endian', Buffer.from(`\ufeff${har(deliveries)}`, 'utf16le').swap16()],
    ['an .http file with comments and variables', `@host = a\n# one\n// two\n${raw(deliveries, '\n', true)}`],
    ['nc behind a byte order mark', `\ufeff${raw(deliveries, '\r\n', true)}`],
    [
      "what ngrok's API gives",
      JSON.stringify({
        requests: deliveries.map((one) => ({
          request: { raw: Buffer.from(raw([one], '\r\n', true)).toString('base64') },
        })),
      }),
    ],
    [
      "what webhook.site's API gives",
      JSON.stringify({
        data: deliveries.map(({ method, headers, body }) => ({
          method,
          url: registered,
          headers: Object.fromEntries(headers.map(([name, value]) => [name, [value]])),
          content: body.toString(),
        })),
      }),
    ],
  ])('%s', ([, content]) => {
    expect(essence(readCapture(capture(content)).deliveries)).toEqual(essence(deliveries));
  });

  test('with bytes that are not text, and the separator inside the body', () => {
    const body = Buffer.from([0x00, 0xff, 0x0d, 0x0a, ...Buffer.from('### not the end\n'), 0xfe]);
    const file = Buffer.concat([
      Buffer.from(`POST /a HTTP/1.1\r\nHost: h.test\r\nContent-Length: ${body.length}\r\n\r\n`),
      body,
      Buffer.from('\r\n###\r\nPOST /b HTTP/1.1\r\nHost: h.test\r\n\r\n'),
    ]);
    expect(readCapture(capture(file)).deliveries.map((one) => [one.registeredUrl, one.body])).toEqual([
      ['https://h.test/a', body],
      ['https://h.test/b', Buffer.alloc(0)],
    ]);
  });

  test('with a chunked body', () => {
    const head = 'POST /a HTTP/1.1\r\nHost: h.test\r\nTransfer-Encoding: chunked\r\n\r\n';
    const read = readCapture(capture(`${head}4\r\n{"a"\r\n3;x=y\r\n:1}\r\n0\r\n\r\n`));
    expect(read.deliveries.map(({ body }) => body.toString())).toEqual(['{"a":1}']);
  });

  test('only deliveries whose URL matches', () => {
    expect(readCapture({ ...capture(har(deliveries)), only: 'tenant=7' }).deliveries).toHaveLength(3);
  });
});

describe('what is no delivery', () => {
  const { body: _, ...first } = deliveries[0] as Delivery;
  const cookie: [string, string][] = [['Cookie', `session=${'0123abcd'.repeat(8)}`]];
  const health: Delivery = { ...first, method: 'GET', url: '/health', headers: cookie, body: Buffer.alloc(0) };

  test('is left out and counted', () => {
    const judged = judgeCapture(capture(raw([health, ...deliveries], '\r\n', true)), whsec);
    expect([judged.status, judged.deliveries]).toEqual([0, 3]);
    const text = captureText(judged, capture(''), 'NAME', whsec);
    expect(text).toContain('1 request without a body (GET) left out');
    expect(text).not.toContain(whsec.slice(8));
  });

  test.for<[string, string | Buffer, RegExp]>([
    [
      'a capture without a delivery',
      raw([health], '\r\n', true),
      /holds no delivery: 1 request without a body \(GET\)/,
    ],
    ['a file without a request', '', /holds no request/],
    ['broken JSON', '{"log": ', /not JSON/],
    [
      'a HAR without bodies',
      '{"log": {"entries": [{"request": {"method": "POST", "url": "https://a.test/", "headers": [], "postData": {}}}]}}',
      /postData has no text/,
    ],
    ['a text that is no request', 'hello world\n', /line 1 does not begin a request/],
    ['JSON of another tool', '{"items": []}', /no HAR.*ngrok.*webhook\.site.*raw HTTP/],
    [
      'a body that is cut',
      'POST /a HTTP/1.1\r\nHost: h.test\r\nContent-Length: 40\r\n\r\nshort',
      /Content-Length says 40/,
    ],
  ])('is named: %s', ([, content, message]) => {
    expect(() => readCapture(capture(content))).toThrow(message);
  });
});

describe('the capture is suspected before the sender is accused', () => {
  const signed =
    (change: (body: string) => string): Sender =>
    ({ body }) => ({ 'X-Signature': hmac(plain, change(body)) });
  const indented = signed((body) => JSON.stringify(JSON.parse(body), null, 2));

  test.for<[string, Delivery[], boolean, 0 | 1 | 2, RegExp | null]>([
    ['verified', deliver(signed((body) => body)), false, 0, null],
    ['a lost line feed', deliver(signed((body) => `${body}\n`)), false, 0, /lost the line feed/],
    ['a lost CRLF', deliver(signed((body) => `${body}\r\n`)), false, 0, /lost the CRLF/],
    [
      'git autocrlf: lost carriage returns',
      deliver(
        signed((body) => body.replaceAll('\n', '\r\n')),
        [0, 1].map((n) => sendingOf(n, `{\n"n": ${n}\n}`)),
      ),
      ...([false, 0, /lost the carriage returns/] as const),
    ],
    ['a reformatted body', deliver(indented), false, 2, /or the capture reformatted it/],
    ['a body whose length is confirmed', deliver(indented), true, 1, null],
    ['no signature at all', deliver(() => ({})), false, 1, null],
    [
      'a signature over the time alone',
      deliver(({ s }) => ({ 'X-Time': s, 'X-Signature': hmac(plain, s) })),
      false,
      1,
      null,
    ],
  ])('%s', ([, given, length, status, doubt]) => {
    const judged = judgeCapture(capture(raw(given, '\r\n', length)), plain);
    expect(judged.status).toBe(status);
    expect(judged.doubt ?? '').toMatch(doubt ?? /^$/);
  });
});
