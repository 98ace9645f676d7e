import { expect, test } from 'vitest';
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
const valuesIn = (json: unknown): string[] => secretCandidates(json).map(({ value }) => value);

test.for<[what: string, fields: object, secret: string]>([
  ['a name above its wrappers', { signingKey: { $binary: { base64: random, subType: '00' } } }, random],
  ['no name at all', { attributes: [['x', random]] }, random],
  ['whsec_ under a meaningless name', { zebra: `whsec_${random}` }, `whsec_${random}`],
  ['base64 without a digit', { zebra: 'JfXmQTWHieRyeNvVqHtTllLWGfcphieA' }, 'JfXmQTWHieRyeNvVqHtTllLWGfcphieA'],
])('the secret is found first: %s', ([, fields, secret]) => {
  expect(valuesIn({ data: { ...webhook, ...fields } })[0]).toBe(secret);
});

test('nothing else of a webhook or its response is taken for a secret', () => {
  const headers = [
    ['ETag', '"33a64df551425fcc55e4d42a148795d9f25f89d4"'],
    ['X-Request-Id', 'r8Kz2Lq8Xv4Tn6Rw1Yb7Jd3Hs5Gf0Mc'],
    ['CF-Ray', '8f3kd92mm10xkq7p-FRA'],
    ['Location', '/v1/webhooks/calm-otter-9802'],
    ['X-RateLimit-Reset', '1790510400'],
    ['NEL', '{"success_fraction":0,"report_to":"cf-nel","max_age":604800}'],
  ] as const;
  const more = {
    secret_hint: 'p9Zk2Lq8',
    secret: 'whsec_********',
    key: 'p9Zk…',
    secret_created_at: '20260131T080000Z',
    zone: 'America/Argentina/Buenos_Aires',
    title: 'ConformanceAgentForBookingTests',
  };
  expect(secretCandidates({ data: { ...webhook, ...more } }, headers)).toEqual([]);
});

test('likelier names come first, each text once, and texts that the request sent are left out', () => {
  const shown = { description: random, token: random, zebra: `${random}9`, other: `${random}8`, secret: `${random}1` };
  const found = secretCandidates(shown, [['X-Signing-Key', `${random}2`]], { note: `${random}9` });
  expect(found.map(({ value, place, named }) => [value, place, named])).toEqual([
    [`${random}1`, '/secret', true],
    [`${random}2`, 'header X-Signing-Key', true],
    [random, '/token', true],
    [`${random}8`, '/other', false],
  ]);
});

test('words in an object that is called a key are no secrets, and what looks like one is', () => {
  const apiKey = { mode: 'production', plan: 'enterprise', grants: ['ads:admin', 'ads:read'], pass: 'kX93vQ71' };
  expect(valuesIn({ apiKey })).toEqual(['kX93vQ71']);
});
