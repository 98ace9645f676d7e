import { gzipSync } from 'node:zlib';
import { type Asked, type Behaviour, bytesOf, changed, headed, inHeader, packed, status } from '../behaviour.ts';

/** Writes the good answer in parts, one every `everyMs`. */
const inParts =
  (count: number, everyMs: number): Behaviour =>
  (socket, good) => {
    const bytes = bytesOf(good, good.body);
    const size = Math.ceil(bytes.length / count);
    const next = (at: number): void => {
      if (at < bytes.length && !socket.destroyed) {
        socket.write(bytes.subarray(at, at + size));
        setTimeout(() => next(at + size), everyMs);
      }
    };
    next(0);
  };
/** Writes these bytes, and then the good answer. */
const after =
  (first: string): Behaviour =>
  (socket, good) => {
    socket.write(first.replaceAll('\n', '\r\n'));
    socket.write(bytesOf(good, good.body));
  };
const redirect = (code: number, to: (asked: Asked) => string): Behaviour =>
  changed((_, asked) => ({ status: code, headers: [['Location', to(asked)]] }));
const lying = (length: (body: string) => number): Behaviour =>
  changed(({ body }) => ({ headers: [['Content-Length', String(length(body))]] }));

/** Answers that abuse the connection, as a server or a gateway in front of it could. */
export const connections: Readonly<Record<string, Behaviour>> = {
  'switches to HTTP/2': after('HTTP/1.1 101 Switching Protocols\nConnection: Upgrade\nUpgrade: h2c\n\n'),
  'switches to a web socket': after('HTTP/1.1 101 Switching Protocols\nConnection: Upgrade\nUpgrade: websocket\n\n'),
  'hints of 20 KiB first': after(`HTTP/1.1 103 Early Hints\nLink: <${'h'.repeat(20_000)}>\n\n`),
  'a hint with a length first': after('HTTP/1.1 103 Early Hints\nContent-Length: 5\n\n'),
  'status 100 with a body first': after('HTTP/1.1 100 Continue\n\n{}'),
  'redirects to itself': redirect(302, ({ url }) => url),
  'redirects to another host': redirect(307, ({ elsewhere, url }) => elsewhere + url),
  'redirects for ever to another host': redirect(308, ({ elsewhere, url }) => elsewhere + url),
  'redirects to another host with the key': redirect(301, ({ elsewhere, key }) => `${elsewhere}/?api_key=${key}`),
  'redirects to a host of 10,000 characters': redirect(302, () => `http://${'h'.repeat(10_000)}/`),
  'a refresh to another host': changed((_, { elsewhere }) => ({
    headers: [
      ['Refresh', `0;url=${elsewhere}`],
      ['Content-Location', elsewhere],
    ],
  })),
  'asks for a password': status(401, ['WWW-Authenticate', 'Negotiate, NTLM, Basic realm="\u001b[31m"']),
  'asks for payment': status(402, ['Set-Cookie', 'session=1; Domain=.com; Path=/']),
  'sets a cookie that is the next key': inHeader('Set-Cookie', (key) => `X-API-Key=${key}-2; Max-Age=1e99`),
  'takes all methods for a preflight': status(204, ['Access-Control-Allow-Methods', '*'.repeat(9_000)]),
  'says that it is too early, and closes': (socket, good) => {
    socket.end(bytesOf({ status: 425, headers: good.headers }, good.body));
  },
  'times out the request, and closes': (socket) => {
    socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  },
  'answers in four parts, 50 ms apart': inParts(4, 50),
  'answers in forty parts, 15 ms apart': inParts(40, 15),
  'limits, with a body that comes late': (socket, good) => {
    const headers = [...good.headers, ['Retry-After', '1'], ['Content-Length', '2']] as [string, string][];
    socket.write(bytesOf({ status: 429, headers }, ''));
    setTimeout(() => socket.write('{}'), 300);
  },
  'limits, with a body that never comes': (socket, good) => {
    const headers = [...good.headers, ['Retry-After', '0'], ['Content-Length', '2']] as [string, string][];
    socket.write(bytesOf({ status: 429, headers }, ''));
  },
  'a length that is one too long': lying((body) => Buffer.byteLength(body) + 1),
  'a length that is one too short': lying((body) => Math.max(0, Buffer.byteLength(body) - 1)),
  'a length of nothing': lying(() => 0),
  'a length in a letter': headed(['Content-Length', 'two']),
  'gzip whose sum is wrong': packed('gzip', (body) => {
    const bytes = gzipSync(body);
    bytes.writeUInt32LE(1, bytes.length - 8);
    return bytes;
  }),
  'gzip whose length is wrong': packed('gzip', (body) => {
    const bytes = gzipSync(body);
    bytes.writeUInt32LE(0xffffffff, bytes.length - 4);
    return bytes;
  }),
  'gzip that says it is brotli': packed('br', (body) => gzipSync(body)),
  'gzip of nothing': packed('gzip', () => gzipSync('')),
  'a server name of 8 KiB of controls': headed(['Server', '\u0001\u0002'.repeat(4_000)]),
  'header names in other cases, twice': headed(['x-ratelimit-limit', '1'], ['X-RATELIMIT-LIMIT', '2']),
  'a header line folded amid the limit': headed(['X-RateLimit-Limit', '1\r\n 20']),
  'the end of one answer with the next': (socket, good) => {
    const bytes = bytesOf(good, good.body);
    socket.write(bytes.subarray(0, -1));
    setTimeout(() => socket.write(Buffer.concat([bytes.subarray(-1), Buffer.from('HTTP/1.1 2')])), 20);
  },
  'an answer, and the connection left half open': (socket, good) => {
    socket.end(bytesOf(good, good.body));
    socket.pause();
  },
};
