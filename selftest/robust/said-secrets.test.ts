import { expect, test } from 'vitest';
import { changing, jsonOf, saying, succeeds } from '../world/between.ts';
import { creating, run } from './run.ts';

type Fields = Readonly<Record<string, unknown>>;

const lines = (fields: Fields, write: (name: string, value: string) => string): string =>
  Object.entries(fields)
    .map(([name, value]) => write(name, String(value)))
    .join('\n');

/** How registrations of webhooks show a secret; for JSON and cookies: unit/suites/reading/shown-secrets.test.ts. */
const ways: Readonly<Record<string, (fields: Fields) => string>> = {
  'a form': (fields) => new URLSearchParams(fields as Record<string, string>).toString(),
  XML: (fields) => lines(fields, (name, value) => `<${name}>${value}</${name}>`),
  lines: (fields) => lines(fields, (name, value) => `${name}: ${value}`),
  'JSON with a comma too many': (fields) => JSON.stringify(fields).replace(/}$/, ',}'),
  'two JSON documents': (fields) => `${JSON.stringify(fields)}\n${JSON.stringify(fields)}`,
};

/** The clauses that register webhooks, but for those that search for a scheme: without a secret that takes seconds. */
const registering = creating('workspace').filter(
  (id) => /\.(webhooks|events)\./.test(id) && !/\.webhooks\.(signature|scheme)/.test(id),
);

test.each(Object.entries(ways))(
  'a secret that a registration shows in %s is in no evidence and no finding',
  async (_, write) => {
    const secrets: string[] = [];
    const between = changing(succeeds('POST /v1/webhooks'), (answer) => {
      const fields = jsonOf(answer);
      secrets.push(String(fields.secret));
      return saying(answer, write(fields));
    });
    const choices = { 'webhook-secret': 'revealed', 'webhook-signature-key': 'base64' };
    const { exchanges, results } = await run(registering, { choices, between });
    const shown = JSON.stringify([exchanges.map(({ response }) => [response?.text, response?.headers]), results]);
    expect(secrets.length).toBeGreaterThan(1);
    expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
  },
);

test('that the list of webhooks shows secrets is told', async () => {
  const secret = '"signing_secret":"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"';
  const between = changing(succeeds('GET /v1/webhooks'), (answer) =>
    saying(answer, String(answer.body).replaceAll('"url":', `${secret},"url":`)),
  );
  const { resultOf } = await run('workspace.webhooks.scheme', { between });
  const notes = expect.arrayContaining([expect.stringMatching(/^GET \/v1\/webhooks shows the secrets/)]);
  expect(resultOf('webhooks.scheme')).toMatchObject({ verdict: 'observed', observed: { notes } });
});

test('the id of a key is no secret, though it is sent in place of one', async () => {
  const { exchanges } = await run(['developer.auth.invalid-key', 'developer.keys.delete', 'developer.keys.rotate']);
  const deletions = exchanges.filter(({ endpoint }) => endpoint === 'DELETE /api/v1/developer/keys/:id');
  expect(deletions.length).toBeGreaterThan(2);
  expect(deletions.filter(({ request }) => /%E2%80%A6|…/.test(request.url.replace(/\?.*/, '')))).toEqual([]);
});
