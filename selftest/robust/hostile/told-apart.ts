import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import { type Behaviour, changed, headed, raw, saying } from './behaviour.ts';

const ending =
  (bytes: string): Behaviour =>
  (socket) =>
    void socket.end(bytes);
const encoded = (coding: string, encode: (body: string) => Buffer): Behaviour =>
  changed(({ body }) => ({ headers: [['Content-Encoding', coding]], body: encode(body) }));

/** Writes for ever: as fast as the reader reads, or a piece from time to time. */
export const endless =
  (head: string, piece: string, pause?: number): Behaviour =>
  (socket) => {
    socket.write(head);
    const more = (): void => {
      while (!socket.destroyed && socket.write(piece) && pause === undefined) {}
    };
    socket.on('drain', more);
    const timer = setInterval(more, pause ?? 5);
    socket.on('close', () => clearInterval(timer));
  };

const ok = 'HTTP/1.1 200 OK\r\n';
const chunked = `${ok}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));

/**
 * What a server does, and what comes of it: the status, the kind of failure, or both where the body cannot be read. Of the
 * other behaviours a test only asks that they do no harm.
 */
export const toldApart: Readonly<Record<string, readonly [Behaviour, number | string, isJson?: true]>> = {
  'never answers': [() => {}, 'timeout'],
  'closes the connection at once': [ending(''), 'closed'],
  'resets the connection': [(socket) => void socket.resetAndDestroy(), 'reset'],
  'closes in the middle of a chunked body': [ending(`${chunked}40\r\n{"success":`), 'closed'],
  'drips its headers': [endless(ok, 'X: y\r\n', 20), 'timeout'],
  'drips its body': [endless(`${ok}Content-Length: 5000\r\n\r\n`, ' ', 20), 'timeout'],
  'sends chunks without end': [endless(chunked, `1000\r\n${' '.repeat(4096)}\r\n`), '200 too-large'],
  'sends headers without end': [endless(ok, `X-Filler: ${'x'.repeat(4000)}\r\n`), 'too-large'],
  'sends a gzip bomb': [encoded('gzip', () => bomb), '200 too-large'],
  'sends a bomb in a bomb': [encoded('gzip, gzip', () => gzipSync(bomb)), '200 too-large'],
  'sends gzip that is cut off': [encoded('gzip', (body) => gzipSync(body).subarray(0, -12)), '200 encoding'],
  'sends gzip as it may': [encoded('gzip', (body) => gzipSync(body)), 200, true],
  'sends brotli as it may': [encoded('br', (body) => brotliCompressSync(body)), 200, true],
  'sends deflate without its wrapper, as many do': [encoded('deflate', (body) => deflateRawSync(body)), 200, true],
  'names a coding for an empty body': [encoded('gzip', () => Buffer.alloc(0)), 200],
  'does not speak HTTP': [ending('220 mail.example.com ESMTP ready\r\n'), 'protocol'],
  'sends two Content-Length lines': [headed(['Content-Length', '26'], ['Content-Length', '5']), 'protocol'],
  'sends Content-Length with chunks (RFC 9112, 6.2)': [
    raw(`${ok}Content-Length: 2\r\n${chunked.slice(ok.length)}2\r\n{}\r\n0\r\n\r\n`),
    'protocol',
  ],
  'switches protocols unasked': [
    changed(() => ({
      line: 'HTTP/1.1 101 Switching',
      headers: [
        ['Upgrade', 'h2c'],
        ['Connection', 'Upgrade'],
      ],
    })),
    'protocol',
  ],
  'sends 103 Early Hints first': [
    changed(() => ({ line: 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK' })),
    200,
    true,
  ],
  'answers 204 with a body': [changed(() => ({ line: 'HTTP/1.1 204 No Content' })), 204],
  'answers JSON nested a hundred thousand deep': [
    saying(() => `${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    '200 too-deep',
  ],
  'answers more values than are looked at': [saying(() => `[${'0,'.repeat(250_000)}0]`), '200 too-large'],
  'answers invalid UTF-8': [saying(() => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])), 200],
};
