import { expect, test } from 'vitest';
import { contentFormula } from '../../../../webhooks/signature/describe.ts';
import { discoverScheme } from '../../../../webhooks/signature/discover.ts';
import { deliver, hmac, plain, sendingOf } from './deliveries.ts';

type Made = (payload: Record<string, unknown>) => string;

/** Deliveries whose whole body is made from the payload, with the signature inside. */
const found = (make: Made): ReturnType<typeof discoverScheme> =>
  discoverScheme(
    deliver(
      () => ({}),
      [0, 1, 2].map((n) =>
        sendingOf(n, make({ id: `evt_${n}`, type: 'booking.created', data: { booking: `bk_${n}`, amount: n } })),
      ),
    ),
    plain,
  );

const spaced = (payload: object): string => JSON.stringify(payload).replace(/([,:])(?=["{\d])/g, '$1 ');

test.for<[string, Made]>([
  [
    'over the other fields',
    (payload) => JSON.stringify({ ...payload, signature: hmac(plain, JSON.stringify(payload)) }),
  ],
  [
    'over the other fields, after a name',
    (payload) => JSON.stringify({ ...payload, signature: `sha256=${hmac(plain, JSON.stringify(payload))}` }),
  ],
  [
    'over the other fields as Python writes them',
    (payload) => spaced({ ...payload, signature: hmac(plain, spaced(payload)) }),
  ],
  [
    'over a payload next to it, which is a JSON text',
    (payload) => {
      const text = JSON.stringify(payload);
      return JSON.stringify({ payload: text, signature: hmac(plain, text, 'base64') });
    },
  ],
  [
    'over a payload next to it',
    (payload) => JSON.stringify({ payload, signature: hmac(plain, JSON.stringify(payload)) }),
  ],
])('a signature inside the body is verified: %s', ([, make]) => {
  expect(found(make)).toMatchObject({
    kind: 'verified',
    scheme: { signature: { source: { in: 'body', pointer: '/signature' } } },
  });
});

test('a timestamp of the body may be signed in front of the body', () => {
  const all = deliver(
    ({ body }) => ({ 'X-Signature': hmac(plain, `${(JSON.parse(body) as { sent_at: number }).sent_at}.${body}`) }),
    [0, 1, 2].map((n) => sendingOf(n, JSON.stringify({ type: 'booking.created', sent_at: Number(sendingOf(n).s), n }))),
  );
  const discovery = discoverScheme(all, plain);
  expect(discovery.kind === 'verified' ? contentFormula(discovery.scheme.content) : discovery).toBe(
    '<body /sent_at>.<body>',
  );
  expect(discovery.kind === 'verified' && discovery.scheme.timestamp).toEqual({
    source: { in: 'body', pointer: '/sent_at' },
    unit: 's',
    covered: true,
  });
});

test('a signature over only the id of the event does not cover the payload', () => {
  const all = deliver(
    ({ body }) => ({ 'X-Signature': hmac(plain, (JSON.parse(body) as { id: string }).id) }),
    [0, 1, 2].map((n) => sendingOf(n, `{"id":"evt_${n}","amount":${n}}`)),
  );
  expect(discoverScheme(all, plain).kind).toBe('body-not-covered');
});

test('a signature with a public key is named by its size', () => {
  const signed = (payload: Record<string, unknown>): string =>
    JSON.stringify({ ...payload, Signature: Buffer.alloc(256, JSON.stringify(payload)).toString('base64') });
  expect(found(signed)).toMatchObject({
    kind: 'other-algorithm',
    algorithm: 'a signature of 256 bytes, the size of RSA',
  });
});
