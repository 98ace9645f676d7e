import { createHmac, createPrivateKey, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { contentFormula } from '../../../../webhooks/signature/describe.ts';
import { found, hash, hmac, jwt, plain, type Sender, sendingOf, short } from '../deliveries.ts';

// Always the same key (RFC 8032, 7.1, TEST 1): the base64 of a random signature may hold a run as long as 32 bytes.
const ed25519 = createPrivateKey({
  format: 'der',
  type: 'pkcs8',
  key: Buffer.from(
    '302e020100300506032b6570042204209d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'hex',
  ),
});

describe('another algorithm is named', () => {
  test.for<[string, Sender]>([
    // Vercel, Twilio, Paystack, HubSpot's first version.
    ['HMAC-SHA-1', ({ body }) => ({ 'x-vercel-signature': hmac(plain, body, 'hex', 'sha1') })],
    ['HMAC-SHA-1', ({ body, url }) => ({ 'X-Twilio-Signature': hmac(plain, url + body, 'base64', 'sha1') })],
    ['HMAC-SHA-512', ({ body }) => ({ 'x-paystack-signature': hmac(plain, body, 'hex', 'sha512') })],
    ['HMAC-SHA-384', ({ body, s }) => ({ 'x-signature': `t=${s},v1=${hmac(plain, `${s}.${body}`, 'hex', 'sha384')}` })],
    ['HMAC-MD5', ({ body }) => ({ 'x-signature': hmac(plain, body, 'hex', 'md5') })],
    [
      'SHA-256 of the secret and the body, not an HMAC',
      ({ body }) => ({ 'X-HubSpot-Signature': hash('sha256', plain + body) }),
    ],
    ['SHA-256 of the body without a key, not an HMAC', ({ body }) => ({ 'X-Signature': hash('sha256', body) })],
    [
      'HMAC-SHA-256 under the key "undefined" instead of the secret',
      ({ body }) => ({ 'X-Signature': hmac('undefined', body) }),
    ],
    [
      'HMAC-SHA-256 under the base64 of the secret instead of the secret',
      ({ body, s }) => ({ 'X-Signature': `t=${s},v1=${hmac(Buffer.from(plain).toString('base64'), `${s}.${body}`)}` }),
    ],
    [
      'JWS RS256',
      ({ n }) => ({
        'X-Signature-JWT': [Buffer.from('{"alg":"RS256"}'), Buffer.from(`{"n":${n}}`), Buffer.alloc(256, n)]
          .map((one) => one.toString('base64url'))
          .join('.'),
      }),
    ],
    [
      'a value of 256 bytes, the size of RSA; an HMAC-SHA256 has 32',
      ({ n }) => ({ 'X-Signature': Buffer.alloc(256, n + 65).toString('base64') }),
    ],
    [
      'a value of 64 bytes, the size of Ed25519 or SHA-512; an HMAC-SHA256 has 32',
      ({ body, s }) => ({
        'X-Signature': `t=${s},v1=${sign(null, Buffer.from(body), ed25519).toString('base64')}`,
        'X-Trace': hash('sha256', body + s),
      }),
    ],
    ['HMAC-SHA-256 cut to 16 bytes', ({ body }) => ({ 'X-Signature': hmac(plain, body).slice(0, 32) })],
  ])('%s', ([algorithm, sender]) => {
    expect(found(sender, undefined, short)).toMatchObject({ kind: 'other-algorithm', algorithm });
  });
});

describe('a body that the signature does not cover is told', () => {
  test.for<[string, string, Sender]>([
    ['the time alone', '<X-Timestamp>', ({ s }) => ({ 'X-Timestamp': s, 'X-Signature': hmac(plain, s) })],
    ['the URL alone', '<URL>', ({ url }) => ({ 'X-Signature': hmac(plain, url) })],
    ['method and URL', '<method><URL>', ({ url }) => ({ 'X-Signature': hmac(plain, `POST${url}`) })],
    [
      'an empty text instead of the body',
      '<webhook-id>.<webhook-timestamp>.',
      ({ id, s }) => ({
        'webhook-id': id,
        'webhook-timestamp': s,
        'webhook-signature': `v1,${hmac(plain, `${id}.${s}.`, 'base64')}`,
      }),
    ],
    [
      'a JWS without the body',
      '<JWS header>.<claims without the body>',
      ({ s }) => ({ Authorization: `Bearer ${jwt({ iat: Number(s) })}` }),
    ],
  ])('%s', ([, formula, sender]) => {
    const one = found(sender);
    expect(one.kind === 'body-not-covered' ? contentFormula(one.scheme) : JSON.stringify(one)).toBe(formula);
  });

  test('as by Mailgun, whose signature is in the body', () => {
    const body = (n: number): string => {
      const { id, s } = sendingOf(n);
      const signature = { token: `tok${id}`, timestamp: s, signature: hmac(plain, `${s}tok${id}`) };
      return JSON.stringify({
        signature,
        'event-data': { n, recipient: 'somebody@example.test', event: 'booking.created' },
      });
    };
    const one = found(() => ({}), body);
    expect(one.kind === 'body-not-covered' ? contentFormula(one.scheme) : JSON.stringify(one)).toBe(
      '<body /signature/timestamp><body /signature/token>',
    );
  });
});

const note = String.raw`Zürich & <b>\"№\"</b> 😀 it's a/b`;
const compact = (n: number): string => `{"type":"booking.created","data":{"id":"bk_${n}","amount":1},"a":"${note}"}`;
const spaced = (n: number): string => compact(n).replaceAll('":', '": ').replaceAll(',"', ',  "');
const ascii = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, (one) => String.raw`\u` + one.charCodeAt(0).toString(16).padStart(4, '0'));
/** The same with sorted fields. */
const sorted = (sent: string): string =>
  `{"a":"${note}","data":{"amount":1,"id":"${/bk_\d+/.exec(sent)}"},"type":"booking.created"}`;

describe('a signature over a text other than the sent bytes is told', () => {
  test.for<[string, (sent: string) => string | Buffer, ((n: number) => string)?]>([
    ['body as compact JSON (JSON.stringify)', (sent) => JSON.stringify(JSON.parse(sent)), spaced],
    ['body as JSON indented by 2', (sent) => JSON.stringify(JSON.parse(sent), null, 2)],
    ['body as JSON indented by 4', (sent) => JSON.stringify(JSON.parse(sent), null, 4)],
    ['body as JSON indented by tabs', (sent) => JSON.stringify(JSON.parse(sent), null, '\t')],
    ['body as Python json.dumps writes it', (sent) => ascii(sent).replaceAll('":', '": ').replaceAll(',"', ', "')],
    [
      'body as Python json.dumps(sort_keys=True) writes it',
      (sent) => ascii(sorted(sent)).replaceAll('":', '": ').replaceAll(',"', ', "'),
    ],
    ['body as compact JSON in ASCII', ascii],
    ['body as compact JSON in ASCII with sorted keys', (sent) => ascii(sorted(sent))],
    [
      'body as compact JSON with its outer fields sorted',
      (sent) =>
        sent.replace(
          /^\{(.*),("a":.*)\}$/,
          (_, rest: string, a: string) => `{${a},${rest.replace(/^(.*),("data".*)$/, '$2,$1')}}`,
        ),
    ],
    ['body with a newline added', (sent) => `${sent}\n`],
    ['body in Latin-1', (sent) => Buffer.from(sent, 'latin1')],
    ['field data of the body alone', (sent) => JSON.stringify((JSON.parse(sent) as { data: unknown }).data)],
    [
      'first 512 bytes of the body',
      (sent) => Buffer.from(sent).subarray(0, 512),
      (n) => `{"n":${n},"text":"${'ü'.repeat(400)}"}`,
    ],
    ['body cut to as many bytes as it has characters', (sent) => Buffer.from(sent).subarray(0, sent.length)],
    ['text [object Object]', () => '[object Object]'],
  ])('%s', ([words, write, body = compact]) => {
    const one = found(
      ({ s, body: sent }) => ({
        'X-Timestamp': s,
        'X-Signature': createHmac('sha256', plain).update(`${s}.`).update(write(sent)).digest('hex'),
      }),
      body,
    );
    expect(one).toMatchObject({ kind: 'other-text', words, isCanonical: false });
  });

  test('and canonical JSON is told apart, since receivers can rebuild it', () => {
    const one = found(({ body }) => ({ 'X-Signature': hmac(plain, sorted(body)) }), compact);
    expect(one).toMatchObject({
      kind: 'other-text',
      words: 'body as compact JSON with sorted keys',
      isCanonical: true,
    });
  });

  test('beside what was sent', () => {
    const one = found(
      ({ body }) => ({ 'X-Signature': hmac(plain, JSON.stringify(JSON.parse(body), null, 2)) }),
      compact,
    );
    expect(one).toMatchObject({
      sent: '{"type":"booking.created","data":{"id":"bk_0","am…',
      signed: String.raw`{\n  "type": "booking.created",\n  "data": {\n    "i…`,
    });
  });
});
