import { expect, test } from 'vitest';
import type { Discovery } from '../../../../webhooks/signature/describe.ts';
import { contentFormula, discoveryLines } from '../../../../webhooks/signature/describe.ts';
import { discoverScheme } from '../../../../webhooks/signature/discover.ts';
import { deliver, found, hash, hmac, jwt, plain, type Sender, sendingOf, short } from '../deliveries.ts';

/** Senders that cannot be verified, by what is found of them; of the last two kinds the algorithm, or what they sign. */
const senders: Readonly<Record<string, Readonly<Record<string, Sender>>>> = {
  unsigned: {
    'ids, and the secret itself': ({ id, s }) => ({
      'webhook-id': `msg_2bQmKz${id}0123456789abcdefg`,
      'webhook-timestamp': s,
      'X-Token': plain,
    }),
  },
  'unknown-content': {
    'a signature beside one of an older algorithm': ({ body, s }) => ({
      'X-Hub-Signature': `sha1=${hmac(plain, body, 'hex', 'sha1')}`,
      'X-Hub-Signature-256': `sha256=${hmac(plain, `acme~${s}~${body}~acme`)}`,
    }),
    'hexadecimal in groups': ({ body }) => ({ 'X-Signature': hmac(plain, body).replace(/(..)(?=.)/g, '$1:') }),
    'a JWS whose claim is the payload': ({ body, s }) => ({
      Authorization: `Bearer ${jwt({ iat: Number(s), payload: JSON.parse(body) as unknown })}`,
    }),
  },
  'other-algorithm': {
    // Twilio, Paystack.
    'a value of 20 bytes, as of SHA-1; an HMAC-SHA256 has 32': ({ body, url }) => ({
      'X-Twilio-Signature': hmac(plain, url + body, 'base64', 'sha1'),
    }),
    'a value of 64 bytes, as of SHA-512 or, with a key pair, Ed25519 or ECDSA; an HMAC-SHA256 has 32': ({ body }) => ({
      'x-paystack-signature': hmac(plain, body, 'hex', 'sha512'),
    }),
    'SHA-256 of the body without a key, not an HMAC': ({ body }) => ({ 'X-Signature': hash('sha256', body) }),
    'HMAC-SHA-256 under the key "undefined" instead of the secret': ({ body }) => ({
      'X-Signature': hmac('undefined', body),
    }),
    // `echo secret | base64` for Kubernetes.
    'HMAC-SHA-256 under the secret with a line feed instead of the secret': ({ body }) => ({
      'X-Signature': hmac(`${plain}\n`, body),
    }),
    // A column of a fixed length.
    'only the beginning of an HMAC-SHA-256': ({ s, body }) => ({
      'X-Signature': `t=${s},v1=${hmac(plain, `${s}.${body}`).slice(0, 32)}`,
    }),
    // HubSpot v2, Lark.
    'SHA-256 of the secret and the body, not an HMAC': ({ url, body }) => ({
      'X-HubSpot-Signature': hash('sha256', `${plain}POST${url}${body}`),
    }),
    // PayPal: by chance, a run between pluses and slashes has the size of an HMAC-SHA256.
    'a value of 256 bytes, as of RSA, with a key pair; an HMAC-SHA256 has 32': ({ n }) => ({
      'X-Signature': `${`${n}`.repeat(100)}+${'A'.repeat(43)}/${'B'.repeat(197)}==`,
    }),
    'JWS RS256': ({ n }) => ({
      'X-Signature-JWT': [Buffer.from('{"alg":"RS256"}'), Buffer.from(`{"n":${n}}`), Buffer.alloc(256, n)]
        .map((one) => one.toString('base64url'))
        .join('.'),
    }),
  },
  'body-not-covered': {
    '<method><URL>': ({ url }) => ({ 'X-Signature': hmac(plain, `POST${url}`) }),
    '<webhook-id>.<webhook-timestamp>.': ({ id, s }) => ({
      'webhook-id': id,
      'webhook-timestamp': s,
      'webhook-signature': `v1,${hmac(plain, `${id}.${s}.`, 'base64')}`,
    }),
    // monday.com.
    '<JWS header>.<claims without the body>': ({ s }) => ({
      Authorization: `Bearer ${jwt({ iat: Number(s), accountId: 7, userId: 11 })}`,
    }),
  },
  verified: {
    // Symfony's Webhook component.
    '<Webhook-Event><Webhook-Id><body>': ({ id, body }) => ({
      'Webhook-Event': 'booking.created',
      'Webhook-Id': id,
      'Webhook-Signature': `sha256=${hmac(plain, `booking.created${id}${body}`)}`,
    }),
    '<body>': ({ s, body }) => ({
      Authorization: `Bearer ${jwt({ iat: Number(s), sub: 'hooks' })}`,
      'X-Signature': hmac(plain, body),
    }),
    // ConfigCat: a nonce that has the size of a digest.
    '<X-Nonce><X-Timestamp><body>': ({ n, s, body }) => ({
      'X-Nonce': hash('sha256', `${n}`),
      'X-Timestamp': s,
      'X-Signature': hmac(plain, `${hash('sha256', `${n}`)}${s}${body}`),
    }),
  },
};

/** What is found of deliveries, as the table tells it. */
const toldOf = (one: Discovery): string | undefined =>
  one.kind === 'other-algorithm'
    ? one.says.replace(/^.* holds /, '')
    : 'scheme' in one
      ? contentFormula(one.scheme)
      : undefined;

test.for(Object.entries(senders).flatMap(([kind, all]) => Object.entries(all).map((row) => [kind, ...row] as const)))(
  '%s: %s',
  ([kind, what, sender]) => {
    const one = found(sender, undefined, kind === 'body-not-covered' ? undefined : short);
    expect([one.kind, toldOf(one) ?? what]).toEqual([kind, what]);
  },
);

const github =
  (secret: string): Sender =>
  ({ body }) => ({ 'X-Signature': hmac(secret, body) });

const nothing: Sender = () => ({});
test.for<[what: string, told: string, sender: Sender, body: (n: number) => string]>([
  [
    'a body that is not covered, as by Mailgun, whose signature is in it',
    'body-not-covered: <body /signature/timestamp><body /signature/token>',
    nothing,
    (n) => {
      const { id, s } = sendingOf(n);
      const signature = { token: `tok${id}`, timestamp: s, signature: hmac(plain, `${s}tok${id}`) };
      return JSON.stringify({ signature, 'event-data': { n, recipient: 'somebody@example.test', event: 'opened' } });
    },
  ],
  [
    'the fields beside a signature in the body are the payload',
    'verified: <body /payload>',
    nothing,
    (n) => {
      const payload = JSON.stringify({ n, note: 'x'.repeat(300) });
      return JSON.stringify({ payload, signature: hmac(plain, payload) });
    },
  ],
  [
    'a large body, of which few contents can be tried',
    'verified: <webhook-id>.<webhook-timestamp>.<body>',
    ({ id, s, body }) => ({
      'webhook-id': id,
      'webhook-timestamp': s,
      'webhook-signature': `v1,${hmac(plain, `${id}.${s}.${body}`, 'base64')}`,
    }),
    (n) => JSON.stringify({ n, note: 'x'.repeat(500_000) }),
  ],
])('%s: %s', ([, told, sender, body]) => {
  const one = found(sender, body);
  expect(`${one.kind}: ${toldOf(one)}`).toBe(told);
});

// PandaDoc.
test('a time and a signature in the query are found', () => {
  const inQuery = deliver(nothing).map((one, n) => {
    const { s, body } = sendingOf(n);
    return { ...one, url: `${one.url}&ts=${s}&sig=${hmac(plain, `${s}.${body}`)}` };
  });
  expect(toldOf(discoverScheme(inQuery, plain))).toBe('<query ts>.<body>');
});

const otherSecret = 'is signed with the secret of another webhook';
const anotherContent = 'does not verify: the signature in X-Signature does not fit this content';
const overTime: Sender = ({ s }) => ({ 'X-Time': s, 'X-Signature': hmac(plain, s) });

test.for<[what: string, which: number[], difference: string, says: string, other: Sender]>([
  ['unsigned', [1], 'unsigned', 'carries no signature of the size of an HMAC-SHA256', nothing],
  ['of another webhook', [1], 'other-secret', otherSecret, github('the other secret')],
  ['all of another webhook', [0, 1, 2], 'other-secret', otherSecret, github('the other secret')],
  [
    'another scheme',
    [1],
    'other-scheme',
    'is signed in another way than the rest',
    ({ s, body }) => ({ 'X-Time': s, 'X-Signature': hmac(plain, `${s}\n${body}`) }),
  ],
  [
    'compact JSON',
    [1],
    'mismatch',
    'is signed over a text other than the body sent: the body as compact JSON',
    ({ body }) => ({ 'X-Signature': hmac(plain, JSON.stringify(JSON.parse(body))) }),
  ],
  ['a secret that nobody knows', [1], 'mismatch', anotherContent, github('yet another')],
  ['the first one, as while secrets rotate', [0], 'mismatch', anotherContent, github('the secret before')],
  ['most sign the time alone', [0, 2], 'mismatch', anotherContent, overTime],
])('deliveries that differ: %s', ([, which, difference, says, other]) => {
  const sent = deliver((sending) => (which.includes(sending.n) ? other : github(plain))(sending));
  const numbers = which.map((index) => index + 1).join(', ');
  const told = which.length === 1 ? `Delivery ${numbers} ${says}` : `Deliveries ${numbers}: each ${says}`;
  expect(discoverScheme(sent, plain, { otherSecrets: ['the other secret'], maxHmacs: short })).toMatchObject({
    kind: 'inconsistent',
    says: `Not every delivery is signed in the same way: ${told}`,
    odd: which.map((index) => ({ index, difference, says })),
  });
});

test('notes say what weakens a scheme, and nothing shows the secret', () => {
  const lines = discoveryLines(found(({ body }) => ({ 'X-Key': plain, 'X-Signature': hmac(plain, body) })));
  expect(lines.join('\n')).toMatch(/No time is signed.*\n.*Header X-Key carries the secret itself/);
  expect(lines.join('\n')).not.toContain(plain);
});
