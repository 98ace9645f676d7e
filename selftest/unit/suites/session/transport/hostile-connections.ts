import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import {
  answer,
  type Behaviour,
  type Case,
  drip,
  encoded,
  ending,
  endless,
  good,
  send,
  writing,
} from './hostile-servers.ts';

/** Sends a body in these chunks, and trailers. */
const chunked =
  (chunks: readonly string[], trailers: string): Behaviour =>
  (socket) => {
    const pieces = chunks.map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`).join('');
    socket.write(`HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n\r\n${pieces}0\r\n${trailers}\r\n`);
  };

const megabytes = (count: number): Buffer => Buffer.alloc(count * 1024 * 1024, ' ');
const json = 'Content-Type: application/json\r\n';
const bomb = gzipSync(megabytes(64));

/** Abuses of connections, of the protocol and of all bounds. */
export const hostileConnections: Readonly<Record<string, Case>> = {
  'never answers': [() => {}, 'timeout'],
  'closes the connection at once': [ending(''), 'closed'],
  'resets the connection': [
    (socket) => {
      socket.resetAndDestroy();
    },
    'reset',
  ],
  'closes in the middle of the headers': [ending('HTTP/1.1 200 OK\r\nContent-Ty'), 'closed'],
  'closes in the middle of the body': [ending(answer('{"success"', { length: 500 })), 'closed'],
  'stops in the middle of the body': [send('{"success"', { length: 500 }), 'timeout'],
  'closes in the middle of a chunked body': [
    ending(`HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n\r\n40\r\n{"success":`),
    'closed',
  ],
  'drips its headers': [drip('HTTP/1.1 200 OK\r\n', 'X: y\r\n'), 'timeout'],
  'drips its body': [drip(`HTTP/1.1 200 OK\r\n${json}\r\n`, ' '), 'timeout'],
  'sends a body without end': [endless(`HTTP/1.1 200 OK\r\n${json}\r\n`, ' '.repeat(65_536)), '200 too-large'],
  'sends chunks without end': [
    endless(`HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n\r\n`, `1000\r\n${' '.repeat(4096)}\r\n`),
    '200 too-large',
  ],
  'sends headers without end': [endless('HTTP/1.1 200 OK\r\n', `X-Filler: ${'x'.repeat(4000)}\r\n`), 'too-large'],
  'sends one huge header': [send(good, { headers: [`X-Huge: ${'x'.repeat(200_000)}`] }), 'too-large'],
  'says that its body is huge': [send('{', { length: 9_000_000_000_000 }), 'timeout'],
  'sends a gzip bomb': [encoded('gzip', bomb), '200 too-large'],
  'sends a brotli bomb': [
    // With lower quality than the default it is as small, and takes a tenth of the time.
    encoded('br', brotliCompressSync(megabytes(64), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })),
    '200 too-large',
  ],
  'sends a bomb in a bomb': [encoded('gzip, gzip', gzipSync(bomb)), '200 too-large'],
  'sends broken gzip': [encoded('gzip', Buffer.from('this is not gzip')), '200 encoding'],
  'sends gzip that is cut off': [encoded('gzip', gzipSync(good).subarray(0, -12)), '200 encoding'],
  'sends a coding nobody knows': [encoded('rot13', Buffer.from(good)), '200 encoding'],
  'sends twenty codings': [
    encoded(Array.from({ length: 20 }, () => 'gzip').join(','), Buffer.from(good)),
    '200 encoding',
  ],
  'sends gzip as it may': [encoded('gzip', gzipSync(good)), 200, true],
  'sends brotli as it may': [encoded('br', brotliCompressSync(good)), 200, true],
  'sends deflate as it may': [encoded('deflate', deflateSync(good)), 200, true],
  'sends deflate without its wrapper, as many do': [encoded('deflate', deflateRawSync(good)), 200, true],
  'names a coding for an empty body': [encoded('gzip', Buffer.alloc(0)), 200, false],
  'does not speak HTTP': [ending('220 mail.example.com ESMTP ready\r\n'), 'protocol'],
  'speaks HTTP 0.9': [ending('<h1>It works</h1>'), 'protocol'],
  'sends noise': [ending(Buffer.from([0, 255, 254, 1, 2, 3, 13, 10, 13, 10])), 'protocol'],
  'sends two Content-Length lines': [
    ending(`HTTP/1.1 200 OK\r\n${json}Content-Length: 3\r\nContent-Length: 5\r\n\r\n{}   `),
    'protocol',
  ],
  'sends Content-Length with chunks (RFC 9112, 6.2)': [
    ending(`HTTP/1.1 200 OK\r\n${json}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
    'protocol',
  ],
  'sends a line break in a header': [send(good, { headers: ['X-Bad: a\rb'] }), 'protocol'],
  'sends 100 Continue first': [writing(`HTTP/1.1 100 Continue\r\n\r\n${answer(good).toString()}`), 'protocol'],
  'sends 103 Early Hints first': [
    writing(`HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n${answer(good).toString()}`),
    200,
    true,
  ],
  'sends hints without end': [endless('', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'), 'too-large'],
  'sends the status line without end': [endless('HTTP/1.1 200 ', 'r'.repeat(65_536)), 'too-large'],
  'sends header lines of three bytes each': [
    send(good, { headers: ['Content-Type: application/json', ...Array<string>(5_000).fill('a:')] }),
    '200 too-large',
  ],
  'sends as many header lines as are taken': [
    send(good, { headers: ['Content-Type: application/json', ...Array<string>(254).fill('a: b')] }),
    200,
    true,
  ],
  'sends a body a byte a chunk, without end': [
    endless(`HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n'.repeat(10_000)),
    '200 too-large',
  ],
  'sends a body a byte a chunk': [chunked([...good], ''), 200, true],
  'sends trailers': [chunked([good], 'X-Sum: 1\r\n'), 200, true],
  'sends trailers without end': [
    endless(
      `HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n`,
      'X-Trailer: y\r\n'.repeat(1_000),
    ),
    'too-large',
  ],
  'sends a few hints first': [
    writing(`${'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(16)}${answer(good).toString()}`),
    200,
    true,
  ],
  'packs a body a thousandfold': [encoded('gzip', gzipSync(megabytes(5))), '200 too-large'],
  'packs what is little as well as it can': [encoded('gzip', gzipSync(Buffer.from(good.padEnd(60_000)))), 200, true],
  'answers more values than are looked at': [send(`[${'0,'.repeat(250_000)}0]`), '200 too-large'],
  'switches protocols unasked': [
    writing('HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n'),
    'protocol',
  ],
};
