import type { Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import { bytesOf } from '../../../../robust/hostile/behaviour.ts';

/** What a server does on a connection once a request has come. */
type Behaviour = (socket: Socket) => void;

/** An HTTP/1.1 answer with these header lines; without a Content-Length where one of them says how it ends. */
const answer = (body: string | Buffer, lines: readonly string[] = [], status = '200 OK'): Buffer => {
  const headers = ['Content-Type: application/json', ...lines].map((line) => line.split(': ') as [string, string]);
  return bytesOf({ status: 200, headers }, body, `HTTP/1.1 ${status}`);
};

const writing =
  (...args: Parameters<typeof answer>): Behaviour =>
  (socket) =>
    void socket.write(answer(...args));
const ending =
  (bytes: string | Buffer): Behaviour =>
  (socket) =>
    void socket.end(bytes);
const encoded = (coding: string, body: Buffer): Behaviour => writing(body, [`Content-Encoding: ${coding}`]);

/** Writes for ever: as fast as the reader reads, or a piece from time to time. */
export const endless =
  (head: string | Buffer, piece: string, pause?: number): Behaviour =>
  (socket) => {
    socket.write(head);
    const more = (): void => {
      while (!socket.destroyed && socket.write(piece) && pause === undefined) {}
    };
    socket.on('drain', more);
    const timer = setInterval(more, pause ?? 5);
    socket.on('close', () => clearInterval(timer));
  };

const good = '{"success":true,"data":{}}';
const chunks = 'Transfer-Encoding: chunked';
const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n';
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));

/**
 * What a server does, and what comes of it: the status, the kind of failure, or both where the body cannot be read.
 * selftest/robust/hostile has many more, of which a test only asks that they do no harm.
 */
export const hostileServers: Readonly<Record<string, readonly [Behaviour, number | string, isJson?: true]>> = {
  'never answers': [() => {}, 'timeout'],
  'closes the connection at once': [ending(''), 'closed'],
  'resets the connection': [(socket) => void socket.resetAndDestroy(), 'reset'],
  'closes in the middle of a chunked body': [ending(answer('40\r\n{"success":', [chunks])), 'closed'],
  'drips its headers': [endless('HTTP/1.1 200 OK\r\n', 'X: y\r\n', 20), 'timeout'],
  'drips its body': [endless(answer('', ['Content-Length: 5000']), ' ', 20), 'timeout'],
  'sends chunks without end': [endless(answer('', [chunks]), `1000\r\n${' '.repeat(4096)}\r\n`), '200 too-large'],
  'sends headers without end': [endless('HTTP/1.1 200 OK\r\n', `X-Filler: ${'x'.repeat(4000)}\r\n`), 'too-large'],
  'sends a gzip bomb': [encoded('gzip', bomb), '200 too-large'],
  'sends a bomb in a bomb': [encoded('gzip, gzip', gzipSync(bomb)), '200 too-large'],
  'sends gzip that is cut off': [encoded('gzip', gzipSync(good).subarray(0, -12)), '200 encoding'],
  'sends gzip as it may': [encoded('gzip', gzipSync(good)), 200, true],
  'sends brotli as it may': [encoded('br', brotliCompressSync(good)), 200, true],
  'sends deflate without its wrapper, as many do': [encoded('deflate', deflateRawSync(good)), 200, true],
  'names a coding for an empty body': [encoded('gzip', Buffer.alloc(0)), 200],
  'does not speak HTTP': [ending('220 mail.example.com ESMTP ready\r\n'), 'protocol'],
  'sends two Content-Length lines': [writing(good, ['Content-Length: 26', 'Content-Length: 5']), 'protocol'],
  'sends Content-Length with chunks (RFC 9112, 6.2)': [
    writing('2\r\n{}\r\n0\r\n\r\n', ['Content-Length: 2', chunks]),
    'protocol',
  ],
  'switches protocols unasked': [writing('', ['Upgrade: h2c', 'Connection: Upgrade'], '101 Switching'), 'protocol'],
  'sends 103 Early Hints first': [(socket) => void socket.write(hint + answer(good).toString()), 200, true],
  'answers 204 with a body': [writing(good, [], '204 No Content'), 204],
  'answers JSON nested a hundred thousand deep': [
    writing(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    '200 too-deep',
  ],
  'answers more values than are looked at': [writing(`[${'0,'.repeat(250_000)}0]`), '200 too-large'],
  'answers invalid UTF-8': [writing(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])), 200],
};
