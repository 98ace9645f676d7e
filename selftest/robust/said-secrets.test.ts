import { expect, test } from 'vitest';
import type { WireResponse } from '../../suites/session/transport/transport.ts';
import { type Between, changing, jsonOf, saying, succeeds } from '../world/between.ts';
import { clausesOf, world } from '../world/world.ts';

type Fields = Readonly<Record<string, unknown>>;
type Written = Partial<Pick<WireResponse, 'headers'>> & { readonly body: string };

/** Answers registrations of webhooks with an answer that is written in another way, and notes their secrets. */
const answering = (write: (fields: Fields, body: string) => Written, secrets: string[]): Between =>
  changing(succeeds('POST /v1/webhooks'), (answer) => {
    const fields = jsonOf(answer);
    secrets.push(String(fields.secret));
    const { body, headers = [] } = write(fields, String(answer.body));
    return { ...saying(answer, body), headers: [...answer.headers, ...headers] };
  });

const withoutSecret = ({ secret: _, ...fields }: Fields): Fields => fields;
const texts = (fields: Fields): [string, string][] =>
  Object.entries(fields).map(([name, value]) => [name, String(value)]);

/** The clauses that register webhooks, but for those that search for a scheme: without a secret that takes seconds. */
const registering = clausesOf('workspace')
  .map(({ id }) => id)
  .filter((id) => /\.(webhooks|events)\./.test(id) && !/\.webhooks\.(signature|scheme)/.test(id));

test.each<[string, (fields: Fields, body: string) => Written]>([
  ['a form', (fields) => ({ body: new URLSearchParams(texts(fields)).toString() })],
  [
    'XML',
    (fields) => ({
      body: texts(fields)
        .map(([name, value]) => `<${name}>${value}</${name}>`)
        .join('\n'),
    }),
  ],
  [
    'lines',
    (fields) => ({
      body: texts(fields)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
    }),
  ],
  ['JSON with a comma too many', (_, body) => ({ body: body.replace(/}$/, ',}') })],
  ['two JSON documents', (_, body) => ({ body: `${body}\n${body}` })],
  [
    'JSON with a note',
    (fields) => ({
      body: JSON.stringify({ ...withoutSecret(fields), note: `Your signing secret is ${fields.secret}. Keep it.` }),
    }),
  ],
  [
    'a cookie',
    (fields) => ({
      body: JSON.stringify(withoutSecret(fields)),
      headers: [['Set-Cookie', `webhook_secret=${fields.secret}; Path=/`]],
    }),
  ],
  [
    'the query of a link',
    (fields) => ({
      body: JSON.stringify({ ...withoutSecret(fields), setup: `https://x.test/setup?secret=${fields.secret}&step=2` }),
    }),
  ],
])('a secret that a registration shows in %s is in no evidence and no finding', async (_, write) => {
  const secrets: string[] = [];
  const { exchanges, results, harm } = await world({
    api: 'workspace',
    choices: { 'webhook-secret': 'revealed', 'webhook-signature-key': 'base64' },
    between: [answering(write, secrets)],
    clauses: registering,
  });
  const shown = JSON.stringify([exchanges.map(({ response }) => [response?.text, response?.headers]), results]);
  expect(secrets.length).toBeGreaterThan(1);
  expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
  expect(harm).toEqual([]);
  expect(results.filter(({ verdict }) => verdict === 'broken')).toEqual([]);
});

test('the id of a key is no secret, though it is sent in place of one', async () => {
  const { exchanges } = await world({ api: 'developer' });
  const deletions = exchanges.filter(({ endpoint }) => endpoint === 'DELETE /api/v1/developer/keys/:id');
  expect(deletions.length).toBeGreaterThan(10);
  expect(deletions.filter(({ request }) => /%E2%80%A6|…/.test(request.url.replace(/\?.*/, '')))).toEqual([]);
});
