import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Delivery } from '../../../webhooks/signature/delivery.ts';
import { contentFormula } from '../../../webhooks/signature/describe.ts';
import { discoveryLines } from '../../../webhooks/signature/describe-discovery.ts';
import { discoverScheme } from '../../../webhooks/signature/discover.ts';
import { bounds } from '../../../webhooks/signature/read/bounds.ts';
import { verify } from '../../../webhooks/signature/verify.ts';
import type { Sender } from '../../unit/webhooks/signature/deliveries.ts';
import { deliver, hmac, plain, sendingOf } from '../../unit/webhooks/signature/deliveries.ts';

/**
 * What a hostile deployment could send. Each case passes if it ends with the right kind of answer. The only time limit
 * is that of the test runner, which is far longer than any case takes.
 */
const million = 1_048_576;
const body = (delivery: Delivery, text: Buffer): Delivery => ({ ...delivery, body: text });
const headers = (sender: Sender, extra: (n: number) => [string, string][]): Delivery[] =>
  deliver(sender).map((delivery, n) => ({ ...delivery, headers: [...extra(n), ...delivery.headers] }));
const signed: Sender = ({ body: text, s }) => ({
  'X-Timestamp': s,
  'X-Signature': `v1=${hmac(plain, `${s}.${text}`)}`,
});
const none: Sender = () => ({});

const long = bounds.headerLength * 8;
const values: Readonly<Record<string, string>> = {
  'label runs': 'a='.repeat(long / 2),
  commas: ','.repeat(long),
  blanks: ' '.repeat(long),
  'equals signs': '='.repeat(long),
  hex: 'ab'.repeat(long / 2),
  base64: 'Ab+/'.repeat(long / 4),
  'base64 words': `${'A'.repeat(43)}=,`.repeat(long / 45),
  'hex words': `${'a'.repeat(64)},`.repeat(long / 65),
  dots: 'a.'.repeat(long / 2),
  dashes: 'sha256-'.repeat(long / 7),
  timestamps: '1790510400,'.repeat(long / 11),
  quotes: '"="'.repeat(long / 3),
  parentheses: 'a=('.repeat(long / 3),
  parameters: `sig1=("a"${';a'.repeat(long / 2)}`,
  'semicolons in a component': `sig1=("a"${';;'.repeat(long / 2)})`,
};

test.for(Object.entries(values))('only headers of %s give unsigned or unknown', ([, value]) => {
  for (const name of ['X-Signature', 'Signature-Input', 'X-Signed-Headers', 'Authorization', 'Content-Digest']) {
    expect(['unsigned', 'unknown-content']).toContain(
      discoverScheme(
        headers(none, () => [[name, value]]),
        plain,
        { maxHmacs: 5_000 },
      ).kind,
    );
  }
});

test('two thousand junk headers do not hide a signature that is among the first', () => {
  const found = discoverScheme(
    deliver(signed).map((delivery) => ({
      ...delivery,
      headers: [
        ...delivery.headers,
        ...Array.from({ length: 2_000 }, (_, index): [string, string] => [
          `X-Event-Id-${index}`,
          `${index}`.padStart(64, 'a'),
        ]),
      ],
    })),
    plain,
  );
  expect(found.kind === 'verified' ? contentFormula(found.scheme.content) : found.kind).toBe('<X-Timestamp>.<body>');
});

test('the number of timestamps and ids that are tried is bounded', () => {
  const junk = (n: number): [string, string][] =>
    Array.from({ length: 150 }, (_, index) => [`X-Time-Id-${index}`, String(1_790_510_000 + n + index)]);
  const found = discoverScheme(
    headers(({ body: text }) => ({ 'X-Signature': hmac('another', text) }), junk),
    plain,
  );
  expect(found.kind === 'unknown-content' && found.tried.hmacs <= bounds.hmacs).toBe(true);
});

test('a body of 10 MB is verified, and searched within the bound if nothing explains it', () => {
  const sendings = [0, 1].map((n) => sendingOf(n, `{"n":${n},"text":"${'x'.repeat(10 * million)}"}`));
  expect(discoverScheme(deliver(signed, sendings), plain).kind).toBe('verified');
  const found = discoverScheme(
    deliver(({ body: text }) => ({ 'X-Signature': hmac('another', text) }), sendings),
    plain,
  );
  expect(found.kind === 'unknown-content' && found.tried.complete).toBe(false);
});

test('bodies that are deep, wide, not JSON, not text, or have fields named like properties of objects', () => {
  const bodies = [
    `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
    `{${'"a":'.repeat(1)}${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
    `[${'1,'.repeat(200_000)}1]`,
    `{${Array.from({ length: 20_000 }, (_, index) => `"signature${index}":"${'a'.repeat(64)}"`).join(',')}}`,
    '{"__proto__":{"signature":"x"},"constructor":1,"hasOwnProperty":2}',
    'null',
    '"text"',
    '\ufeff{}',
    '{"a":',
    'a=1&b=2',
    '{"a":1e999,"b":12345678901234567890}',
  ];
  for (const text of bodies) {
    const sendings = [0, 1].map((n) => sendingOf(n, text));
    expect(discoverScheme(deliver(signed, sendings), plain, { maxHmacs: 5_000 }).kind).toBe('verified');
    expect(['unsigned', 'unknown-content']).toContain(
      discoverScheme(deliver(none, sendings), plain, { maxHmacs: 5_000 }).kind,
    );
  }
  const bytes = deliver(none).map((delivery, n) => body(delivery, Buffer.from([0xff, 0xfe, n, 0x00, 0xc3])));
  expect(discoverScheme(bytes, plain).kind).toBe('unsigned');
});

test('a body that would be huge when decompressed stays compressed', () => {
  const bomb = gzipSync(Buffer.alloc(200 * million));
  const packed = deliver(({ n }) => ({ 'Content-Encoding': 'gzip', 'X-Signature': hmac(`another${n}`, 'x') })).map(
    (delivery, n) => body(delivery, Buffer.concat([bomb, Buffer.from([n])])),
  );
  expect(discoverScheme(packed, plain, { maxHmacs: 5_000 }).kind).toBe('unknown-content');
});

test('any URLs, methods and secrets', () => {
  const odd = deliver(signed).map((delivery) => ({
    ...delivery,
    url: `/x?${'a&='.repeat(20_000)}%zz%`,
    registeredUrl: 'not a url',
    method: 'PÖST',
    receivedAt: Number.NaN,
  }));
  expect(discoverScheme(odd, plain).kind).toBe('verified');
  for (const secret of ['', ' ', 'whsec_', 'v1,whsec_', 'ab', 'whsec_***', 'a_b_c_'.repeat(10_000), '\u0000', '00']) {
    expect(['unknown-content', 'other-algorithm']).toContain(
      discoverScheme(deliver(signed), secret, { maxHmacs: 5_000 }).kind,
    );
  }
});

test('a header that repeats the secret is reported, without the secret', () => {
  const found = discoverScheme(
    deliver(({ body: text }) => ({ 'X-Secret': plain, 'X-Signature': `key="${plain}", v1=${hmac(plain, text)}` })),
    plain,
  );
  expect(found.kind).toBe('verified');
  const text = JSON.stringify(found) + discoveryLines(found).join('\n');
  expect(text).toContain('carries the secret itself');
  expect(text).not.toContain(plain);
});

test('verify answers for a scheme and a delivery that have nothing in common', () => {
  const found = discoverScheme(deliver(signed), plain);
  const [delivery] = deliver(none);
  if (found.kind !== 'verified' || delivery === undefined) {
    return expect.unreachable();
  }
  expect(verify(found.scheme, { ...delivery, headers: [], body: Buffer.alloc(0) }, plain).verified).toBe(false);
});
