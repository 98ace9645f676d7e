import { expect, test } from 'vitest';
import { discoverScheme } from '../../../webhooks/signature/discover.ts';
import { bounds } from '../../../webhooks/signature/read/bounds.ts';
import { deliver, hmac, plain, type Sender, sendingOf } from '../../unit/webhooks/signature/deliveries.ts';

const bodies = (contents: (n: number) => string) =>
  [0, 1, 2].map((n) => sendingOf(n, `{"type": "booking.created", "n": ${n}, "v": [${contents(n)}]}`));
const kindOf = (sender: Sender, contents: (n: number) => string): string =>
  discoverScheme(deliver(sender, bodies(contents)), plain).kind;

const asSent: Sender = ({ body }) => ({ 'x-signature': hmac(plain, body) });
const rewritten: Sender = ({ body }) => ({ 'x-signature': hmac(plain, JSON.stringify(JSON.parse(body))) });
const values = (many: number): string => Array.from({ length: many }, (_, index) => index).join(', ');

test('a body of many values is hashed only as it was sent', () => {
  expect(kindOf(rewritten, () => values(bounds.parsedValues / 2))).toBe('re-serialised');
  expect(kindOf(asSent, () => values(bounds.parsedValues + 1))).toBe('verified');
  expect(kindOf(rewritten, () => values(bounds.parsedValues + 1))).toBe('unknown-content');
});

test('hundreds of digests in a body do not keep the signature in a header from being found', () => {
  const digests = (n: number): string =>
    Array.from({ length: bounds.tokens * 3 }, (_, index) =>
      JSON.stringify(hmac('another key', `${n} ${index}`)),
    ).join();
  expect(kindOf(asSent, digests)).toBe('verified');
});
