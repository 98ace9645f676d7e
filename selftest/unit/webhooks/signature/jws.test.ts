import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { contentFormula } from '../../../../webhooks/signature/describe.ts';
import { discoverScheme } from '../../../../webhooks/signature/discover.ts';
import { snippet } from '../../../../webhooks/signature/snippet.ts';
import { verify } from '../../../../webhooks/signature/verify.ts';
import { deliver, plain, type Sending, sendingOf } from './deliveries.ts';
import { jwt } from './families/family.ts';

const event = (n: number): object => ({ type: 'booking.created', data: { id: `bk_${n}`, note: 'Zürich' } });

/** The scheme that is found for deliveries whose body and headers are made from the event. */
function found(make: (one: Sending) => { body: string; headers?: Record<string, string> }): string {
  const made = [0, 1].map((n) => make(sendingOf(n)));
  const deliveries = deliver(
    ({ n }) => made[n]?.headers ?? {},
    made.map(({ body }, n) => sendingOf(n, body)),
  );
  const discovery = discoverScheme(deliveries, plain);
  if (!('scheme' in discovery)) {
    return discovery.kind;
  }
  const swapped = deliveries.map((one, n) => ({
    ...one,
    body: deliveries[1 - n]?.body ?? one.body,
    headers: one.headers,
  }));
  const accepted = swapped.filter((one) => verify(discovery.scheme, one, plain).verified).length;
  return `${discovery.kind} ${contentFormula(discovery.scheme.content)}, ${accepted} swapped accepted`;
}

describe('a JWS covers the payload', () => {
  test('if a claim is the payload', () => {
    expect(
      found(({ n, s }) => ({
        body: JSON.stringify(event(n)),
        headers: { Authorization: `Bearer ${jwt({ iat: Number(s), payload: event(n) })}` },
      })),
    ).toBe('verified <JWS header>.<claims with the body at /payload>, 0 swapped accepted');
  });
  test('if the claims are the payload', () => {
    expect(
      found(({ n }) => ({ body: JSON.stringify(event(n), null, 2), headers: { 'X-Signature': jwt(event(n)) } })),
    ).toBe('verified <JWS header>.<claims with the body at their top>, 0 swapped accepted');
  });
  test('if it is the body', () => {
    expect(found(({ n }) => ({ body: jwt(event(n)) }))).toBe('verified <JWS header>.<claims>, 2 swapped accepted');
  });
  test('if it is in the body without any other field', () => {
    expect(found(({ n }) => ({ body: JSON.stringify({ id: `evt_${n}`, jwt: jwt(event(n)) }) }))).toBe(
      'verified <JWS header>.<claims>, 2 swapped accepted',
    );
  });
  test('if a claim is the hash of the body, in whichever header the JWS is sent', () => {
    const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
    expect(
      found(({ n, s }) => {
        const body = JSON.stringify(event(n));
        return { body, headers: { 'X-Token': jwt({ iat: Number(s), body_hash: hash(body) }) } };
      }),
    ).toBe("verified <JWS header>.<claims with the body's SHA-256 at /body_hash>, 0 swapped accepted");
  });
});

describe('a JWS leaves the payload out', () => {
  test('if the payload is next to it in the body', () => {
    expect(found(({ n, s }) => ({ body: JSON.stringify({ ...event(n), token: jwt({ iat: Number(s), n }) }) }))).toMatch(
      /^body-not-covered <JWS header>\.<claims without the body>/,
    );
  });
});

test.each(['node', 'python'] as const)('there is %s code for a JWS that is the body', (language) => {
  const discovery = discoverScheme(
    deliver(
      () => ({}),
      [0, 1].map((n) => sendingOf(n, jwt(event(n)))),
    ),
    plain,
  );
  expect('scheme' in discovery && snippet(discovery.scheme, language)).toMatch(/jws/);
});
