import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor } from '../../../common/redact.ts';
import { clauses } from '../../../contract/clauses.ts';
import { givesAway, longestShownPart, redactorOf, secretAndRandom, text } from './secrets.ts';

const key = 'svc_test_gq09VY3uceWqt4pBMWmGecD1Elv7uXJH';
const sentence = 'correct horse & "battery" <staple>';
const inHtml = (secret: string): string =>
  secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const base64At = (secret: string, before: string): string => Buffer.from(`${before}${secret}!`).toString('base64');

test.for<[form: string, write: (secret: string) => string]>([
  ['as it is', (secret) => secret],
  ['in capitals', (secret) => secret.toUpperCase()],
  ['cut at both ends', (secret) => secret.slice(11, -3)],
  ['in a URL', encodeURIComponent],
  ['in a URL in a URL', (secret) => encodeURIComponent(encodeURIComponent(secret))],
  ['in a form', (secret) => new URLSearchParams({ secret }).toString()],
  ['in JSON', JSON.stringify],
  ['in HTML', inHtml],
  ['in hexadecimal digits', (secret) => Buffer.from(secret).toString('hex')],
  ['as basic credentials', (secret) => `Basic ${Buffer.from(`${secret}:`).toString('base64')}`],
  ['as basic credentials behind a user', (secret) => `Basic ${Buffer.from(`key:${secret}`).toString('base64')}`],
  ['in base64 behind two bytes', (secret) => base64At(secret, 'me')],
  ['in base64url', (secret) => Buffer.from(secret).toString('base64url')],
])('a learnt secret is removed %s', ([, write]) => {
  for (const secret of [key, sentence, 'pässwört-für-gäste-ünd-ändere']) {
    const written = write(secret);
    const cleaned = redactorOf(secret).clean(`before ${written} behind`);
    expect(cleaned).toMatch(/^before .*….* behind$/s);
    // What is left are the prefix, and pieces around marks that each encoder writes in its own way.
    expect(cleaned.length).toBeLessThan(written.length / 2 + 30);
  }
});

test('a learnt secret is removed down to parts of eight characters, wherever they stand', () => {
  fc.assert(
    fc.property(secretAndRandom, fc.nat(40), fc.nat(40), text, ({ secret, part }, from, to, around) => {
      const piece = part.slice(from, from + 8 + to);
      const { clean } = redactorOf(secret);
      const cleaned = clean(`${around} ${piece} ${around}`);
      expect(longestShownPart(cleaned, part)).not.toSatisfy(givesAway);
      expect(clean(cleaned)).toBe(cleaned);
    }),
  );
  expect(redactorOf(key).clean(`seven are few, ${key.slice(-7)}`)).toBe(`seven are few, ${key.slice(-7)}`);
});

test('a learnt secret is removed but for its prefix, and the text around it', () => {
  const { clean } = redactorOf(key, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_MfKQ9r8GKYqrAndMore');
  expect(clean(`{"a":"${key}","b":1}`)).toBe('{"a":"svc_test_…","b":1}');
  expect(clean(`${key}${key}`)).toBe('svc_test_…svc_test_…');
  expect(clean('x whsec_MfKQ9r8GKYqrAndMore y')).toBe('x whsec_… y');
});

test('a text with the tag of the run is no secret, unless it has the prefix of a key', () => {
  const { isOwn } = createRedactor(['run-k7q2']);
  expect(['run-k7q2-17-without-sche', 'svc_test_run-k7q2-Ab3dE9', 'Ab3dE9fGh2'].map(isOwn)).toEqual([
    true,
    false,
    false,
  ]);
});

test.for([
  'svc_test_ and svc_live_ are the prefixes of keys',
  `svc_test_${'*'.repeat(120)}`,
  'svc_live_xxxxxxxxxxxxxxxx',
  'a run marks its records with conformance-1a2b3c4d, and CONFORMANCE-1A2B3C4D is the same mark',
  '00000000000000000000',
  '2026-11-22T03:23:15.123Z',
])('no secret, and unchanged: %s', (plain) => {
  const { clean } = redactorOf(key, `svc_test_${'*'.repeat(40)}`, 'whsec_conformance-1a2b3c4d', '0000000000000000');
  expect(clean(plain)).toBe(plain);
});

test('no secret, and unchanged: whatever it is', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.base64String(),
    text,
    fc.webUrl({ withQueryParameters: true }),
  );
  fc.assert(
    fc.property(secretAndRandom, anyText, ({ secret }, other) => {
      fc.pre(longestShownPart(other, secret).length < 8);
      expect(redactorOf(secret).clean(other)).toBe(other);
    }),
  );
});

test('no secret, and unchanged: the words of the documents, even if a secret contains them', () => {
  const { clean } = redactorOf('workspace', 'developer.auth.missing-key', 'developer.auth.missing-key-81f0');
  for (const { id, title } of clauses) {
    expect(clean(`${id} ${title}`)).toBe(`${id} ${title}`);
  }
  expect(clean('developer.auth.missing-key-81f0')).toBe('developer.auth.miss…');
});

test('no secret, and unchanged: a UUID that shares eight digits with a secret by chance', () => {
  const [shared, secret] = ['06dc2554-5eec-49dd-83a3-aae0123456fc', 'svc_test_77e0123456789f1b2c3d4e5f60718293'];
  const { clean } = redactorOf(secret, '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed');
  expect(clean(`{"trace_id":"${shared}"}`)).toBe(`{"trace_id":"${shared}"}`);
  expect(clean('e0123456789f')).toBe('…');
  expect(clean('"1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed"')).toBe('"…"');
});

test('keys of the developer API are recognised by their form', () => {
  const { clean } = createRedactor();
  expect(clean('{"a":"svc_test_Abc123XYZ","b":"SVC_LIVE_0123456789"}')).toBe('{"a":"svc_test_…","b":"SVC_LIVE_…"}');
  expect(clean(encodeURIComponent('"svc_test_Abc123XYZ"'))).toBe('%22svc_test_…%22');
});

test('JSON is cleaned by its values: names, texts, numbers', () => {
  const { cleanJson, cleanBody } = redactorOf(key, '9876543210123');
  expect(cleanJson({ [key]: [key, 9876543210123, 98, null, true], plain: 'x' })).toEqual({
    'svc_test_…': ['svc_test_…', '…', 98, null, true],
    plain: 'x',
  });
  const clean = { data: [{ id: 'a' }] };
  expect(cleanJson(clean)).toBe(clean);
  expect(cleanBody('{ "id": 1,  "success": false }').text).toBe('{ "id": 1,  "success": false }');
  const escaped = key.replace('g', String.raw`\u0067`);
  for (const body of [`{"echo":"${escaped}"}`, `{"echo":"${key}","echo":"svc_test_…"}`]) {
    expect(cleanBody(body).text).toBe('{"echo":"svc_test_…"}');
  }
  expect(cleanBody(`no JSON: ${key}`).text).toBe('no JSON: svc_test_…');
});
