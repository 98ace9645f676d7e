import { createHash } from 'node:crypto';
import { sign as octokitSign } from '@octokit/webhooks-methods';
import { createSigner, httpbis } from 'http-message-signatures';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import type { Delivery } from '../../../webhooks/signature/delivery.ts';
import { contentFormula } from '../../../webhooks/signature/describe.ts';
import { discoverScheme } from '../../../webhooks/signature/discover.ts';
import type { Discovery } from '../../../webhooks/signature/discovery.ts';
import { snippet } from '../../../webhooks/signature/snippet.ts';
import { verify } from '../../../webhooks/signature/verify.ts';
import type { Sending } from '../../unit/webhooks/signature/deliveries.ts';
import { deliver, plain, registered, sendingOf, whsec } from '../../unit/webhooks/signature/deliveries.ts';

const sendings = [0, 1, 2].map((n) => sendingOf(n));

/** Deliveries signed by a package. */
async function signedBy(sender: (sending: Sending) => Promise<Record<string, string>>): Promise<Delivery[]> {
  const headers = await Promise.all(sendings.map(sender));
  return deliver(({ n }) => headers[n] ?? {}, sendings);
}

const formulaOf = (found: Discovery): string =>
  found.kind === 'verified' ? contentFormula(found.scheme.content) : JSON.stringify(found);

test('signatures of the standardwebhooks package are found', async () => {
  const deliveries = await signedBy(({ id, at, s, body }) =>
    Promise.resolve({
      'webhook-id': id,
      'webhook-timestamp': s,
      'webhook-signature': new Webhook(whsec).sign(id, new Date(at), body),
    }),
  );
  expect(formulaOf(discoverScheme(deliveries, whsec))).toBe('<webhook-id>.<webhook-timestamp>.<body>');
});

test("signatures of Octokit's package are found", async () => {
  const deliveries = await signedBy(async ({ body, id }) => ({
    'X-GitHub-Delivery': id,
    'X-Hub-Signature-256': await octokitSign(plain, body),
  }));
  expect(formulaOf(discoverScheme(deliveries, plain))).toBe('<body>');
});

const messageSigned = (fields: string[]): Promise<Delivery[]> =>
  signedBy(async ({ body, at }) => {
    const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
    const request = {
      method: 'POST',
      url: registered,
      headers: { 'Content-Type': 'application/json', 'Content-Digest': digest },
    };
    const signed = await httpbis.signMessage(
      {
        key: createSigner(plain, 'hmac-sha256', 'webhook'),
        name: 'sig1',
        fields,
        paramValues: { created: new Date(at) },
      },
      request,
    );
    return Object.fromEntries(
      Object.entries(signed.headers)
        .filter(([name]) => name !== 'Content-Type')
        .map(([name, value]) => [name, String(value)]),
    );
  });

test('a signature of an RFC 9421 package over Content-Digest is found, and the verifying function works', async () => {
  const deliveries = await messageSigned(['@method', '@target-uri', '@authority', 'content-type', 'content-digest']);
  const found = discoverScheme(deliveries, plain);
  expect(formulaOf(found)).toBe('<RFC 9421 signature base of sig1 with content-digest>');
  if (found.kind !== 'verified') {
    return;
  }
  const code = snippet(found.scheme, 'node');
  const { verifyWebhook } = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)) as {
    verifyWebhook: (given: object) => boolean;
  };
  const says = (delivery: Delivery): boolean =>
    verifyWebhook({
      method: 'POST',
      path: delivery.url,
      registeredUrl: delivery.registeredUrl,
      rawBody: delivery.body,
      secret: plain,
      now: delivery.receivedAt,
      headers: Object.fromEntries(delivery.headers.map(([name, value]) => [name.toLowerCase(), value])),
    });
  const tampered = deliveries.map((delivery) => ({
    ...delivery,
    body: Buffer.concat([delivery.body, Buffer.from('\n')]),
  }));
  expect([deliveries.map(says), tampered.map(says)]).toEqual([
    [true, true, true],
    [false, false, false],
  ]);
  expect(tampered.map((delivery) => verify(found.scheme, delivery, plain).verified)).toEqual([false, false, false]);
});

test('an RFC 9421 signature that does not cover the body is reported', async () => {
  expect(discoverScheme(await messageSigned(['@method', '@target-uri']), plain).kind).toBe('body-not-covered');
});
