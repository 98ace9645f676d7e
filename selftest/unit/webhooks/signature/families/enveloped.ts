import { hexSecret, hmac, plain } from '../deliveries.ts';
import { type Family, family, jwt, sha256 } from './family.ts';

/** Families with envelopes (16, 17), and home-made variants. */
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
      'X-FusionAuth-Signature-JWT': jwt({ iat: Number(s), request_body_sha256: sha256(body, 'base64') }),
    }),
  },
  {
    name: '17 Netlify',
    secret: plain,
    encoding: 'base64url',
    formula: "<JWS header>.<claims with the body's SHA-256 at /sha256>",
    sender: ({ body }) => ({
      'X-Webhook-Signature': jwt({ iss: 'netlify', sha256: sha256(body) }),
    }),
  },
  {
    name: 'base64 of hex, as PHP senders make it',
    secret: plain,
    formula: '<body>',
    encoding: 'base64-hex',
    sender: ({ body }) => ({ 'X-Signature': Buffer.from(hmac(plain, body)).toString('base64') }),
  },
  family('glued label', '{body}', ['X-Signature: sha256-{base64}'], { template: 'sha256-{signature}' }),
  family('hash of the body in the content', '{s}.{sha256}', ['X-Timestamp: {s}', 'X-Signature: {hex}'], {
    formula: '<X-Timestamp>.<hex SHA-256 of the body>',
  }),
  family('SHA-256 of the secret as key', '{body}', ['X-Signature: {hex}'], { key: 'sha256-hex', bytes: sha256(plain) }),
  family('unheard-of order', 'POST|/inbox?tenant=7|{s}|{body}', ['X-Time: {s}', 'X-Sig: {hex}'], {
    formula: '<method>|<path and query>|<X-Time>|<body>',
  }),
];
