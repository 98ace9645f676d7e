import { createHash, createHmac } from 'node:crypto';
import { verify as octokitVerify } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { workspaceChoices } from '../../fixtures/reference/workspace/choices.ts';
import { schemes } from '../../fixtures/reference/workspace/schemes.ts';
import { keyOf, type KeyForm, type Signing } from '../../fixtures/reference/workspace/signer.ts';
import { discoverScheme } from '../../suites/kit/signature/discover.ts';
import type { Delivery } from '../../suites/kit/signature/delivery.ts';

const secrets: Readonly<Record<KeyForm, string>> = {
  text: 'whsec_T25lIHNlY3JldCBmb3Igd2ViaG9vayBvbmUrLz8=',
  stripped: 'whsec_T25lIHNlY3JldCBmb3Igd2ViaG9vayBvbmUrLz8=',
  whsec: 'whsec_T25lIHNlY3JldCBmb3Igd2ViaG9vayBvbmUrLz8=',
  base64: 'T25lIHNlY3JldCBmb3Igd2ViaG9vayBvbmUrLz8=',
  hex: '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff',
};

const url = 'https://receiver.example/hooks?tenant=7';

function signingOf(name: string, number = 0): Signing {
  const { keyForm = 'text' } = schemes[name] ?? {};
  const secret = secrets[keyForm];
  return {
    secret,
    key: keyOf(secret, keyForm),
    url,
    method: 'POST',
    attempt: 1,
    event: 'booking.created',
    id: `msg_${number}kXz`,
    at: Date.UTC(2026, 2, 14, 9, 26, 53, 589) + number * 7_321,
    body: JSON.stringify({ type: 'booking.created', data: { id: `bkg_${number}`, note: 'Zürich' } }),
  };
}

const sign = (name: string, signing = signingOf(name)): Record<string, string> => schemes[name]?.sign(signing) ?? {};
const mac = (key: string | Buffer, content: string, encoding: 'hex' | 'base64' = 'hex'): string =>
  createHmac('sha256', key).update(content).digest(encoding);

describe('the schemes that were asked for, by formulas of their vendors', () => {
  const { body, id, secret } = signingOf('stripe');
  const [s, ms] = ['1773480413', '1773480413589'];

  test('Standard Webhooks: the package accepts the secret as a text', () => {
    const at = new Date(Number(s) * 1000);
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': s,
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    };
    expect(sign('default')).toEqual(headers);
  });
  test('Svix: the same under its own names', () => {
    expect(sign('svix')['svix-signature']).toBe(sign('default')['webhook-signature']);
  });
  test('GitHub: its package accepts it', async () => {
    expect(await octokitVerify(secret, body, sign('github')['X-Hub-Signature-256'] ?? '')).toBe(true);
    expect(await octokitVerify(secret, `${body} `, sign('github')['X-Hub-Signature-256'] ?? '')).toBe(false);
  });
  test('GitHub: the example of its documentation', () => {
    const example = { ...signingOf('github'), key: Buffer.from("It's a Secret to Everybody"), body: 'Hello, World!' };
    expect(sign('github', example)).toEqual({
      'X-Hub-Signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    });
  });
  test.each<[string, Record<string, string>]>([
    ['stripe', { 'Stripe-Signature': `t=${s},v1=${mac(secret, `${s}.${body}`)}` }],
    ['slack', { 'X-Slack-Request-Timestamp': s, 'X-Slack-Signature': `v0=${mac(secret, `v0:${s}:${body}`)}` }],
    ['shopify', { 'X-Shopify-Hmac-Sha256': mac(secret, body, 'base64') }],
    [
      'hubspot',
      { 'X-HubSpot-Request-Timestamp': ms, 'X-HubSpot-Signature-v3': mac(secret, `POST${url}${body}${ms}`, 'base64') },
    ],
    ['paddle', { 'Paddle-Signature': `ts=${s};h1=${mac(secret, `${s}:${body}`)}` }],
    ['square', { 'x-square-hmacsha256-signature': mac(secret, url + body, 'base64') }],
    ['squarespace', { 'Squarespace-Signature': mac(Buffer.from(secrets.hex, 'hex'), body) }],
    ['teams', { Authorization: `HMAC ${mac(Buffer.from(secrets.base64, 'base64'), body, 'base64')}` }],
  ])('%s', (name, headers) => {
    expect(sign(name)).toEqual(headers);
  });
  test('Slack: the example of its documentation', () => {
    const example = {
      ...signingOf('slack'),
      key: Buffer.from('8f742231b10e8888abcd99yyyzzz85a5'),
      at: 1_531_420_618_000,
      body:
        'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA' +
        '&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F' +
        '96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
    };
    expect(sign('slack', example)['X-Slack-Signature']).toBe(
      'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    );
  });
  test('JWS: the claim is the hash of the body', () => {
    const [head = '', claims = '', signature] = (sign('jws')['X-Webhook-Signature-JWT'] ?? '').split('.');
    expect(signature).toBe(createHmac('sha256', secret).update(`${head}.${claims}`).digest('base64url'));
    const { request_body_sha256: hash } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<
      string,
      unknown
    >;
    expect(hash).toBe(createHash('sha256').update(body).digest('base64'));
  });
});

describe('every scheme', () => {
  const names = Object.keys(schemes);

  test('is a value of the choice webhook-signature, beside one that nobody can find out', () => {
    const values = Object.keys(workspaceChoices.find(({ name }) => name === 'webhook-signature')?.values ?? {});
    expect(['default', ...values]).toEqual([...names, 'peppered']);
    expect(names.length).toBeGreaterThan(24);
  });

  test.each(names)('%s depends on payload and key', (name) => {
    const signing = signingOf(name);
    const others = [
      { ...signing, body: signing.body.replace('bkg_0', 'bkg_1') },
      { ...signing, key: Buffer.from('another key, and as good') },
    ];
    for (const other of others) expect(sign(name, other)).not.toEqual(sign(name, signing));
    expect(sign(name, signing)).toEqual(sign(name, signing));
  });

  test.each(names)('%s is found by the suite from two deliveries', (name) => {
    const deliveries = [0, 1].map((number): Delivery => {
      const signing = signingOf(name, number);
      const headers = Object.entries({ 'Content-Type': 'application/json', ...sign(name, signing) });
      return {
        method: 'POST',
        url: '/hooks?tenant=7',
        registeredUrl: url,
        receivedAt: signing.at + 90,
        body: Buffer.from(signing.body),
        headers,
      };
    });
    expect(discoverScheme(deliveries, signingOf(name).secret).kind).toBe('verified');
    expect(
      discoverScheme(deliveries, `${signingOf(name).secret.slice(0, -4)}AAA=`, { lastResort: false }).kind,
    ).not.toBe('verified');
  });
});
