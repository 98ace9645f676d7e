import { expect, test } from 'vitest';
import { contentFormula, describeScheme } from '../../../webhooks/signature/describe.ts';
import { discoverScheme } from '../../../webhooks/signature/discover.ts';
import { verify } from '../../../webhooks/signature/verify.ts';
import { deliver, hmac, plain } from '../../unit/webhooks/signature/deliveries.ts';
import { deliveriesOf } from '../../unit/webhooks/signature/families/family.ts';
import { families } from '../../unit/webhooks/signature/families.ts';

test.for(families)('$name is found, and nothing else', (family) => {
  const deliveries = deliveriesOf(family);
  const found = discoverScheme(deliveries, family.secret);
  if (found.kind !== 'verified') {
    expect.fail(JSON.stringify(found));
  }
  const { scheme } = found;
  expect({
    formula: contentFormula(scheme.content),
    encoding: scheme.encoding,
    key: scheme.key,
    alternatives: found.alternatives,
    provisional: found.provisional,
  }).toEqual({
    formula: family.formula,
    encoding: family.encoding ?? 'hex',
    key: keyOf(family.key ?? 'utf8'),
    alternatives: [],
    provisional: false,
  });
  if (family.template !== undefined) {
    expect(scheme.signature.template).toBe(family.template);
  }
  expect(describeScheme(scheme)).not.toContain(family.secret);
  const tampered = deliveries.map((delivery) => ({ ...delivery, body: flipped(delivery.body) }));
  expect(tampered.map((delivery) => verify(scheme, delivery, family.secret).verified)).toEqual([false, false, false]);
});

/** The body with its middle byte changed. */
function flipped(body: Buffer): Buffer {
  const changed = Buffer.from(body);
  const middle = body.length >> 1;
  changed[middle] = (changed[middle] ?? 0) ^ 1;
  return changed;
}

function keyOf(text: string): { strip: string; decode: string } {
  const at = text.lastIndexOf('|');
  return { strip: text.slice(0, Math.max(0, at)), decode: text.slice(at + 1) };
}

type Signed = (query: string, s: string) => string;
test.each<[string, Signed, RegExp]>([
  ['the URL as it was called', (query) => `https://hooks.example.test/hooks?${query}`, /^<URL as it was called>/],
  ['the time and the query', (query, s) => `${s}.${query}`, /^<X-Timestamp>\.<query>/i],
])('a GET may be signed by %s', (_, contentOf, formula) => {
  const queryOf = (n: number): string => `event=booking.created&id=bk_${n}`;
  const all = deliver(({ n, s }) => ({ 'X-Timestamp': s, 'X-Signature': hmac(plain, contentOf(queryOf(n), s)) }));
  const calls = all.map((one, n) => ({
    ...one,
    method: 'GET',
    url: `/hooks?${queryOf(n)}`,
    registeredUrl: 'https://hooks.example.test/hooks',
    body: Buffer.alloc(0),
  }));
  const discovery = discoverScheme(calls, plain);
  expect(discovery.kind === 'verified' && contentFormula(discovery.scheme.content)).toMatch(formula);
});
