import { hexSecret, hmac, plain, whsec } from '../deliveries.ts';
import { b64, type Family } from './family.ts';

/** Families that sign time and body, by the grammar of their headers (2a to 2f). */
export const timed: readonly Family[] = [
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
];
