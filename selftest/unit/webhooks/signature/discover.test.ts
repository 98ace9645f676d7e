import { expect, test } from 'vitest';
import type { Discovery } from '../../../../webhooks/signature/describe.ts';
import { contentFormula, discoveryLines } from '../../../../webhooks/signature/describe.ts';
import { discoverAmong, discoverScheme } from '../../../../webhooks/signature/discover.ts';
import {
  deliver,
  found,
  hash,
  hexSecret,
  hmac,
  jwt,
  plain,
  type Sender,
  sendingOf,
  short,
  whsec,
} from '../deliveries.ts';

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
    'a value of 64 bytes, as of SHA-512; an HMAC-SHA256 has 32': ({ body }) => ({
      'x-paystack-signature': hmac(plain, body, 'hex', 'sha512'),
    }),
    'SHA-256 of the body without a key, not an HMAC': ({ body }) => ({ 'X-Signature': hash('sha256', body) }),
    'HMAC-SHA-256 under the key "undefined" instead of the secret': ({ body }) => ({
      'X-Signature': hmac('undefined', body),
    }),
    // HubSpot v2, Lark.
    'SHA-256 of the secret and the body, not an HMAC': ({ url, body }) => ({
      'X-HubSpot-Signature': hash('sha256', `${plain}POST${url}${body}`),
    }),
    // PayPal: by chance, a run between pluses and slashes has the size of an HMAC-SHA256.
    'a value of 256 bytes; an HMAC-SHA256 has 32': ({ n }) => ({
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
    '<JWS header>.<claims without the body>': ({ s }) => ({ Authorization: `Bearer ${jwt({ iat: Number(s) })}` }),
  },
  verified: {
    // Symfony's Webhook component.
    '<Webhook-Event><Webhook-Id><body>': ({ id, body }) => ({
      'Webhook-Event': 'booking.created',
      'Webhook-Id': id,
      'Webhook-Signature': `sha256=${hmac(plain, `booking.created${id}${body}`)}`,
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

test('a body that is not covered, as by Mailgun, whose signature is in it', () => {
  const body = (n: number): string => {
    const { id, s } = sendingOf(n);
    const signature = { token: `tok${id}`, timestamp: s, signature: hmac(plain, `${s}tok${id}`) };
    return JSON.stringify({ signature, 'event-data': { n, recipient: 'somebody@example.test', event: 'opened' } });
  };
  expect(toldOf(found(() => ({}), body))).toBe('<body /signature/timestamp><body /signature/token>');
});

test('the fields beside a signature in the body are the payload, or a time and a signature in the query are found', () => {
  const envelope = (n: number): string => {
    const payload = JSON.stringify({ n, note: 'x'.repeat(300) });
    return JSON.stringify({ payload, signature: hmac(plain, payload) });
  };
  const inQuery = deliver(() => ({})).map((one, n) => {
    const { s, body } = sendingOf(n);
    return { ...one, url: `${one.url}&ts=${s}&sig=${hmac(plain, `${s}.${body}`)}` };
  });
  const both = [found(() => ({}), envelope), discoverScheme(inQuery, plain)];
  expect(both.map((one) => [one.kind, toldOf(one)])).toEqual([
    ['verified', '<body /payload>'],
    ['verified', '<query ts>.<body>'],
  ]);
});

test('a large body, of which few contents can be tried', () => {
  const large = (n: number): string => JSON.stringify({ n, note: 'x'.repeat(500_000) });
  const sender: Sender = ({ id, s, body }) => ({
    'webhook-id': id,
    'webhook-timestamp': s,
    'webhook-signature': `v1,${hmac(plain, `${id}.${s}.${body}`, 'base64')}`,
  });
  expect(toldOf(found(sender, large))).toBe('<webhook-id>.<webhook-timestamp>.<body>');
});

const github =
  (secret: string): Sender =>
  ({ body }) => ({ 'X-Signature': hmac(secret, body) });

const secondBy =
  (other: Sender): Sender =>
  (sending) =>
    (sending.n === 1 ? other : github(plain))(sending);
test.for<[difference: string, words: string, other: Sender]>([
  ['unsigned', 'carries no signature of the size of an HMAC-SHA256', () => ({})],
  ['other-secret', 'is signed with the secret of another webhook', github('the other secret')],
  [
    'other-scheme',
    'is signed in another way than the rest',
    ({ s, body }) => ({ 'X-Time': s, 'X-Signature': hmac(plain, `${s}\n${body}`) }),
  ],
  [
    'mismatch',
    'is signed over a text other than the body sent: the body as compact JSON',
    ({ body }) => ({ 'X-Signature': hmac(plain, JSON.stringify(JSON.parse(body))) }),
  ],
  [
    'mismatch',
    'does not verify: the signature in X-Signature does not fit this content',
    ({ body }) => ({ 'X-Signature': hmac('yet another', body) }),
  ],
])('one delivery that differs: %s', ([difference, words, other]) => {
  const options = { otherSecrets: ['the other secret'], maxHmacs: short };
  expect(discoverScheme(deliver(secondBy(other)), plain, options)).toMatchObject({
    kind: 'inconsistent',
    odd: [{ index: 1, difference, says: words }],
  });
});

test('a first delivery under a secret that nobody knows, as while secrets rotate, hides no scheme', () => {
  const rotating: Sender = (sending) => github(sending.n === 0 ? 'the secret before' : plain)(sending);
  expect(discoverScheme(deliver(rotating), plain, { maxHmacs: short })).toMatchObject({
    kind: 'inconsistent',
    odd: [{ index: 0, difference: 'mismatch' }],
  });
});

test('most deliveries differ from one that is right: they sign the time alone', () => {
  const wrong: Sender = ({ s }) => ({ 'X-Time': s, 'X-Signature': hmac(plain, s) });
  const sent = deliver((sending) => (sending.n === 1 ? github(plain) : wrong)(sending));
  expect(discoverScheme(sent, plain, { maxHmacs: short })).toMatchObject({
    kind: 'inconsistent',
    odd: [0, 2].map((index) => ({ index, difference: 'mismatch' })),
  });
});

test('the right one of several secrets is found, and the secret of another webhook', () => {
  const options = { otherSecrets: ['the other secret'], maxHmacs: short };
  expect(discoverScheme(deliver(github('the other secret')), plain, options).says).toBe(
    'Not every delivery is signed in the same way: Deliveries 1, 2, 3: each is signed with the secret of another webhook',
  );
  expect(discoverAmong(deliver(github(plain)), [whsec, hexSecret, plain], options)).toMatchObject({
    secret: plain,
    discovery: { kind: 'verified' },
  });
});

test('notes say what weakens a scheme, and nothing shows the secret', () => {
  const lines = discoveryLines(found(({ body }) => ({ 'X-Key': plain, 'X-Signature': hmac(plain, body) })));
  expect(lines.join('\n')).toMatch(/No time is signed.*\n.*Header X-Key carries the secret itself/);
  expect(lines.join('\n')).not.toContain(plain);
});
