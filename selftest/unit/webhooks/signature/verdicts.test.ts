import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { contentFormula } from '../../../../webhooks/signature/describe.ts';
import { describeDiscovery } from '../../../../webhooks/signature/describe-discovery.ts';
import { discoverScheme } from '../../../../webhooks/signature/discover.ts';
import type { Discovery } from '../../../../webhooks/signature/discovery.ts';
import type { Sender } from './deliveries.ts';
import { deliver, hexSecret, hmac, plain, sendingOf } from './deliveries.ts';
import { jwt } from './families/family.ts';

const kindOf = (sender: Sender, secret = plain): string => discoverScheme(deliver(sender), secret).kind;
const hash = (name: string, text: string): string => createHash(name).update(text).digest('hex');
const { privateKey: ed25519 } = generateKeyPairSync('ed25519');
const algorithmOf = (found: Discovery): string =>
  found.kind === 'other-algorithm' ? found.algorithm : JSON.stringify(found);

describe('another algorithm is named', () => {
  test.for<[string, Sender]>([
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
      'SHA-256 of secret, method, URL and body, not an HMAC',
      ({ body, url }) => ({ 'X-HubSpot-Signature': hash('sha256', `${plain}POST${url}${body}`) }),
    ],
    [
      'HMAC-SHA-256 under the key "undefined" instead of the secret',
      ({ body }) => ({ 'X-Signature': hmac('undefined', body) }),
    ],
    [
      'HMAC-SHA-256 under the first 16 characters of the secret instead of the secret',
      ({ body }) => ({ 'X-Signature': hmac(plain.slice(0, 16), body) }),
    ],
    [
      'HMAC-SHA-256 under the base64 of the secret instead of the secret',
      ({ body, s }) => ({ 'X-Signature': `t=${s},v1=${hmac(Buffer.from(plain).toString('base64'), `${s}.${body}`)}` }),
    ],
    [
      'JWS RS256',
      ({ n }) => ({
        'X-Signature-JWT': `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.${Buffer.from(`{"n":${n}}`).toString('base64url')}.${Buffer.alloc(256, n).toString('base64url')}`,
      }),
    ],
    [
      'a signature of 256 bytes, the size of RSA',
      ({ n }) => ({ 'X-Signature': Buffer.alloc(256, n + 65).toString('base64') }),
    ],
    [
      'a value of 64 bytes, the size of Ed25519 or SHA-512; an HMAC-SHA256 has 32',
      ({ body }) => ({ 'X-Signature-Ed25519': sign(null, Buffer.from(body), ed25519).toString('hex') }),
    ],
    [
      'a value of 64 bytes, the size of Ed25519 or SHA-512; an HMAC-SHA256 has 32',
      ({ body, s }) => ({
        'X-Signature': `t=${s},v1=${sign(null, Buffer.from(body), ed25519).toString('base64')}`,
        'X-Trace': hash('sha256', body + s),
      }),
    ],
    [
      'a value of 64 bytes, the size of Ed25519 or SHA-512; an HMAC-SHA256 has 32',
      ({ body }) => ({ 'X-Signature': hash('sha512', `pepper ${body}`) }),
    ],
    ['HMAC-SHA-256 cut to 16 bytes', ({ body }) => ({ 'X-Signature': hmac(plain, body).slice(0, 32) })],
  ])('%s', ([algorithm, sender]) => {
    expect(algorithmOf(discoverScheme(deliver(sender), plain))).toBe(algorithm);
  });
});

describe('a body that the signature does not cover is reported', () => {
  test.for<[string, string, Sender]>([
    [
      '19 Mercado Pago',
      'id:<body /data/id>;request-id:<X-Request-Id>;ts:<x-signature ts=>;',
      ({ n, s }) => ({
        'x-signature': `ts=${s},v1=${hmac(plain, `id:bk_${n};request-id:0${n}c5a1f0-7d1e-4a51-9b1c-3c9c1d2e4f0${n};ts:${s};`)}`,
      }),
    ],
    ['only the timestamp', '<X-Timestamp>', ({ s }) => ({ 'X-Timestamp': s, 'X-Signature': hmac(plain, s) })],
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
    const found = discoverScheme(deliver(sender), plain);
    expect(found.kind === 'body-not-covered' ? contentFormula(found.scheme.content) : JSON.stringify(found)).toBe(
      formula,
    );
  });

  test('20 Mailgun, whose signature is in the body', () => {
    const sendings = [0, 1]
      .map((n) => sendingOf(n))
      .map((one) => ({
        ...one,
        body: JSON.stringify({
          signature: { token: `tok${one.id}`, timestamp: one.s, signature: hmac(plain, `${one.s}tok${one.id}`) },
          'event-data': { n: one.n },
        }),
      }));
    const found = discoverScheme(
      deliver(() => ({}), sendings),
      plain,
    );
    expect(found.kind === 'body-not-covered' ? contentFormula(found.scheme.content) : JSON.stringify(found)).toBe(
      '<body /signature/timestamp><body /signature/token>',
    );
  });

  test('20 Adyen payments, which sign eight fields', () => {
    const sendings = [0, 1]
      .map((n) => sendingOf(n))
      .map((one) => {
        const item = {
          pspReference: `psp${one.n}`,
          merchantAccountCode: 'Shop',
          merchantReference: `ref${one.n}`,
          amount: { value: 1130 + one.n, currency: 'EUR' },
          eventCode: 'AUTHORISATION',
          success: 'true',
        };
        const text = `${item.pspReference}::Shop:${item.merchantReference}:${item.amount.value}:EUR:AUTHORISATION:true`;
        const additionalData = { hmacSignature: hmac(Buffer.from(hexSecret, 'hex'), text, 'base64') };
        return {
          ...one,
          body: JSON.stringify({ notificationItems: [{ NotificationRequestItem: { ...item, additionalData } }] }),
        };
      });
    expect(
      discoverScheme(
        deliver(() => ({}), sendings),
        hexSecret,
      ).kind,
    ).toBe('body-not-covered');
  });
});

describe('a signature over a text other than the sent one is reported', () => {
  const python = (n: number): string =>
    `{"type": "booking.created", "data": {"id": "bk_${n}", "note": "Z\\u00fcrich / \\u2116${n}", "amount": ${n === 0 ? '0.5' : `${n}.5`}}}`;
  test.for<[string, Sender]>([
    [
      'json-compact',
      ({ body, s }) => ({ 'X-Timestamp': s, 'X-Signature': hmac(plain, `${s}.${JSON.stringify(JSON.parse(body))}`) }),
    ],
    ['json-python', ({ n }) => ({ 'X-Signature': hmac(plain, python(n)) })],
    ['json-pretty-2', ({ body }) => ({ 'X-Signature': hmac(plain, JSON.stringify(JSON.parse(body), null, 2)) })],
    ['newline-added', ({ body }) => ({ 'X-Signature': hmac(plain, `${body}\n`) })],
  ])('%s', ([form, sender]) => {
    const found = discoverScheme(deliver(sender), plain);
    expect(found.kind === 're-serialised' ? found.form : JSON.stringify(found)).toBe(form);
  });
});

describe('nothing is claimed', () => {
  test('if no delivery has a signature', () => {
    expect(kindOf(() => ({}))).toBe('unsigned');
    expect(
      kindOf(({ id, s }) => ({
        'webhook-id': `msg_2bQmKz${id}0123456789abcdefg`,
        'webhook-timestamp': s,
        'X-Webhook-Token': plain,
      })),
    ).toBe('unsigned');
  });
  test('if the token does not change with the body', () => {
    expect(kindOf(() => ({ 'X-Token': hash('sha256', 'constant') }))).toBe('unsigned');
  });
  test('about a signature of the right size next to one of an older algorithm', () => {
    const sender: Sender = ({ body, s }) => ({
      'X-Timestamp': s,
      'X-Hub-Signature': `sha1=${hmac(plain, body, 'hex', 'sha1')}`,
      'X-Hub-Signature-256': `sha256=${hmac(plain, `acme~${s}~${body}~acme`)}`,
    });
    expect(discoverScheme(deliver(sender), plain, { lastResort: false }).kind).toBe('unknown-content');
  });
  test.for<[string, (hex: string) => string]>([
    ['numbers', (hex) => [...Buffer.from(hex, 'hex')].join(',')],
    [
      'hexadecimal, reversed and in uneven groups',
      (hex) =>
        [...hex]
          .reverse()
          .join('')
          .replace(/(.{5})/g, '$1_'),
    ],
    ['Ascii85', (hex) => `<~${hex.replace(/[0-9]/g, (digit) => '!#$%()*+-.'.charAt(Number(digit)))}~>`],
  ])('if a header named like a signature is written in %s', ([, write]) => {
    const found = discoverScheme(
      deliver(({ body }) => ({ 'X-Signature': write(hmac(plain, body)) })),
      plain,
    );
    expect(found.kind).toBe('unknown-content');
    expect(describeDiscovery(found)).toMatch(/^Cannot be decided: header `x-signature` may hold a signature in a form/);
  });
  test('if there are digests of the body beside a header that cannot be read', () => {
    const found = discoverScheme(
      deliver(({ body }) => ({
        Authorization: `Basic ${Buffer.from(`desk:${hmac(plain, body)}`).toString('base64')}`,
        'Content-Digest': `sha-256=:${createHash('sha256').update(body).digest('base64')}:`,
      })),
      plain,
    );
    expect(describeDiscovery(found)).toMatch(/^Cannot be decided: header `authorization` may hold a signature/);
  });
  test('if such a header always has the same value, or is too short for 32 bytes', () => {
    expect(kindOf(() => ({ 'X-Signature': 'none: signing is to come with the next release' }))).toBe('unsigned');
    expect(kindOf(({ body }) => ({ 'X-Signature': hmac(plain, body).slice(0, 24) }))).toBe('unsigned');
  });
  test('if there are no deliveries', () => expect(discoverScheme([], plain).kind).toBe('unsigned'));
});
