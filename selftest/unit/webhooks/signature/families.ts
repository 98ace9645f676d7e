import { createHash } from 'node:crypto';
import type { Sender } from './deliveries.ts';
import { base64Secret, hexSecret, hmac, plain, whsec } from './deliveries.ts';

/** One way in which real services sign the payload, and what discovery is to say of it. */
export interface Family {
  readonly name: string;
  readonly secret: string;
  readonly sender: Sender;
  readonly formula: string;
  readonly encoding?: 'base64' | 'base64url' | 'base64-hex';
  /** `decode` or `strip|decode`; the whole secret as text where none is given. */
  readonly key?: string;
  readonly template?: string;
}

const whsecKey = Buffer.from(whsec.slice(6), 'base64');
const b64 = (key: string | Buffer, text: string): string => hmac(key, text, 'base64');
const jwt = (claims: object): string => {
  const input = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((each) => Buffer.from(JSON.stringify(each)).toString('base64url'))
    .join('.');
  return `${input}.${hmac(plain, input, 'base64url')}`;
};

/** Families 1a to 18 of the services that sign with HMAC-SHA256, by the grammar of their headers. */
export const families: readonly Family[] = [
  {
    name: '1a bare hex',
    secret: plain,
    formula: '<body>',
    template: '{signature}',
    sender: ({ body }) => ({ 'X-Signature': hmac(plain, body) }),
  },
  {
    name: '1a upper-case hex',
    secret: plain,
    formula: '<body>',
    sender: ({ body }) => ({ 'X-Signature': hmac(plain, body).toUpperCase() }),
  },
  {
    name: '1b GitHub',
    secret: plain,
    formula: '<body>',
    template: 'sha256={signature}',
    sender: ({ body, id }) => ({
      'X-GitHub-Delivery': id,
      'X-Hub-Signature': `sha1=${hmac(plain, body, 'hex', 'sha1')}`,
      'X-Hub-Signature-256': `sha256=${hmac(plain, body)}`,
    }),
  },
  {
    name: '1c PagerDuty',
    secret: plain,
    formula: '<body>',
    template: 'v1={signature}',
    sender: ({ body }) => ({ 'X-PagerDuty-Signature': `v1=${hmac('an older secret', body)},v1=${hmac(plain, body)}` }),
  },
  {
    name: '1c EasyPost',
    secret: plain,
    formula: '<body>',
    template: 'hmac-sha256-hex={signature}',
    sender: ({ body }) => ({ 'X-Hmac-Signature': `hmac-sha256-hex=${hmac(plain, body)}` }),
  },
  {
    name: '1c Greenhouse',
    secret: plain,
    formula: '<body>',
    template: 'sha256 {signature}',
    sender: ({ body }) => ({ Signature: `sha256 ${hmac(plain, body)}` }),
  },
  {
    name: '1c Outpost',
    secret: plain,
    formula: '<body>',
    sender: ({ body }) => ({ 'x-outpost-signature': `v0=${hmac('old', body)},${hmac(plain, body)}` }),
  },
  {
    name: '1d Shopify',
    secret: plain,
    formula: '<body>',
    encoding: 'base64',
    sender: ({ body }) => ({ 'X-Shopify-Hmac-Sha256': b64(plain, body) }),
  },
  {
    name: '1d DocuSign, base64-looking secret',
    secret: base64Secret,
    formula: '<body>',
    encoding: 'base64',
    sender: ({ body }) => ({
      'X-DocuSign-Signature-1': b64('other', body),
      'X-DocuSign-Signature-2': b64(base64Secret, body),
    }),
  },
  {
    name: '1d Cronofy',
    secret: plain,
    formula: '<body>',
    encoding: 'base64',
    sender: ({ body }) => ({ 'Cronofy-HMAC-SHA256': `${b64('old', body)},${b64(plain, body)}` }),
  },
  {
    name: '1e Typeform',
    secret: plain,
    formula: '<body>',
    encoding: 'base64',
    template: 'sha256={signature}',
    sender: ({ body }) => ({ 'Typeform-Signature': `sha256=${b64(plain, body)}` }),
  },
  {
    name: '1f Merge',
    secret: plain,
    formula: '<body>',
    encoding: 'base64url',
    sender: ({ body }) => ({ 'X-Merge-Webhook-Signature': hmac(plain, body, 'base64url') }),
  },
  {
    name: '1g Airtable',
    secret: base64Secret,
    formula: '<body>',
    key: 'base64',
    template: 'hmac-sha256={signature}',
    sender: ({ body }) => ({
      'X-Airtable-Content-MAC': `hmac-sha256=${hmac(Buffer.from(base64Secret, 'base64'), body)}`,
    }),
  },
  {
    name: '1g Teams',
    secret: base64Secret,
    formula: '<body>',
    key: 'base64',
    encoding: 'base64',
    template: 'HMAC {signature}',
    sender: ({ body }) => ({ Authorization: `HMAC ${b64(Buffer.from(base64Secret, 'base64'), body)}` }),
  },
  {
    name: '1h Squarespace',
    secret: hexSecret,
    formula: '<body>',
    key: 'hex',
    sender: ({ body }) => ({ 'Squarespace-Signature': hmac(Buffer.from(hexSecret, 'hex'), body) }),
  },
  {
    name: '1h Adyen banking',
    secret: hexSecret,
    formula: '<body>',
    key: 'hex',
    encoding: 'base64',
    sender: ({ body }) => ({ HmacSignature: b64(Buffer.from(hexSecret, 'hex'), body), Protocol: 'HmacSHA256' }),
  },
  {
    name: '2a Stripe',
    secret: whsec,
    formula: '<Stripe-Signature t=>.<body>',
    template: 't={timestamp},v1={signature}',
    sender: ({ body, s }) => ({
      'Stripe-Signature': `t=${s},v1=${hmac(whsec, `${s}.${body}`)},v0=${hmac('an older secret', body)}`,
    }),
  },
  {
    name: '2a TikTok',
    secret: plain,
    formula: '<TikTok-Signature t=>.<body>',
    sender: ({ body, s }) => ({ 'TikTok-Signature': `t=${s},s=${hmac(plain, `${s}.${body}`)}` }),
  },
  {
    name: '2b WorkOS',
    secret: plain,
    formula: '<WorkOS-Signature t=>.<body>',
    sender: ({ body, ms }) => ({ 'WorkOS-Signature': `t=${ms}, v1=${hmac(plain, `${ms}.${body}`)}` }),
  },
  {
    name: '2b Sanity',
    secret: plain,
    formula: '<sanity-webhook-signature t=>.<body>',
    encoding: 'base64url',
    sender: ({ body, ms }) => ({
      'sanity-webhook-signature': `t=${ms},v1=${hmac(plain, `${ms}.${body}`, 'base64url')}`,
    }),
  },
  {
    name: '2b Knock',
    secret: plain,
    formula: '<x-knock-signature t=>.<body>',
    encoding: 'base64',
    sender: ({ body, ms }) => ({ 'x-knock-signature': `t=${ms},s=${b64(plain, `${ms}.${body}`)}` }),
  },
  {
    name: '2c Buildkite',
    secret: plain,
    formula: '<X-Buildkite-Signature timestamp=>.<body>',
    sender: ({ body, s }) => ({ 'X-Buildkite-Signature': `timestamp=${s},signature=${hmac(plain, `${s}.${body}`)}` }),
  },
  {
    name: '2c Cloudflare, hex-looking secret',
    secret: hexSecret,
    formula: '<Webhook-Signature time=>.<body>',
    sender: ({ body, s }) => ({ 'Webhook-Signature': `time=${s},sig1=${hmac(hexSecret, `${s}.${body}`)}` }),
  },
  {
    name: '2c Recurly',
    secret: plain,
    formula: '<recurly-signature first entry>.<body>',
    template: '{timestamp},{signature}',
    sender: ({ body, ms }) => ({
      'recurly-signature': `${ms},${hmac('old', `${ms}.${body}`)},${hmac(plain, `${ms}.${body}`)}`,
    }),
  },
  {
    name: '1i behind a service name',
    secret: plain,
    formula: '<body>',
    template: 'whk_{signature}',
    sender: ({ body }) => ({ 'X-Signature': `whk_${hmac(plain, body)}` }),
  },
  {
    name: '1i behind 0x',
    secret: plain,
    formula: '<body>',
    template: '0x{signature}',
    sender: ({ body }) => ({ 'X-Signature': `0x${hmac(plain, body)}` }),
  },
  {
    name: '1i base64 behind a service name',
    secret: plain,
    formula: '<body>',
    encoding: 'base64',
    template: 'acme-{signature}',
    sender: ({ body }) => ({ 'X-Acme-Signature': `acme-${b64(plain, body)}` }),
  },
  {
    name: '2e parted by colons',
    secret: plain,
    formula: 'v1:<X-Signature v1:>:<body>',
    template: 'v1:{timestamp}:{signature}',
    sender: ({ body, s }) => ({ 'X-Signature': `v1:${s}:${hmac(plain, `v1:${s}:${body}`)}` }),
  },
  {
    name: '2e parted by a dot',
    secret: plain,
    formula: '<X-Signature first entry>.<body>',
    template: '{timestamp}.{signature}',
    sender: ({ body, ms }) => ({ 'X-Signature': `${ms}.${hmac(plain, `${ms}.${body}`)}` }),
  },
  {
    name: '2e parted by a hyphen',
    secret: plain,
    formula: '<X-Signature first entry>.<body>',
    template: '{timestamp}-{signature}',
    sender: ({ body, s }) => ({ 'X-Signature': `${s}-${hmac(plain, `${s}.${body}`)}` }),
  },
  {
    name: '2f JSON in a header',
    secret: plain,
    formula: '<X-Signature "timestamp":>.<body>',
    sender: ({ body, s }) => ({
      'X-Signature': JSON.stringify({ timestamp: Number(s), signature: hmac(plain, `${s}.${body}`) }),
    }),
  },
  {
    name: '2f JSON in a header, texts',
    secret: plain,
    formula: '<X-Signature "t":">.<body>',
    sender: ({ body, s }) => ({ 'X-Signature': JSON.stringify({ v1: hmac(plain, `${s}.${body}`), t: s }) }),
  },
  {
    name: '2d Lob',
    secret: plain,
    formula: '<Lob-Signature-Timestamp>.<body>',
    sender: ({ body, ms }) => ({ 'Lob-Signature': hmac(plain, `${ms}.${body}`), 'Lob-Signature-Timestamp': ms }),
  },
  {
    name: '3 Standard Webhooks',
    secret: whsec,
    formula: '<webhook-id>.<webhook-timestamp>.<body>',
    encoding: 'base64',
    key: 'whsec_|base64',
    template: 'v1,{signature}',
    sender: ({ body, id, s }) => ({
      'webhook-id': id,
      'webhook-timestamp': s,
      'webhook-signature': `v1,${b64('old', body)} v1,${b64(whsecKey, `${id}.${s}.${body}`)}`,
    }),
  },
  {
    name: '3 Polar, old secret',
    secret: whsec,
    formula: '<webhook-id>.<webhook-timestamp>.<body>',
    encoding: 'base64',
    sender: ({ body, id, s }) => ({
      'webhook-id': id,
      'webhook-timestamp': s,
      'webhook-signature': `v1,${b64(whsec, `${id}.${s}.${body}`)}`,
    }),
  },
  {
    name: '3 Finch',
    secret: base64Secret,
    formula: '<Finch-Event-Id>.<Finch-Timestamp>.<body>',
    encoding: 'base64',
    key: 'base64',
    sender: ({ body, id, s }) => ({
      'Finch-Event-Id': id,
      'Finch-Timestamp': s,
      'Finch-Signature': `v1,${b64(Buffer.from(base64Secret, 'base64'), `${id}.${s}.${body}`)}`,
    }),
  },
  {
    name: '3 Supabase',
    secret: `v1,${whsec}`,
    formula: '<webhook-id>.<webhook-timestamp>.<body>',
    encoding: 'base64',
    key: 'v1,whsec_|base64',
    sender: ({ body, id, s }) => ({
      'webhook-id': id,
      'webhook-timestamp': s,
      'webhook-signature': `v1,${b64(whsecKey, `${id}.${s}.${body}`)}`,
    }),
  },
  {
    name: '4 Slack',
    secret: plain,
    formula: 'v0:<X-Slack-Request-Timestamp>:<body>',
    template: 'v0={signature}',
    sender: ({ body, s }) => ({
      'X-Slack-Request-Timestamp': s,
      'X-Slack-Signature': `v0=${hmac(plain, `v0:${s}:${body}`)}`,
    }),
  },
  {
    name: '4 Customer.io',
    secret: plain,
    formula: 'v0:<X-CIO-Timestamp>:<body>',
    template: '{signature}',
    sender: ({ body, s }) => ({ 'X-CIO-Timestamp': s, 'X-CIO-Signature': hmac(plain, `v0:${s}:${body}`) }),
  },
  {
    name: '5 Paddle',
    secret: plain,
    formula: '<Paddle-Signature ts=>:<body>',
    template: 'ts={timestamp};h1={signature}',
    sender: ({ body, s }) => ({ 'Paddle-Signature': `ts=${s};h1=${hmac(plain, `${s}:${body}`)}` }),
  },
  {
    name: '5 Front',
    secret: plain,
    formula: '<X-Front-Request-Timestamp>:<body>',
    encoding: 'base64',
    sender: ({ body, ms }) => ({ 'X-Front-Request-Timestamp': ms, 'X-Front-Signature': b64(plain, `${ms}:${body}`) }),
  },
  {
    name: '6 Zendesk',
    secret: plain,
    formula: '<X-Zendesk-Webhook-Signature-Timestamp><body>',
    encoding: 'base64',
    sender: ({ body, iso }) => ({
      'X-Zendesk-Webhook-Signature': b64(plain, iso + body),
      'X-Zendesk-Webhook-Signature-Timestamp': iso,
    }),
  },
  {
    name: '7 Retell',
    secret: plain,
    formula: '<body><x-retell-signature v=>',
    sender: ({ body, ms }) => ({ 'x-retell-signature': `v=${ms},d=${hmac(plain, body + ms)}` }),
  },
  {
    name: '7 Inngest',
    secret: 'signkey-test-a8f3c0d1e2b3a4f5968778695a4b3c2d',
    formula: '<body><x-inngest-signature t=>',
    key: 'signkey-test-|utf8',
    sender: ({ body, s }) => ({
      'x-inngest-signature': `t=${s}&s=${hmac('a8f3c0d1e2b3a4f5968778695a4b3c2d', body + s)}`,
    }),
  },
  {
    name: '7 Box',
    secret: plain,
    formula: '<body><BOX-DELIVERY-TIMESTAMP>',
    encoding: 'base64',
    sender: ({ body, iso }) => ({
      'BOX-DELIVERY-TIMESTAMP': iso,
      'BOX-SIGNATURE-PRIMARY': b64(plain, body + iso),
      'BOX-SIGNATURE-SECONDARY': b64('second', body + iso),
    }),
  },
  {
    name: '7 Ghost',
    secret: plain,
    formula: '<body><X-Ghost-Signature t=>',
    template: 'sha256={signature}, t={timestamp}',
    sender: ({ body, ms }) => ({ 'X-Ghost-Signature': `sha256=${hmac(plain, body + ms)}, t=${ms}` }),
  },
  {
    name: '8 Revolut',
    secret: plain,
    formula: 'v1.<Revolut-Request-Timestamp>.<body>',
    sender: ({ body, ms }) => ({
      'Revolut-Request-Timestamp': ms,
      'Revolut-Signature': `v1=${hmac('old', body)},v1=${hmac(plain, `v1.${ms}.${body}`)}`,
    }),
  },
  {
    name: '9 Twitch',
    secret: plain,
    formula: '<Twitch-Eventsub-Message-Id><Twitch-Eventsub-Message-Timestamp><body>',
    sender: ({ body, id, iso }) => ({
      'Twitch-Eventsub-Message-Id': id,
      'Twitch-Eventsub-Message-Timestamp': iso,
      'Twitch-Eventsub-Message-Signature': `sha256=${hmac(plain, id + iso + body)}`,
    }),
  },
  {
    name: '10 home-made T.I.B',
    secret: plain,
    formula: '<X-Webhook-Timestamp>.<X-Webhook-Nonce>.<body>',
    sender: ({ body, id, s }) => ({
      'X-Webhook-Timestamp': s,
      'X-Webhook-Nonce': id,
      'X-Webhook-Signature': hmac(plain, `${s}.${id}.${body}`),
    }),
  },
  {
    name: '10 Sinch',
    secret: plain,
    formula: '<body>.<x-sinch-webhook-signature-nonce>.<x-sinch-webhook-signature-timestamp>',
    encoding: 'base64',
    sender: ({ body, id, s }) => ({
      'x-sinch-webhook-signature-nonce': id,
      'x-sinch-webhook-signature-timestamp': s,
      'x-sinch-webhook-signature': b64(plain, `${body}.${id}.${s}`),
    }),
  },
  {
    name: '11 Convoy',
    secret: plain,
    formula: '<X-Convoy-Signature t=>,<body>',
    sender: ({ body, s }) => ({
      'X-Convoy-Signature': `t=${s},v1=${hmac('old', `${s},${body}`)},v1=${hmac(plain, `${s},${body}`)}`,
    }),
  },
  {
    name: '12 Metronome',
    secret: plain,
    formula: String.raw`<X-Metronome-Date>\n<body>`,
    sender: ({ body, at }) => ({
      'X-Metronome-Date': new Date(at - 2_000).toUTCString(),
      'Metronome-Webhook-Signature': hmac(plain, `${new Date(at - 2_000).toUTCString()}\n${body}`),
    }),
  },
  {
    name: '13 Square',
    secret: plain,
    formula: '<URL><body>',
    encoding: 'base64',
    sender: ({ body, url }) => ({ 'x-square-hmacsha256-signature': b64(plain, url + body) }),
  },
  {
    name: '14 HubSpot v3',
    secret: plain,
    formula: '<method><URL><body><X-HubSpot-Request-Timestamp>',
    encoding: 'base64',
    sender: ({ body, url, ms }) => ({
      'X-HubSpot-Request-Timestamp': ms,
      'X-HubSpot-Signature-v3': b64(plain, `POST${url}${body}${ms}`),
    }),
  },
  {
    name: '15 Deel',
    secret: plain,
    formula: '<method><body>',
    sender: ({ body }) => ({ 'x-deel-signature': hmac(plain, `POST${body}`) }),
  },
  {
    name: '15 LinkedIn',
    secret: plain,
    formula: 'hmacsha256=<body>',
    sender: ({ body }) => ({ 'X-LI-Signature': hmac(plain, `hmacsha256=${body}`) }),
  },
  {
    name: '16 Contentful',
    secret: hexSecret,
    formula: String.raw`<method>\n<path and query>\n<headers named in x-contentful-signed-headers>\n<body>`,
    sender: ({ body, ms }) => {
      const names = 'x-contentful-signed-headers,x-contentful-timestamp';
      return {
        'x-contentful-signed-headers': names,
        'x-contentful-timestamp': ms,
        'x-contentful-signature': hmac(
          hexSecret,
          `POST\n/inbox?tenant=7\nx-contentful-signed-headers:${names};x-contentful-timestamp:${ms}\n${body}`,
        ),
      };
    },
  },
  {
    name: '17 FusionAuth',
    secret: plain,
    encoding: 'base64url',
    formula: "<JWS header>.<claims with the body's SHA-256 at /request_body_sha256>",
    sender: ({ body, s }) => ({
      'X-FusionAuth-Signature-JWT': jwt({
        iat: Number(s),
        request_body_sha256: createHash('sha256').update(body).digest('base64'),
      }),
    }),
  },
  {
    name: '17 Netlify',
    secret: plain,
    encoding: 'base64url',
    formula: "<JWS header>.<claims with the body's SHA-256 at /sha256>",
    sender: ({ body }) => ({
      'X-Webhook-Signature': jwt({ iss: 'netlify', sha256: createHash('sha256').update(body).digest('hex') }),
    }),
  },
  {
    name: 'base64 of hex, as PHP senders make it',
    secret: plain,
    formula: '<body>',
    encoding: 'base64-hex',
    sender: ({ body }) => ({ 'X-Signature': Buffer.from(hmac(plain, body)).toString('base64') }),
  },
  {
    name: 'glued label',
    secret: plain,
    formula: '<body>',
    encoding: 'base64',
    template: 'sha256-{signature}',
    sender: ({ body }) => ({ 'X-Signature': `sha256-${b64(plain, body)}` }),
  },
  {
    name: 'hash of the body in the content',
    secret: plain,
    formula: '<X-Timestamp>.<hex SHA-256 of the body>',
    sender: ({ body, s }) => ({
      'X-Timestamp': s,
      'X-Signature': hmac(plain, `${s}.${createHash('sha256').update(body).digest('hex')}`),
    }),
  },
  {
    name: 'SHA-256 of the secret as key',
    secret: plain,
    formula: '<body>',
    key: 'sha256-hex',
    sender: ({ body }) => ({ 'X-Signature': hmac(createHash('sha256').update(plain).digest('hex'), body) }),
  },
  {
    name: 'unheard-of order',
    secret: plain,
    formula: '<method>|<path and query>|<X-Time>|<body>',
    sender: ({ body, s }) => ({ 'X-Time': s, 'X-Sig': hmac(plain, `POST|/inbox?tenant=7|${s}|${body}`) }),
  },
];
