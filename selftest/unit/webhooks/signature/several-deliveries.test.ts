import { describe, expect, test } from 'vitest';
import { contentFormula } from '../../../../webhooks/signature/describe.ts';
import { discoverScheme } from '../../../../webhooks/signature/discover.ts';
import { standard } from './captures.ts';
import type { Sender } from './deliveries.ts';
import { deliver, hmac, plain, sendingOf, whsec } from './deliveries.ts';

describe('different deliveries are distinguished', () => {
  const other = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
  test.for<[string, Sender]>([
    ['unsigned', () => ({})],
    [
      'other-secret',
      ({ id, s, body }) => ({
        'webhook-id': id,
        'webhook-timestamp': s,
        'webhook-signature': `v1,${hmac(Buffer.from(other.slice(6), 'base64'), `${id}.${s}.${body}`, 'base64')}`,
      }),
    ],
    ['other-scheme', ({ body }) => ({ 'X-Hub-Signature-256': `sha256=${hmac(whsec, body)}` })],
    ['other-algorithm', ({ body }) => ({ 'X-Hub-Signature': `sha1=${hmac(whsec, body, 'hex', 'sha1')}` })],
    [
      're-serialised',
      ({ id, s, body }) => ({
        'webhook-id': id,
        'webhook-timestamp': s,
        'webhook-signature': `v1,${hmac(whsec, `${id}.${s}.${JSON.stringify(JSON.parse(body))}`, 'base64')}`,
      }),
    ],
    [
      'mismatch',
      ({ id, s }) => ({
        'webhook-id': id,
        'webhook-timestamp': s,
        'webhook-signature': `v1,${hmac(whsec, 'something else', 'base64')}`,
      }),
    ],
  ])('%s', ([difference, odd]) => {
    for (const place of [0, 1, 2]) {
      const found = discoverScheme(
        deliver((sending) => (sending.n === place ? odd : standard)(sending)),
        whsec,
        { otherSecrets: [other] },
      );
      expect(
        found.kind === 'inconsistent' ? found.odd.map((one) => [one.index, one.difference]) : JSON.stringify(found),
      ).toEqual([[place, difference]]);
    }
  });
  test('all under the secret of another webhook', () => {
    const found = discoverScheme(deliver(standard), other, { otherSecrets: [whsec] });
    expect(found.kind === 'inconsistent' ? found.odd.map((one) => one.difference) : JSON.stringify(found)).toEqual([
      'other-secret',
      'other-secret',
      'other-secret',
    ]);
  });
});

describe('two names for one value', () => {
  const sender =
    (date: (at: number) => number): Sender =>
    ({ at, body }) => {
      const text = new Date(date(at)).toUTCString();
      return { 'X-Metronome-Date': text, 'X-Signature': hmac(plain, `${text}\n${body}`) };
    };
  test('are distinguished by further deliveries', () => {
    const sendings = [0, 1, 2].map((n) => sendingOf(n));
    const found = discoverScheme(
      deliver(
        sender((at) => (at === sendings[0]?.at ? at : at - 5_000)),
        sendings,
      ),
      plain,
    );
    expect(
      found.kind === 'verified'
        ? [contentFormula(found.scheme.content), found.alternatives.length, found.provisional]
        : found,
    ).toEqual([String.raw`<X-Metronome-Date>\n<body>`, 0, false]);
  });
  test('are both reported if nothing distinguishes them', () => {
    const found = discoverScheme(deliver(sender((at) => at)), plain);
    expect(
      found.kind === 'verified'
        ? [
            contentFormula(found.scheme.content),
            found.alternatives.map(({ content }) => contentFormula(content)),
            found.provisional,
          ]
        : found,
    ).toEqual([String.raw`<X-Metronome-Date>\n<body>`, [String.raw`<Date>\n<body>`], true]);
  });
});

test('one delivery only gives a provisional answer', () => {
  const found = discoverScheme(deliver(({ body }) => ({ 'X-Signature': hmac(plain, body) })).slice(0, 1), plain);
  expect(found.kind === 'verified' && found.provisional).toBe(true);
});

test('two signatures in one delivery are both found', () => {
  const found = discoverScheme(
    deliver(({ body, s }) => ({
      'X-Timestamp': s,
      'X-Old-Signature': hmac(plain, body),
      'X-Signature': `v1=${hmac(plain, `${s}.${body}`)}`,
    })),
    plain,
  );
  expect(
    found.kind === 'verified' ? [found.scheme, ...found.others].map(({ signature }) => signature.source) : found,
  ).toEqual([
    { in: 'header', name: 'X-Old-Signature', label: null },
    { in: 'header', name: 'X-Signature', label: 'v1=' },
  ]);
});
