import { expect, test } from 'vitest';
import type { HeaderLines } from '../../../../results/exchange.ts';
import { shownSecrets } from '../../../../suites/reading/shown-secrets.ts';

const random = 'q7Hd02LkXw93ZpVb81NsTe5YfRu4Mc6A';
const key = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJ/Ut9Us8cKj';
const pem = `-----BEGIN KEY-----\n${key}\n${key}\n-----`;
const url = `https://receiver.test/in/${random}`;

test.for<[string, json: unknown, headers: HeaderLines, sent: unknown, secrets: readonly string[]]>([
  ['is in a link', { url: `https://x.test/activate/${random}?lang=en` }, [], {}, [random]],
  ['has the lines of a PEM block', { pem }, [], {}, [`KEY-----${key}${key}-----`]],
  ['is a session cookie', {}, [['Set-Cookie', `sess=${random}; HttpOnly`]], {}, [random]],
  ['is the id in a link', { links: { self: `/v1/webhooks/${random}` } }, [], {}, []],
  ['is an id that a field shows, too', { id: random, usage: `https://x.test/usage?of=${random}` }, [], {}, []],
  ['was sent', { note: `Calls go to ${url} now` }, [], { url }, []],
  ['is an id of the call', {}, [['X-Request-Id', `req ${random}`]], {}, []],
])('whether a piece of an answer is a secret: it %s', ([, json, headers, sent, secrets]) => {
  const shown = shownSecrets(json, headers, 'webhooks', sent);
  expect(secrets.length === 0 ? shown : secrets.filter((one) => !shown.includes(one))).toEqual([]);
});
