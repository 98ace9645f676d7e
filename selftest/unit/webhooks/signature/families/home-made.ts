import { hmac, plain } from '../deliveries.ts';
import { type Family, family, jwt, sha256 } from './family.ts';

const encode = (value: object | string): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const detached = (header: object, payload: string): string =>
  `${encode(header)}..${hmac(plain, `${encode(header)}.${payload}`, 'base64url')}`;

const timeAndHex = ['X-Timestamp: {s}', 'X-Signature: {hex}'];

/** Home-made combinations of contents and header grammars that no known service uses. */
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
  family('time behind the signature', '{s}.{body}', ['X-Signature: {hex},{s}'], {
    formula: '<X-Signature {signature},>.<body>',
    template: '{signature},{timestamp}',
  }),
  family('time behind the signature and a dot, base64', '{ms}{body}', ['X-Signature: {base64}.{ms}'], {
    formula: '<X-Signature {signature}.><body>',
  }),
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
  family(
    'time signed in another spelling than the one sent',
    '{ms}.{body}',
    ['X-Timestamp: {iso}', 'X-Signature: {hex}'],
    { formula: '<X-Timestamp in milliseconds since 1970>.<body>' },
  ),
  family('method, path, time and hash by lines', 'POST\n/inbox?tenant=7\n{s}\n{sha256}', timeAndHex, {
    formula: String.raw`<method>\n<path and query>\n<X-Timestamp>\n<hex SHA-256 of the body>`,
  }),
  family(
    'lower-case method, host, path, query and body by lines, one at the end',
    'hooks.example.test\n/inbox\ntenant=7\n{body}\n',
    ['X-Signature: {base64}'],
    { formula: String.raw`<host>\n<path>\n<query>\n<body>\n` },
  ),
  family(
    'a digest header in the content',
    'POST\nSHA-256={digest}\n{s}\n/inbox',
    ['X-Timestamp: {s}', 'Digest: SHA-256={digest}', 'X-Signature: {hex}'],
    { formula: String.raw`<method>\nSHA-256=<base64 SHA-256 of the body>\n<X-Timestamp>\n<path>` },
  ),
  family('host, path and body', 'hooks.example.test/inbox{body}', ['X-Signature: {hex}'], {
    formula: '<host><path><body>',
  }),
  family('a sequence number', '{sequence}|{s}|{body}', ['X-Sequence: {sequence}', ...timeAndHex], {
    formula: '<X-Sequence>|<X-Timestamp>|<body>',
  }),
  family('all of it', 'POST|hooks.example.test|/inbox?tenant=7|{id}|{s}|{body}', ['X-Nonce: {id}', ...timeAndHex], {
    formula: '<method>|<host>|<path and query>|<X-Nonce>|<X-Timestamp>|<body>',
  }),
  family('a literal before the body', 'webhook:{body}', ['X-Signature: {hex}'], { formula: 'webhook:<body>' }),
  family("the sender's name before time and body", 'sender.{s}.{body}', timeAndHex, {
    formula: 'sender.<X-Timestamp>.<body>',
  }),
  family('hexadecimal with colons', '{body}', ['X-Signature: sha256={colons}'], { template: 'sha256={signature}' }),
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
    name: 'a time that is in the body',
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
