import { expect, test } from 'vitest';
import { shownSecrets } from '../../../../suites/reading/shown-secrets.ts';

const random = 'q7Hd02LkXw93ZpVb81NsTe5YfRu4Mc6A';
const pem = `-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\nMzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu\n-----END PRIVATE KEY-----\n`;

const holders: readonly (readonly [string, unknown, string])[] = [
  ['a link', { url: `https://x.test/activate/${random}` }, random],
  ['a query', { next: `https://x.test/activate?code=${random}&lang=en` }, random],
  ['the user of a link', { url: `https://u:${random}@x.test/` }, random],
  ['a sentence', { note: `Your code is '${random}', and it is shown once.` }, random],
  ['credentials', { header: `Basic ${random}` }, random],
  ['a list in a text', { all: `a, ${random}, b` }, random],
];

test.each(holders)('a random piece of a text is a secret: %s', (_, json, secret) => {
  expect(shownSecrets(json, [], 'keys')).toContain(secret);
});

test('the lines of a PEM block are one secret', () => {
  const body = pem.split('\n').slice(1, -2).join('');
  expect(shownSecrets({ pem }, [], 'keys').some((secret) => secret.includes(body))).toBe(true);
});

test('so is a session cookie', () => {
  expect(shownSecrets({}, [['Set-Cookie', `sess=${random}; HttpOnly`]], 'keys')).toContain(random);
});

const plain: readonly (readonly [string, unknown])[] = [
  ['the id in a link', { links: { self: `/v1/webhooks/${random}` } }],
  ['an id that a field shows, too', { id: random, usage: `https://x.test/usage?of=${random}` }],
  ['words with a year', { docs: 'https://x.test/docs/how-to-rotate-your-keys-2026-a-guide-for-teams' }],
  ['a time', { at: 'since 2026-11-28T04:44:11.123456Z' }],
  ['a UUID', { trace: 'urn:uuid:0b0a6ad2-6f0f-4c88-9d35-0c1b7b0f2f67' }],
  ['an address', { mail: 'Write to developer.relations.team2026@example.test' }],
];

test.each(plain)('no secret is %s', (_, json) => {
  expect(shownSecrets(json, [], 'webhooks')).toEqual([]);
});

test('no secret is what the request sent', () => {
  const url = `https://receiver.test/in/${random}`;
  expect(shownSecrets({ note: `Calls go to ${url} now` }, [], 'webhooks', { url })).toEqual([]);
});

test('no secret is an id of the call in a header', () => {
  expect(
    shownSecrets(
      {},
      [
        ['X-Request-Id', `req ${random}`],
        ['ETag', `W/"${random}"`],
      ],
      'keys',
    ),
  ).toEqual([]);
});
