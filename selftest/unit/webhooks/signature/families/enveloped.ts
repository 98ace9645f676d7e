import { createHash } from 'node:crypto';
import { hexSecret, hmac, plain } from '../deliveries.ts';
import { b64, type Family, jwt } from './family.ts';

/** Envelopes (16, 17), and what home-made senders do. */
export const enveloped: readonly Family[] = [
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
