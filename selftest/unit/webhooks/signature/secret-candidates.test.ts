import { describe, expect, test } from 'vitest';
import { secretCandidates } from '../../../../webhooks/signature/secret-candidates.ts';

const random = 'p9Zk2Lq8Xv4Tn6Rw1Yb7Jd3Hs5Gf0Mc';
const webhook = {
  id: 'wh_01HZX3K9V7N2QWERTY8ASDF456',
  object: 'webhook_endpoint',
  url: 'https://receiver.example/hooks/run-1/p9Zk2Lq8Xv4Tn6Rw',
  events: ['booking.created', 'booking.cancelled'],
  created_at: '2026-01-31T08:00:00.000Z',
  created_by: { id: 'usr_8f3kd92mm10xkq7pz55t', email: 'ann.lee99@mail.example' },
  workspace_id: 'd0e5a3c1-55aa-4c1e-9f3b-0a1b2c3d4e5f',
  api_version: '2026-01-31',
  status: 'enabled',
};
const first = (json: unknown, headers: readonly (readonly [string, string])[] = []): string | undefined =>
  secretCandidates(json, headers)[0]?.value;

describe('the secret is found first, whatever its name', () => {
  test.for([
    ['secret', { secret: random }],
    ['signing_secret', { signing_secret: random }],
    ['token', { token: random }],
    ['signing.key', { signing: { algorithm: 'hmac-sha256', key: random } }],
    ['secrets[] of objects', { secrets: [{ id: 'sec_1', value: random }] }],
    ['only digits', { secret: '482913740052861937' }],
    ['a UUID', { webhook_secret: '5f9d2c1a-0b7e-4d3c-8a6f-1e2d3c4b5a69' }],
    ['hexadecimal', { key: 'c0ffee00'.repeat(8) }],
    ['a name above its wrappers', { signingKey: { $binary: { base64: random, subType: '00' } } }],
    ['no name at all', { attributes: [['x', random]] }],
    ['whsec_ under a meaningless name', { zebra: `whsec_${random}` }],
  ] as const)('%s', ([, fields]) => {
    const value = 'secret' in fields && fields.secret !== random ? fields.secret : undefined;
    const found = first({ data: { ...webhook, ...fields } });
    expect(found).toBe(value ?? JSON.stringify(fields).match(/whsec_\w+|[0-9a-f-]{36,64}|p9Zk\w{20,}/)?.[0]);
  });

  test('a header', () => {
    expect(
      secretCandidates(webhook, [
        ['Date', 'Sat, 31 Jan 2026 08:00:00 GMT'],
        ['X-Signing-Key', random],
      ]),
    ).toEqual([{ value: random, place: 'header X-Signing-Key', named: true }]);
  });
});

test('nothing else of a webhook or its response is taken for a secret', () => {
  const headers = [
    ['ETag', '"33a64df551425fcc55e4d42a148795d9f25f89d4"'],
    ['X-Request-Id', 'r8Kz2Lq8Xv4Tn6Rw1Yb7Jd3Hs5Gf0Mc'],
    ['CF-Ray', '8f3kd92mm10xkq7p-FRA'],
    ['Location', 'https://api.example/v1/webhooks/wh_01HZX3K9V7N2QWERTY8ASDF456'],
    ['Location', '/v1/webhooks/calm-otter-9802'],
    ['Content-Type', 'application/json; charset=utf-8'],
    ['X-RateLimit-Reset', '1790510400'],
    ['NEL', '{"success_fraction":0,"report_to":"cf-nel","max_age":604800}'],
    ['Server-Timing', 'cfRequestDuration;dur=41.999817,cache;desc=HIT'],
  ] as const;
  const more = {
    secret_hint: 'p9Zk2Lq8',
    secret: 'whsec_********',
    key: 'p9Zk…',
    secret_created_at: '20260131T080000Z',
  };
  expect(secretCandidates({ data: { ...webhook, ...more } }, headers)).toEqual([]);
});

test('texts that the request sent are left out, and each text is listed once, under its likeliest name', () => {
  const shown = { description: random, token: random, zebra: `${random}9`, secret: `${random}1` };
  expect(
    secretCandidates(shown, [], { note: `${random}9` }).map(({ value, place, named }) => [value, place, named]),
  ).toEqual([
    [`${random}1`, '/secret', true],
    [random, '/token', true],
  ]);
});

test('likelier names come first; candidates that only look like secrets come last', () => {
  const shown = { zebra: `${random}0`, token: `${random}1`, signing_key: `${random}2`, client_secret: `${random}3` };
  expect(secretCandidates(shown).map(({ value }) => value.at(-1))).toEqual(['3', '2', '1', '0']);
});

test('a wrapped id is none, and a secret beside it is one, whatever is around it', () => {
  const id = 'Z2lkOi8vZGVzay93ZWJob29rLzEyMDAwMDU';
  const secret = 'kJ83hdYq02LmWc2RxVd8PnHsT6';
  const values = (json: unknown) => secretCandidates(json).map(({ value }) => value);
  expect(values({ _id: { $oid: id }, signing: { key: secret } })).toEqual([secret]);
  expect(values({ webhook: { id: { value: id } }, version: { secret } })).toEqual([secret]);
});

test('words in an object that is called a key are no secrets, and what looks like one is', () => {
  const apiKey = { mode: 'production', plan: 'enterprise', grants: ['ads:admin', 'ads:read'], pass: 'kX93vQ71' };
  expect(secretCandidates({ apiKey }).map(({ value }) => value)).toEqual(['kX93vQ71']);
});

test.each([
  ['base64 without a digit', 'JfXmQTWHieRyeNvVqHtTllLWGfcphieA', true],
  ['base64 with slashes, without a digit', 'Jf/mXTWHieRyeNvVq+HtTllLWGfcphie', true],
  ['the name of a zone', 'America/Argentina/Buenos_Aires', false],
  ['words in camel case', 'ConformanceAgentForBookingTests', false],
])('whether a text of letters is a secret depends on how they alternate: %s', (_, zebra, isSecret) => {
  expect(first({ zebra })).toBe(isSecret ? zebra : undefined);
});
