import { gzipSync, zstdCompressSync } from 'node:zlib';
import { dripping } from '../../../selftest/unit/suites/session/transport/hostile-servers.ts';
import { type Asked, type Behaviour, begun, bytesOf, changed, headed, packed, raw, status } from '../behaviour.ts';

const mebibyte = 1024 * 1024;
const head = 'HTTP/1.1 200 OK\nContent-Type: application/json\n';
const chunked = `${head}Transfer-Encoding: chunked\n\n`;
const far = '99999999999999999999';

/** Status lines that no specification allows, and unexpected statuses. */
export const statusLines: Readonly<Record<string, Behaviour>> = {
  'HTTP/2.0 in plain text': begun('HTTP/2.0 200 OK'),
  'two blanks before the status': begun('HTTP/1.1  200 OK'),
  'a status of one digit': begun('HTTP/1.1 2 OK'),
  'a status in words': begun('HTTP/1.1 OK OK'),
  'a NUL in the reason': begun('HTTP/1.1 200 O\0K'),
  'a reason of escape sequences': begun('HTTP/1.1 200 \u001b[2J\u001b[31mOK'),
  'a reason of 16 KiB': begun(`HTTP/1.1 200 ${'r'.repeat(16_384)}`),
  'line ends without CR': raw(Buffer.from('HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: 2\n\n{}')),
  'status 199': raw('HTTP/1.1 199 Odd\n\n'),
  'status 205 with a body': status(205),
  'status 307 to the metadata of a cloud': status(307, ['Location', 'http://169.254.169.254/latest/meta-data/']),
  'status 401 with a challenge of 8 KiB': status(401, ['WWW-Authenticate', `Basic realm="${'x'.repeat(8_192)}"`]),
};

/** Header lines that are broken or false. */
export const headerLines: Readonly<Record<string, Behaviour>> = {
  'a name with a blank in it': headed(['X Bad', 'a']),
  'an empty name': headed(['', 'a']),
  'the name __proto__': headed(['__proto__', 'polluted'], ['constructor', 'polluted'], ['toString', 'x']),
  'a value folded over lines': headed(['X-Folded', 'a\r\n b\r\n\tc']),
  'a NUL in a value': headed(['X-Nul', 'a\0b']),
  'escape sequences in a value': headed(['X-Request-Id', '\u001b]0;owned\u0007\u001b[2J']),
  'two content types': headed(['Content-Type', 'application/json'], ['content-type', 'text/html']),
  'a content type of 8 KiB of parameters': headed(['Content-Type', `application/json${'; a=b'.repeat(1_600)}`]),
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
const zeros = (): Buffer => Buffer.alloc(128 * mebibyte);
const lying = (length: (body: string) => number): Behaviour =>
  changed(({ body }) => ({ headers: [['Content-Length', String(length(body))]] }));

/** Lengths, chunks and codings that do not fit the body. */
export const framing: Readonly<Record<string, Behaviour>> = {
  'a negative length': raw(`${head}Content-Length: -5\n\n{}`),
  'a length beyond 64 bits': raw(`${head}Content-Length: ${far}\n\n{}`),
  'a length that is one too long': lying((body) => Buffer.byteLength(body) + 1),
  'a length of nothing': lying(() => 0),
  'Transfer-Encoding that nobody knows': raw(`${head}Transfer-Encoding: cow\n\n{}`),
  'a chunk of 16 exabytes': raw(`${chunked}ffffffffffffffff\n{}`),
  'a chunk size that is no number': raw(`${chunked}zz\n{}\n0\n\n`),
  'a chunk extension of 30 KiB': raw(`${chunked}2;${'e'.repeat(30_000)}\n{}\n0\n\n`),
  'trailers that change the status': raw(`${chunked}2\n{}\n0\nHTTP/1.1 500 No\n\n`),
  'gzip whose sum is wrong': packed('gzip', (body) => {
    const bytes = gzipSync(body);
    bytes.writeUInt32LE(1, bytes.length - 8);
    return bytes;
  }),
  'gzip that says it is brotli': packed('br', (body) => gzipSync(body)),
  'zeros in zstd': bomb('zstd', () => zstdCompressSync(zeros())),
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

/** Answers that abuse the connection, do not end, or come at the wrong time. */
export const connections: Readonly<Record<string, Behaviour>> = {
  'hints of 20 KiB first': after(`HTTP/1.1 103 Early Hints\nLink: <${'h'.repeat(20_000)}>\n\n`),
  'redirects to another host': redirect(307, ({ elsewhere, url }) => elsewhere + url),
  'redirects to another host with the key': redirect(301, ({ elsewhere, key }) => `${elsewhere}/?api_key=${key}`),
  'noise behind the answer': (socket, good) => {
    socket.write(Buffer.concat([bytesOf(good, good.body), Buffer.alloc(70_000, 'x')]));
  },
  'an answer cut, and the connection reset': (socket, good) => {
    const bytes = bytesOf(good, good.body);
    socket.write(bytes.subarray(0, bytes.length >> 1), () => socket.resetAndDestroy());
  },
  'a connection reset right behind each answer': (socket, good) => {
    socket.write(bytesOf(good, good.body), () => socket.resetAndDestroy());
  },
  'an answer a byte at a time': (socket, good) => {
    socket.setNoDelay(true);
    for (const byte of bytesOf(good, good.body)) {
      socket.write(Buffer.of(byte));
    }
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
  'status 100 each 20 ms': dripping('', 'HTTP/1.1 100 Continue\r\n\r\n'),
};
