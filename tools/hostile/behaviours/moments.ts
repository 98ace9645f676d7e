import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { type Behaviour, bytesOf, changed, headed } from '../behaviour.ts';

const mebibyte = 1024 * 1024;
const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** Writes until the client closes the connection. */
const forEver =
  (first: string, make: (count: number) => string, everyMs: number): Behaviour =>
  (socket) => {
    socket.setNoDelay(true).write(first);
    let count = 0;
    const timer = setInterval(() => {
      count += 1;
      socket.write(make(count));
    }, everyMs);
    socket.on('close', () => clearInterval(timer));
  };
/** A body that unpacks to far more bytes. It is made once, at the first request. */
const bomb = (coding: string, make: () => Buffer): Behaviour => {
  let bytes: Buffer | null = null;
  return changed(({ status }, { number }) => {
    bytes ??= make();
    return { status: number % 3 === 0 ? 401 : status, headers: [['Content-Encoding', coding]], body: bytes };
  });
};
const zeros = (mebibytes: number): Buffer => Buffer.alloc(mebibytes * mebibyte);

/** Answers that do not end, that grow, or that come at the wrong time. */
export const moments: Readonly<Record<string, Behaviour>> = {
  'a body of a byte each 50 ms': forEver(`${head}Content-Length: 100000\r\n\r\n`, () => ' ', 50),
  'chunks of a byte without end': forEver(
    `${head}Transfer-Encoding: chunked\r\n\r\n`,
    () => '1\r\n \r\n'.repeat(500),
    1,
  ),
  'a header line that never ends': forEver(`${head}X-Long: `, () => 'x'.repeat(500), 1),
  'header lines without end': forEver(head, (count) => `X-${count}: ${'v'.repeat(200)}\r\n`, 1),
  'trailers without end': forEver(`${head}Transfer-Encoding: chunked\r\n\r\n0\r\n`, (count) => `X-${count}: v\r\n`, 1),
  'status 100 each 20 ms': forEver('', () => 'HTTP/1.1 100 Continue\r\n\r\n', 20),
  'line ends before the status, without end': forEver('', () => '\r\n'.repeat(200), 1),
  'zeros in brotli': bomb('br', () =>
    brotliCompressSync(zeros(128), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  ),
  'zeros in zstd': bomb('zstd', () => zstdCompressSync(zeros(128))),
  'gzip of gzip of zeros': bomb('gzip, gzip', () => gzipSync(gzipSync(zeros(128)))),
  'eight codings': bomb('gzip, gzip, gzip, gzip, gzip, gzip, gzip, gzip', () => gzipSync('{}')),
  'the answer a second time, when the next is asked': (socket, good) => {
    const bytes = bytesOf(good, good.body);
    socket.write(bytes);
    socket.once('data', () => socket.write(bytes));
  },
  'a connection closed right behind each answer': (socket, good) => {
    socket.end(bytesOf(good, good.body));
  },
  'a connection reset right behind each answer': (socket, good) => {
    socket.write(bytesOf(good, good.body), () => socket.resetAndDestroy());
  },
  'a good answer, and a megabyte of another behind it': (socket, good) => {
    socket.write(Buffer.concat([bytesOf(good, good.body), Buffer.alloc(mebibyte, 'HTTP/1.1 200 OK\r\n')]));
  },
  'a limit that is used up from now on': headed(
    ['X-RateLimit-Limit', '120'],
    ['X-RateLimit-Remaining', '0'],
    ['X-RateLimit-Reset', '86400'],
  ),
  'a limit of one that ends tomorrow': headed(
    ['X-RateLimit-Limit', '1'],
    ['X-RateLimit-Remaining', '-1'],
    ['X-RateLimit-Reset', String(Date.now() + 86_400_000)],
    ['Retry-After', '86400'],
  ),
};
