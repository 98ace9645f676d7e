import { createHash } from 'node:crypto';
import { sign as octokitSign } from '@octokit/webhooks-methods';
import { createSigner, httpbis } from 'http-message-signatures';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { contentFormula } from '../../../../webhooks/signature/describe.ts';
import { discoverScheme } from '../../../../webhooks/signature/discover.ts';
import { deliver, plain, registered, type Sending, sendingOf, whsec } from '../deliveries.ts';

/** What is found of deliveries that a package has signed. */
async function formulaOf(
  secret: string,
  sender: (sending: Sending) => Promise<Record<string, string>>,
): Promise<string> {
  const headers = await Promise.all([0, 1, 2].map((n) => sender(sendingOf(n))));
  const found = discoverScheme(
    deliver(({ n, at }) => ({
      'User-Agent': 'sender/1.0',
      Date: new Date(at).toUTCString(),
      traceparent: `00-4bf92f3577b34da6a3ce929d0e0e473${n}-00f067aa0ba902b7-01`,
      ...headers[n],
    })),
    secret,
  );
  return found.kind === 'verified' ? contentFormula(found.scheme) : JSON.stringify(found);
}

test('standardwebhooks', async () => {
  const formula = await formulaOf(whsec, async ({ id, at, s, body }) => ({
    'webhook-id': id,
    'webhook-timestamp': s,
    'webhook-signature': new Webhook(whsec).sign(id, new Date(at), body),
  }));
  expect(formula).toBe('<webhook-id>.<webhook-timestamp>.<body>');
});

test('@octokit/webhooks-methods', async () => {
  const formula = await formulaOf(plain, async ({ body, id }) => ({
    'X-GitHub-Delivery': id,
    'X-Hub-Signature-256': await octokitSign(plain, body),
  }));
  expect(formula).toBe('<body>');
});

test.for([
  [['@method', '@target-uri', 'content-digest'], '<RFC 9421 signature base of sig1 with content-digest>'],
  [
    ['@authority', '@path', '@query', 'content-digest', 'content-type'],
    '<RFC 9421 signature base of sig1 with content-digest>',
  ],
] as const)('http-message-signatures over %j', async ([fields, expected]) => {
  const formula = await formulaOf(plain, async ({ body, at }) => {
    const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
    const headers = { 'Content-Type': 'application/json', 'Content-Digest': digest };
    const signed = await httpbis.signMessage(
      {
        key: createSigner(plain, 'hmac-sha256', 'webhook'),
        name: 'sig1',
        fields: [...fields],
        paramValues: { created: new Date(at) },
      },
      { method: 'POST', url: registered, headers },
    );
    const { 'Content-Type': _, ...added } = signed.headers as Record<string, string>;
    return added;
  });
  expect(formula).toBe(expected);
});
