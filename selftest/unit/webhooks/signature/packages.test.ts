import { createHash } from 'node:crypto';
import { sign as octokitSign } from '@octokit/webhooks-methods';
import { createSigner, httpbis } from 'http-message-signatures';
import { expect, test } from 'vitest';
import { contentFormula } from '../../../../webhooks/signature/describe.ts';
import { discoverScheme } from '../../../../webhooks/signature/discover.ts';
import { deliver, plain, registered, type Sending, sendingOf } from '../deliveries.ts';

// The reference signs Standard Webhooks with the package of the standard: verify.test.ts finds it.
type Signs = (sending: Sending) => Promise<Record<string, string>>;

const octokit: Signs = async ({ body, id }) => ({
  'X-GitHub-Delivery': id,
  'X-Hub-Signature-256': await octokitSign(plain, body),
});

const messages =
  (...fields: string[]): Signs =>
  async ({ body, at }) => {
    const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
    const headers = { 'Content-Type': 'application/json', 'Content-Digest': digest };
    const key = createSigner(plain, 'hmac-sha256', 'webhook');
    const { headers: made } = await httpbis.signMessage(
      { key, name: 'sig1', fields, paramValues: { created: new Date(at) } },
      { method: 'POST', url: registered, headers },
    );
    const { 'Content-Type': _, ...added } = made as Record<string, string>;
    return added;
  };

const message = '<RFC 9421 signature base of sig1 with content-digest>';

test.for<[name: string, signs: Signs, formula: string]>([
  ['@octokit/webhooks-methods', octokit, '<body>'],
  ['http-message-signatures', messages('@method', '@target-uri', 'content-digest'), message],
])('deliveries that a package has signed: %s', async ([, signs, formula]) => {
  const headers = await Promise.all([0, 1, 2].map((n) => signs(sendingOf(n))));
  const sent = deliver(({ n, at }) => ({
    'User-Agent': 'sender/1.0',
    Date: new Date(at).toUTCString(),
    ...headers[n],
  }));
  const found = discoverScheme(sent, plain);
  expect(found.kind === 'verified' ? contentFormula(found.scheme) : found).toBe(formula);
});
