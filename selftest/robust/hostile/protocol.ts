import { gzipSync, zstdCompressSync } from 'node:zlib';
import { type Asked, type Behaviour, bytesOf, changed, headed, raw } from './behaviour.ts';
import { endless } from './told-apart.ts';

const mebibyte = 1024 * 1024;
const head = 'HTTP/1.1 200 OK\nContent-Type: application/json\n';
const chunked = `${head}Transfer-Encoding: chunked\n\n`;
const far = '99999999999999999999';

/** Statuses and header lines that are broken, false, or meant for a terminal. */
export const heads: Readonly<Record<string, Behaviour>> = {
  'a reason of escape sequences': changed(() => ({ line: 'HTTP/1.1 200 \u001b[2J\u001b[31mOK' })),
  'line ends without CR': raw(Buffer.from('HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: 2\n\n{}')),
  'status 199': raw('HTTP/1.1 199 Odd\n\n'),
  'status 205 with a body': changed(() => ({ status: 205 })),
  'the name __proto__': headed(['__proto__', 'polluted'], ['constructor', 'polluted'], ['toString', 'x']),
  'a value folded over lines': headed(['X-Folded', 'a\r\n b\r\n\tc']),
  'escape sequences in a value': headed(['X-Request-Id', '\u001b]0;owned\u0007\u001b[2J']),
  'two content types': headed(['Content-Type', 'application/json'], ['content-type', 'text/html']),
  'charset utf-16': headed(['Content-Type', 'application/json; charset=utf-16']),
  'limits that are no numbers': headed(['X-RateLimit-Limit', 'NaN'], ['X-RateLimit-Reset', '-0']),
  'limits beyond all numbers': headed(['X-RateLimit-Limit', far], ['X-RateLimit-Remaining', `-${far}`]),
  'a limit that is used up until tomorrow': headed(['X-RateLimit-Remaining', '0'], ['Retry-After', '86400']),
  'the command of a CI runner': headed(['X-Request-Id', '::error file=x::owned'], ['X-Trace', '##vso[task.complete]']),
};

/** A body that unpacks to far more bytes. It is made once, at the first request. */
const bomb = (coding: string, make: () => Buffer): Behaviour => {
  let bytes: Buffer | null = null;
  return changed(({ status: code }, { number }) => {
    bytes ??= make();
    return { status: number % 3 === 0 ? 401 : code, headers: [['Content-Encoding', coding]], body: bytes };
  });
};
const redirect = (code: number, to: (asked: Asked) => string): Behaviour =>
  changed((_, asked) => ({ status: code, headers: [['Location', to(asked)]] }));

/** Lengths that do not fit the body, and answers that abuse the connection, do not end, or come at the wrong time. */
export const connections: Readonly<Record<string, Behaviour>> = {
  'a negative length': raw(`${head}Content-Length: -5\n\n{}`),
  'a length that is one too long': changed(({ body }) => ({
    headers: [['Content-Length', String(Buffer.byteLength(body) + 1)]],
  })),
  'a chunk of 16 exabytes': raw(`${chunked}ffffffffffffffff\n{}`),
  'trailers that change the status': raw(`${chunked}2\n{}\n0\nHTTP/1.1 500 No\n\n`),
  'gzip that says it is brotli': changed(({ body }) => ({
    headers: [['Content-Encoding', 'br']],
    body: gzipSync(body),
  })),
  'zeros in zstd': bomb('zstd', () => zstdCompressSync(Buffer.alloc(128 * mebibyte))),
  'redirects to the metadata of a cloud': redirect(307, () => 'http://169.254.169.254/latest/meta-data/'),
  'redirects to another host': redirect(307, ({ elsewhere, url }) => elsewhere + url),
  'redirects to another host with the key': redirect(301, ({ elsewhere, key }) => `${elsewhere}/?api_key=${key}`),
  'noise behind the answer': (socket, good) => {
    socket.write(Buffer.concat([bytesOf(good, good.body), Buffer.alloc(70_000, 'x')]));
  },
  'a connection reset right behind each answer': (socket, good) => {
    socket.write(bytesOf(good, good.body), () => socket.resetAndDestroy());
  },
  'half an answer, and the other half in time': (socket, good) => {
    const bytes = bytesOf(good, good.body);
    socket.write(bytes.subarray(0, 40));
    setTimeout(() => socket.write(bytes.subarray(40)), 200);
  },
  'limits, with a body that never comes': (socket, good) => {
    const headers = [...good.headers, ['Retry-After', '0'], ['Content-Length', '2']] as [string, string][];
    socket.write(bytesOf({ status: 429, headers }, ''));
  },
  'status 100 each 20 ms': endless('', 'HTTP/1.1 100 Continue\r\n\r\n', 20),
};
