import { createHash } from 'node:crypto';
import { hmac, plain } from '../deliveries.ts';
import { type Family, jwt } from './family.ts';

const sha256 = (text: string, encoding: 'hex' | 'base64' = 'hex'): string =>
  createHash('sha256').update(text).digest(encoding);
const bytes = (hex: string): string => hex.match(/../g)?.join(':') ?? '';
const encode = (value: object | string): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const detached = (header: object, payload: string): string =>
  `${encode(header)}..${hmac(plain, `${encode(header)}.${payload}`, 'base64url')}`;

/** Contents and grammars that no known service has all of, and that senders write by themselves. */
export const homeMade: readonly Family[] = [
  {
    name: 'time in RFC 2822',
    secret: plain,
    formula: '<X-Sent>.<body>',
    sender: ({ at, body }) => {
      const time = new Date(at - 3_000).toUTCString().replace('GMT', '+0000');
      return { 'X-Sent': time, 'X-Signature': hmac(plain, `${time}.${body}`) };
    },
  },
  {
    name: 'time in compact ISO 8601',
    secret: plain,
    formula: String.raw`<X-Amz-Date>\n<body>`,
    sender: ({ iso, body }) => {
      const time = iso.replace(/[-:]|\.\d+/g, '');
      return { 'X-Amz-Date': time, 'X-Signature': hmac(plain, `${time}\n${body}`) };
    },
  },
  {
    name: 'time as a float',
    secret: plain,
    formula: '<X-Signature t=>.<body>',
    template: 't={timestamp},v1={signature}',
    sender: ({ at, body }) => {
      const time = (at / 1_000 + 0.125).toFixed(3);
      return { 'X-Signature': `t=${time},v1=${hmac(plain, `${time}.${body}`)}` };
    },
  },
  {
    name: 'time in hexadecimal',
    secret: plain,
    formula: '<X-Time>:<body>',
    sender: ({ s, body }) => {
      const time = Number(s).toString(16);
      return { 'X-Time': time, 'X-Signature': hmac(plain, `${time}:${body}`) };
    },
  },
  {
    name: 'time behind the signature',
    secret: plain,
    formula: '<X-Signature {signature},>.<body>',
    template: '{signature},{timestamp}',
    sender: ({ s, body }) => ({ 'X-Signature': `${hmac(plain, `${s}.${body}`)},${s}` }),
  },
  {
    name: 'time behind the signature and a dot, base64',
    secret: plain,
    encoding: 'base64',
    formula: '<X-Signature {signature}.><body>',
    sender: ({ ms, body }) => ({ 'X-Signature': `${hmac(plain, `${ms}${body}`, 'base64')}.${ms}` }),
  },
  {
    name: 'time behind the signature in hexadecimal',
    secret: plain,
    formula: '<X-Signature {signature};>.<body>',
    template: 'sha256={signature};{timestamp}',
    sender: ({ s, body }) => {
      const time = Number(s).toString(16);
      return { 'X-Signature': `sha256=${hmac(plain, `${time}.${body}`)};${time}` };
    },
  },
  {
    name: 'time signed in another spelling than the one sent',
    secret: plain,
    formula: '<X-Timestamp in milliseconds since 1970>.<body>',
    sender: ({ iso, ms, body }) => ({ 'X-Timestamp': iso, 'X-Signature': hmac(plain, `${ms}.${body}`) }),
  },
  {
    name: 'method, path, time and hash by lines',
    secret: plain,
    formula: String.raw`<method>\n<path and query>\n<X-Timestamp>\n<hex SHA-256 of the body>`,
    sender: ({ s, body }) => ({
      'X-Timestamp': s,
      'X-Signature': hmac(plain, `POST\n/inbox?tenant=7\n${s}\n${sha256(body)}`),
    }),
  },
  {
    name: 'lower-case method, host, path, query and body by lines, one at the end',
    secret: plain,
    encoding: 'base64',
    formula: String.raw`<host>\n<path>\n<query>\n<body>\n`,
    sender: ({ body }) => ({
      'X-Signature': hmac(plain, `hooks.example.test\n/inbox\ntenant=7\n${body}\n`, 'base64'),
    }),
  },
  {
    name: 'a digest header in the content',
    secret: plain,
    formula: String.raw`<method>\nSHA-256=<base64 SHA-256 of the body>\n<X-Timestamp>\n<path>`,
    sender: ({ s, body }) => {
      const digest = `SHA-256=${sha256(body, 'base64')}`;
      return { 'X-Timestamp': s, Digest: digest, 'X-Signature': hmac(plain, `POST\n${digest}\n${s}\n/inbox`) };
    },
  },
  {
    name: 'host, path and body',
    secret: plain,
    formula: '<host><path><body>',
    sender: ({ body }) => ({ 'X-Signature': hmac(plain, `hooks.example.test/inbox${body}`) }),
  },
  {
    name: 'a sequence number',
    secret: plain,
    formula: '<X-Sequence>|<X-Timestamp>|<body>',
    sender: ({ n, s, body }) => ({
      'X-Sequence': String(n + 17),
      'X-Timestamp': s,
      'X-Signature': hmac(plain, `${n + 17}|${s}|${body}`),
    }),
  },
  {
    name: 'all of it',
    secret: plain,
    formula: '<method>|<host>|<path and query>|<X-Nonce>|<X-Timestamp>|<body>',
    sender: ({ s, id, body }) => ({
      'X-Nonce': id,
      'X-Timestamp': s,
      'X-Signature': hmac(plain, `POST|hooks.example.test|/inbox?tenant=7|${id}|${s}|${body}`),
    }),
  },
  {
    name: 'a literal before the body',
    secret: plain,
    formula: 'webhook:<body>',
    sender: ({ body }) => ({ 'X-Signature': hmac(plain, `webhook:${body}`) }),
  },
  {
    name: "the sender's name before time and body",
    secret: plain,
    formula: 'sender.<X-Timestamp>.<body>',
    sender: ({ s, body }) => ({ 'X-Timestamp': s, 'X-Signature': hmac(plain, `sender.${s}.${body}`) }),
  },
  {
    name: 'hexadecimal with colons',
    secret: plain,
    formula: '<body>',
    template: 'sha256={signature}',
    sender: ({ body }) => ({ 'X-Signature': `sha256=${bytes(hmac(plain, body))}` }),
  },
  {
    name: 'a detached JWS',
    secret: plain,
    encoding: 'base64url',
    formula: '<JWS header>.<URL-safe base64 of the body>',
    sender: ({ body }) => ({ 'X-JWS-Signature': detached({ alg: 'HS256' }, encode(body)) }),
  },
  {
    name: 'a detached JWS over the body as it is',
    secret: plain,
    encoding: 'base64url',
    formula: '<JWS header>.<body>',
    sender: ({ body }) => ({ 'X-JWS-Signature': detached({ alg: 'HS256', b64: false, crit: ['b64'] }, body) }),
  },
  {
    name: 'a JWS whose claim is the payload',
    secret: plain,
    encoding: 'base64url',
    formula: '<JWS header>.<claims with the body at /payload>',
    sender: ({ body, s }) => ({
      Authorization: `Bearer ${jwt({ iat: Number(s), payload: JSON.parse(body) as unknown })}`,
    }),
  },
  {
    name: 'a JWS that is the body',
    secret: plain,
    encoding: 'base64url',
    formula: '<JWS header>.<claims>',
    body: ({ n }) => jwt({ type: 'booking.created', data: { id: `bk_${n}` } }),
    sender: () => ({}),
  },
  {
    name: 'a time that stands in the body',
    secret: plain,
    formula: '<body /sent_at>.<body>',
    body: ({ n, s }) => JSON.stringify({ type: 'booking.created', sent_at: Number(s), n }),
    sender: ({ body, s }) => ({ 'X-Signature': hmac(plain, `${s}.${body}`) }),
  },
  {
    name: 'a form, its fields run together behind the URL',
    secret: plain,
    encoding: 'base64',
    formula: "<URL><form's names and values run together, sorted by name>",
    body: ({ n }) => `EventType=booking.created&BookingSid=BK${n}&Note=caf%C3%A9+${n}`,
    sender: ({ n, url }) => ({
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-Signature': hmac(plain, `${url}BookingSidBK${n}EventTypebooking.createdNotecafé ${n}`, 'base64'),
    }),
  },
  {
    name: 'the draft before RFC 9421',
    secret: plain,
    encoding: 'base64',
    formula: '<signing string of the headers listed, a digest of the body among them>',
    sender: ({ at, body }) => {
      const date = new Date(at).toUTCString();
      const digest = `SHA-256=${sha256(body, 'base64')}`;
      const text = `(request-target): post /inbox?tenant=7\nhost: hooks.example.test\ndate: ${date}\ndigest: ${digest}`;
      return {
        Digest: digest,
        Signature: `keyId="k1",algorithm="hmac-sha256",headers="(request-target) host date digest",signature="${hmac(plain, text, 'base64')}"`,
      };
    },
  },
];
