import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../../../webhooks/signature/delivery.ts';
import { contentFormula, describeDiscovery, discoveryLines } from '../../../../webhooks/signature/describe.ts';
import { discoverAmong, discoverScheme } from '../../../../webhooks/signature/discover.ts';
import { oneKeyForBoth } from '../../../../webhooks/signature/one-key.ts';
import {
  deliver,
  found,
  hash,
  hexSecret,
  hmac,
  jwt,
  plain,
  type Sender,
  sendingOf,
  short,
  whsec,
} from '../deliveries.ts';

describe('nothing is claimed', () => {
  test.for<[string, string, Sender]>([
    ['if no delivery has a signature', 'unsigned', () => ({})],
    [
      'about ids, and the secret itself',
      'unsigned',
      ({ id, s }) => ({
        'webhook-id': `msg_2bQmKz${id}0123456789abcdefg`,
        'webhook-timestamp': s,
        'X-Webhook-Token': plain,
      }),
    ],
    ['about a value that does not change with the body', 'unsigned', () => ({ 'X-Token': hash('sha256', 'constant') })],
    [
      'about a header named like a signature that is too short',
      'unsigned',
      ({ body }) => ({ 'X-Signature': hmac(plain, body).slice(0, 24) }),
    ],
    [
      'about a signature beside one of an older algorithm',
      'unknown-content',
      ({ body, s }) => ({
        'X-Timestamp': s,
        'X-Hub-Signature': `sha1=${hmac(plain, body, 'hex', 'sha1')}`,
        'X-Hub-Signature-256': `sha256=${hmac(plain, `acme~${s}~${body}~acme`)}`,
      }),
    ],
    [
      'about content that nobody signs',
      'unknown-content',
      ({ body }) => ({ 'X-Signature': hmac(plain, `pepper\n${body}`) }),
    ],
    [
      'about hexadecimal in groups',
      'unknown-content',
      ({ body }) => ({ 'X-Signature': hmac(plain, body).replace(/(..)(?=.)/g, '$1:') }),
    ],
    [
      'about credentials that may hold one, beside a digest',
      'unknown-content',
      ({ body }) => ({
        Authorization: `Basic ${Buffer.from(`desk:${hmac(plain, body)}`).toString('base64')}`,
        'Content-Digest': `sha-256=:${createHash('sha256').update(body).digest('base64')}:`,
      }),
    ],
    [
      'about a JWS whose claim is the payload',
      'unknown-content',
      ({ body, s }) => ({ Authorization: `Bearer ${jwt({ iat: Number(s), payload: JSON.parse(body) as unknown })}` }),
    ],
  ])('%s', ([, kind, sender]) => {
    expect(found(sender, undefined, short).kind).toBe(kind);
  });

  test('without deliveries', () => expect(discoverScheme([], plain).kind).toBe('unsigned'));
});

const github =
  (secret: string): Sender =>
  ({ body }) => ({ 'X-Signature': hmac(secret, body) });

describe('several deliveries and secrets', () => {
  test('two headers with one value are told apart by another delivery', () => {
    const sender: Sender = ({ id, n, body }) => ({
      'X-Id': n === 0 ? 'same' : `x${id}`,
      'X-Nonce': n === 0 ? 'same' : id,
      'X-Signature': hmac(plain, `${n === 0 ? 'same' : id}.${body}`),
    });
    const [first, second] = deliver(sender) as [Delivery, Delivery];
    expect(discoverScheme([first], plain)).toMatchObject({ kind: 'verified', provisional: true, alternatives: [{}] });
    const both = discoverScheme([first, second], plain);
    expect(both.kind === 'verified' && [contentFormula(both.scheme), both.provisional]).toEqual([
      '<X-Nonce>.<body>',
      false,
    ]);
  });

  test.for<[string, string, Sender]>([
    [
      'unsigned',
      'carries no signature',
      ({ n, body }) => (n === 1 ? ({} as Record<string, string>) : github(plain)(sendingOf(n, body))),
    ],
    [
      'other-secret',
      'is signed with the secret of another webhook',
      ({ n, body }) => github(n === 1 ? 'the other secret' : plain)(sendingOf(n, body)),
    ],
    [
      'other-scheme',
      'is signed in another way than the rest',
      ({ n, s, body }) => ({ 'X-Time': s, 'X-Signature': hmac(plain, n === 1 ? `${s}\n${body}` : body) }),
    ],
    [
      'other-text',
      'is signed over a text other than the body sent: the body as compact JSON (JSON.stringify)',
      ({ n, body }) => ({ 'X-Signature': hmac(plain, n === 1 ? JSON.stringify(JSON.parse(body)) : body) }),
    ],
    [
      'mismatch',
      'does not verify: the signature in X-Signature does not fit this content',
      ({ n, body }) => ({ 'X-Signature': hmac(n === 1 ? 'yet another' : plain, body) }),
    ],
  ])('one delivery that differs: %s', ([difference, words, sender]) => {
    const one = discoverScheme(deliver(sender), plain, { otherSecrets: ['the other secret'], maxHmacs: 12_000 });
    expect(one).toMatchObject({
      kind: 'inconsistent',
      odd: [{ index: 1, difference, message: `Delivery 2 ${words}` }],
    });
  });

  test('all signed with the secret of another webhook', () => {
    const one = discoverScheme(deliver(github('the other secret')), plain, {
      otherSecrets: ['the other secret'],
      maxHmacs: 4_000,
    });
    expect(describeDiscovery(one)).toBe(
      'Not every delivery is signed in the same way: Deliveries 1, 2, 3: each is signed with the secret of another webhook',
    );
  });

  test('the right one of several secrets is found, and a mistaken one is named', () => {
    expect(discoverAmong(deliver(github(plain)), [whsec, hexSecret, plain], { maxHmacs: 4_000 })).toMatchObject({
      secret: plain,
      discovery: { kind: 'verified' },
    });
    const mistakenSecrets = { "the webhook's id": 'wh_123456' };
    expect(discoverScheme(deliver(github('wh_123456')), plain, { mistakenSecrets, maxHmacs: short })).toMatchObject({
      algorithm: "HMAC-SHA-256 under the webhook's id instead of the secret",
    });
  });

  test('one key for two webhooks is seen in equal signatures over equal bytes', () => {
    const signed = (sender: Sender) => ({
      deliveries: deliver(sender),
      discovery: discoverScheme(deliver(sender), hexSecret, { maxHmacs: short }),
    });
    const [one, other] = [signed(github('an unknown key')), signed(github('another unknown key'))];
    expect(oneKeyForBoth(one, one)).toEqual({ from: 'header', name: 'X-Signature' });
    expect(oneKeyForBoth(one, other)).toBeUndefined();
  });

  test('notes say what weakens a scheme, and nothing shows the secret', () => {
    const lines = discoveryLines(
      found(({ s, body }) => ({ 'X-Time': s, 'X-Key': plain, 'X-Signature': hmac(plain, body) })),
    );
    expect(lines.join('\n')).toMatch(
      /The time at header x-time is not part of the signed content.*\n.*Header X-Key carries the secret itself/,
    );
    expect(lines.join('\n')).not.toContain(plain);
  });
});
