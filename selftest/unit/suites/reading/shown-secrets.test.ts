import { expect, test } from 'vitest';
import { endpointOf } from '../../../../contract/endpoints.ts';
import type { HeaderLines } from '../../../../results/exchange.ts';
import { findSecrets } from '../../../../suites/developer/keys/run-key.ts';
import { shownSecrets } from '../../../../suites/reading/shown-secrets.ts';
import { secretsShown } from '../../../../suites/workspace/events/secrets.ts';

const random = 'q7Hd02LkXw93ZpVb81NsTe5YfRu4Mc6A';
const key = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJ/Ut9Us8cKj';
const pem = `-----BEGIN KEY-----\n${key}\n${key}\n-----`;
const url = `https://receiver.test/in/${random}`;

test.for<[string, json: unknown, headers: HeaderLines, sent: unknown, secrets: readonly string[]]>([
  ['is in a link', { url: `https://x.test/activate/${random}?lang=en` }, [], {}, [random]],
  ['is the user of a link', { url: `https://u:${random}@x.test/` }, [], {}, [random]],
  ['is in a sentence', { note: `Your code is '${random}', and it is shown once.` }, [], {}, [random]],
  ['has the lines of a PEM block', { pem }, [], {}, [`KEY-----${key}${key}-----`]],
  ['is a session cookie', {}, [['Set-Cookie', `sess=${random}; HttpOnly`]], {}, [random]],
  ['is the id in a link', { links: { self: `/v1/webhooks/${random}` } }, [], {}, []],
  ['is an id that a field shows, too', { id: random, usage: `https://x.test/usage?of=${random}` }, [], {}, []],
  ['is words with a year', { docs: 'https://x.test/docs/how-to-rotate-your-keys-2026-a-guide-for-teams' }, [], {}, []],
  ['is a time', { at: 'since 2026-11-28T04:44:11.123456Z' }, [], {}, []],
  ['was sent', { note: `Calls go to ${url} now` }, [], { url }, []],
  ['is an id of the call', {}, [['X-Request-Id', `req ${random}`]], {}, []],
])('whether a piece of an answer is a secret: it %s', ([, json, headers, sent, secrets]) => {
  const shown = shownSecrets(json, headers, 'webhooks', sent);
  expect(secrets.length === 0 ? shown : secrets.filter((one) => !shown.includes(one))).toEqual([]);
});

const secret = 'svc_live_aaaaaaaaaaaaaaaa9fK2mQ7x';

test.each<[string, object, string[]]>([
  ['by the prefix, in whatever field', { id: 'key_1', key: secret.slice(0, 13), shown_once: secret }, [secret]],
  ['by the name of the field', { id: 'key_1_a8f3c9d2e7b1', apiKey: 'sk-9fK2mQ7xB4tR', name: 'x' }, ['sk-9fK2mQ7xB4tR']],
  ['in the command of an example', { id: 'key_1', try: `curl -H "X-API-Key: ${secret}" https://x` }, [secret]],
  ['not where it is masked', { id: 'key_1', key: 'svc_test_••••••••••••9fK2' }, []],
])('the secret of a new key is found %s', (_, json, found) => {
  expect(findSecrets(json).map(({ secret: one }) => one)).toEqual(found);
});

test('a registration may show its secret under any name; the words of a refusal, such as those of ajv, are none', () => {
  const call = { endpoint: endpointOf('POST /v1/webhooks') };
  const word = 'additionalProperties';
  expect(secretsShown({ id: 'we_1', macKey: word }, call, [])).toEqual([word]);
  expect(secretsShown({ error: { code: 'invalid', message: 'no', status: 400, keyword: word } }, call, [])).toEqual([]);
});
