import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Delivery } from '../../../../webhooks/signature/delivery.ts';
import { readCapture } from '../../../../webhooks/signature/offline.ts';
import type { Sender } from './deliveries.ts';
import { deliver, hmac, plain, whsec } from './deliveries.ts';

const standard: Sender = ({ id, s, body }) => ({
  'webhook-id': id,
  'webhook-timestamp': s,
  'webhook-signature': `v1,${hmac(Buffer.from(whsec.slice(6), 'base64'), `${id}.${s}.${body}`, 'base64')}`,
});

const har = (deliveries: readonly Delivery[]): string =>
  JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'a recorder', version: '1' },
      entries: deliveries.map(({ method, registeredUrl, headers, body, receivedAt }) => ({
        startedDateTime: new Date(receivedAt).toISOString(),
        request: {
          method,
          url: registeredUrl,
          headers: headers.map(([name, value]) => ({ name, value })),
          postData: { mimeType: 'application/json', text: body.toString('utf8') },
        },
      })),
    },
  });

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

const bytes = (text: string): { name: string; bytes: Buffer } => ({ name: 'capture', bytes: Buffer.from(text) });
const essence = (deliveries: readonly Delivery[]): unknown =>
  deliveries.map(({ method, url, registeredUrl, headers, body }) => ({
    method,
    url,
    registeredUrl,
    headers: headers.filter(([name]) => name !== 'Content-Length'),
    body: body.toString(),
  }));

describe('a capture is read back to its deliveries', () => {
  const deliveries = deliver(standard);
  test('from a HAR', () => expect(readCapture(bytes(har(deliveries)))).toEqual(deliveries));
  test.for([
    ['\r\n', true],
    ['\r\n', false],
    ['\n', true],
    ['\n', false],
  ] as const)('from raw HTTP, line ending %j, with length %s', ([end, length]) => {
    expect(essence(readCapture(bytes(raw(deliveries, end, length))))).toEqual(essence(deliveries));
  });
  test('with bytes that are no text, and the separator inside the body', () => {
    const body = Buffer.from([0x00, 0xff, 0x0d, 0x0a, ...Buffer.from('### not the end\n'), 0xfe]);
    const file = Buffer.concat([
      Buffer.from(`POST /a HTTP/1.1\r\nHost: h.test\r\nContent-Length: ${body.length}\r\n\r\n`),
      body,
      Buffer.from('\r\n###\r\nPOST /b HTTP/1.1\r\nHost: h.test\r\n\r\n'),
    ]);
    expect(readCapture({ name: 'x', bytes: file }).map((one) => [one.registeredUrl, one.body])).toEqual([
      ['https://h.test/a', body],
      ['https://h.test/b', Buffer.alloc(0)],
    ]);
  });
  test('with a chunked body', () => {
    const file =
      'POST /a HTTP/1.1\r\nHost: h.test\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\n3;x=y\r\n:1}\r\n0\r\n\r\n';
    expect(readCapture(bytes(file)).map(({ body }) => body.toString())).toEqual(['{"a":1}']);
  });
  test('only those whose URL fits', () =>
    expect(readCapture({ ...bytes(har(deliveries)), only: 'tenant=7' })).toHaveLength(3));
});

describe('npm run signature', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signature-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return name;
  };
  const run = (...args: string[]): { status: number | null; stdout: string; stderr: string } => {
    const script = resolve(import.meta.dirname, '../../../../cli/signature.ts');
    return spawnSync(process.execPath, [script, ...args], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 50_000,
      env: { PATH: process.env.PATH, THE_SECRET: whsec, PLAIN: plain, EMPTY: '' },
    });
  };

  test('ends with 0 and shows the scheme and both functions, without the secret', () => {
    const { status, stdout, stderr } = run(file('good.har', har(deliver(standard))), '--secret-from', 'THE_SECRET');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('<webhook-id>.<webhook-timestamp>.<body>');
    expect(stdout).toContain('export function verifyWebhook');
    expect(stdout).toContain('def verify_webhook');
    expect(stdout).not.toContain(whsec.slice(8));
  });

  test('reads the secret from .env too', () => {
    writeFileSync(join(folder, '.env'), `FILE_SECRET='${whsec}'\n`);
    expect(run(file('good.har', har(deliver(standard))), '--secret-from', 'FILE_SECRET').status).toBe(0);
  });

  test.for<[string, Sender, number]>([
    ['is not there', () => ({}), 1],
    ['is HMAC-SHA1', ({ body }) => ({ 'X-Signature': hmac(plain, body, 'hex', 'sha1') }), 1],
    ['is over another text', ({ body }) => ({ 'X-Signature': hmac(plain, JSON.stringify(JSON.parse(body))) }), 1],
    ['leaves the body out', ({ s }) => ({ 'X-Timestamp': s, 'X-Signature': hmac(plain, s) }), 1],
    [
      'is there in some deliveries only',
      ({ body, n }): Record<string, string> => (n === 1 ? {} : { 'X-Signature': hmac(plain, body) }),
      1,
    ],
    ['is over an unknown content', ({ body }) => ({ 'X-Signature': hmac(plain, `~~${body}~~`) }), 2],
  ])('a signature that %s', ([, sender, status]) => {
    const ended = run(file('bad.http', raw(deliver(sender), '\r\n', true)), '--secret-from', 'PLAIN');
    expect([ended.status, ended.stderr]).toEqual([status, '']);
    expect(ended.stdout).not.toContain('export function');
  });

  test.for<[string, string[], RegExp]>([
    ['no file', ['--secret-from', 'PLAIN'], /name one, a HAR/],
    ['a missing file', ['nowhere.har', '--secret-from', 'PLAIN'], /Cannot read nowhere\.har: there is no such file/],
    ['no name', [file('a.har', '{}')], /--secret-from NAME/],
    ['a name that is not set', ['a.har', '--secret-from', 'MISSING'], /MISSING is not set/],
    ['a name that is empty', ['a.har', '--secret-from', 'EMPTY'], /EMPTY is not set/],
    [
      'a secret in the place of the name',
      ['a.har', '--secret-from', whsec],
      /takes the name of an environment variable/,
    ],
    ['an unknown option', ['a.har', '--sekret', 'x'], /--sekret/],
    ['broken JSON', [file('b.har', '{"log": '), '--secret-from', 'PLAIN'], /not JSON/],
    ['JSON that is no HAR', ['a.har', '--secret-from', 'PLAIN'], /no HAR/],
    [
      'a HAR without bodies',
      [
        file(
          'c.har',
          JSON.stringify({
            log: {
              entries: [{ request: { method: 'POST', url: 'https://a.test/', headers: [], postData: { params: [] } } }],
            },
          }),
        ),
        '--secret-from',
        'PLAIN',
      ],
      /postData has no text/,
    ],
    ['an empty file', [file('d.http', ''), '--secret-from', 'PLAIN'], /holds no request/],
    [
      'a text that is no request',
      [file('e.http', 'hello world\n'), '--secret-from', 'PLAIN'],
      /line 1 is no request line/,
    ],
    [
      'a body that was cut',
      [file('f.http', 'POST /a HTTP/1.1\nContent-Length: 40\n\n{}'), '--secret-from', 'PLAIN'],
      /Content-Length says 40/,
    ],
  ])('ends with 2 and one line for %s', ([, args, message]) => {
    const { status, stdout, stderr } = run(...args);
    expect([status, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain(whsec.slice(8));
  });
});
