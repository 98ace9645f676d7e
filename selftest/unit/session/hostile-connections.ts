import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { answer, type Behaviour, type Case, drip, encoded, endless, good, send } from './hostile-servers.ts';

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

/** What a server may do to a connection, to the protocol and to every bound. */
export const hostileConnections: Readonly<Record<string, Case>> = {
  'never answers': { behave: () => {}, comes: 'timeout' },
  'closes the connection at once': {
    behave: (socket) => {
      socket.end();
    },
    comes: 'closed',
  },
  'resets the connection': {
    behave: (socket) => {
      socket.resetAndDestroy();
    },
    comes: 'reset',
  },
  'closes in the middle of the headers': {
    behave: (socket) => {
      socket.end('HTTP/1.1 200 OK\r\nContent-Ty');
    },
    comes: 'closed',
  },
  'closes in the middle of the body': {
    behave: (socket) => {
      socket.end(answer('{"success"', { length: 500 }));
    },
    comes: 'closed',
  },
  'stops in the middle of the body': {
    behave: send('{"success"', { length: 500 }),
    comes: 'timeout',
  },
  'closes in the middle of a chunked body': {
    behave: (socket) => {
      socket.end(`HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n\r\n40\r\n{"success":`);
    },
    comes: 'closed',
  },
  'drips its headers': { behave: drip('HTTP/1.1 200 OK\r\n', 'X: y\r\n'), comes: 'timeout' },
  'drips its body': { behave: drip(`HTTP/1.1 200 OK\r\n${json}\r\n`, ' '), comes: 'timeout' },
  'sends a body without end': {
    behave: endless(`HTTP/1.1 200 OK\r\n${json}\r\n`, ' '.repeat(65_536)),
    comes: 'too-large',
  },
  'sends chunks without end': {
    behave: endless(`HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n\r\n`, `1000\r\n${' '.repeat(4096)}\r\n`),
    comes: 'too-large',
  },
  'sends headers without end': {
    behave: endless('HTTP/1.1 200 OK\r\n', `X-Filler: ${'x'.repeat(4000)}\r\n`),
    comes: 'too-large',
  },
  'sends one huge header': {
    behave: send(good, { headers: [`X-Huge: ${'x'.repeat(200_000)}`] }),
    comes: 'too-large',
  },
  'says that its body is huge': {
    behave: send('{', { length: 9_000_000_000_000 }),
    comes: 'timeout',
  },
  'sends a gzip bomb': { behave: encoded('gzip', bomb), comes: 'too-large' },
  'sends a brotli bomb': {
    // At a lower quality than the default it is as small, and made in a tenth of the time.
    behave: encoded('br', brotliCompressSync(megabytes(64), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })),
    comes: 'too-large',
  },
  'sends a bomb in a bomb': {
    behave: encoded('gzip, gzip', gzipSync(bomb)),
    comes: 'too-large',
  },
  'sends broken gzip': { behave: encoded('gzip', Buffer.from('this is not gzip')), comes: 'encoding' },
  'sends gzip that is cut off': {
    behave: encoded('gzip', gzipSync(good).subarray(0, -12)),
    comes: 'encoding',
  },
  'sends a coding nobody knows': { behave: encoded('rot13', Buffer.from(good)), comes: 'encoding' },
  'sends twenty codings': {
    behave: encoded(Array.from({ length: 20 }, () => 'gzip').join(','), Buffer.from(good)),
    comes: 'encoding',
  },
  'sends gzip as it may': { behave: encoded('gzip', gzipSync(good)), comes: 200, isJson: true },
  'sends brotli as it may': { behave: encoded('br', brotliCompressSync(good)), comes: 200, isJson: true },
  'sends deflate as it may': { behave: encoded('deflate', deflateSync(good)), comes: 200, isJson: true },
  'sends deflate without its wrapper, as many do': {
    behave: encoded('deflate', deflateRawSync(good)),
    comes: 200,
    isJson: true,
  },
  'names a coding for an empty body': { behave: encoded('gzip', Buffer.alloc(0)), comes: 200, isJson: false },
  'does not speak HTTP': {
    behave: (socket) => {
      socket.end('220 mail.example.com ESMTP ready\r\n');
    },
    comes: 'protocol',
  },
  'speaks HTTP 0.9': {
    behave: (socket) => {
      socket.end('<h1>It works</h1>');
    },
    comes: 'protocol',
  },
  'sends noise': {
    behave: (socket) => {
      socket.end(Buffer.from([0, 255, 254, 1, 2, 3, 13, 10, 13, 10]));
    },
    comes: 'protocol',
  },
  'sends two Content-Length lines': {
    behave: (socket) => {
      socket.end(`HTTP/1.1 200 OK\r\n${json}Content-Length: 3\r\nContent-Length: 5\r\n\r\n{}   `);
    },
    comes: 'length',
  },
  'sends a line break in a header': { behave: send(good, { headers: ['X-Bad: a\rb'] }), comes: 'protocol' },
  'sends 100 Continue first': {
    behave: (socket) => {
      socket.write(`HTTP/1.1 100 Continue\r\n\r\n${answer(good).toString()}`);
    },
    comes: 'protocol',
  },
  'sends 103 Early Hints first': {
    behave: (socket) => {
      socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n${answer(good).toString()}`);
    },
    comes: 200,
    isJson: true,
  },
  'sends hints without end': {
    behave: endless('', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'),
    comes: 'too-large',
  },
  'sends the status line without end': { behave: endless('HTTP/1.1 200 ', 'r'.repeat(65_536)), comes: 'too-large' },
  'sends header lines of three bytes each': {
    behave: send(good, { headers: ['Content-Type: application/json', ...Array<string>(5_000).fill('a:')] }),
    comes: 'too-large',
  },
  'sends as many header lines as are taken': {
    behave: send(good, { headers: ['Content-Type: application/json', ...Array<string>(254).fill('a: b')] }),
    comes: 200,
    isJson: true,
  },
  'sends a body a byte a chunk, without end': {
    behave: endless(`HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n'.repeat(10_000)),
    comes: 'too-large',
  },
  'sends a body a byte a chunk': {
    behave: chunked([...good], ''),
    comes: 200,
    isJson: true,
  },
  'sends trailers': { behave: chunked([good], 'X-Sum: 1\r\n'), comes: 200, isJson: true },
  'sends trailers without end': {
    behave: endless(
      `HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n`,
      'X-Trailer: y\r\n'.repeat(1_000),
    ),
    comes: 'too-large',
  },
  'sends a few hints first': {
    behave: (socket) => {
      socket.write(`${'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(16)}${answer(good).toString()}`);
    },
    comes: 200,
    isJson: true,
  },
  'packs a body a thousandfold': { behave: encoded('gzip', gzipSync(megabytes(5))), comes: 'too-large' },
  'packs what is little as well as it can': {
    behave: encoded('gzip', gzipSync(Buffer.from(good.padEnd(60_000)))),
    comes: 200,
    isJson: true,
  },
  'answers more values than are looked at': { behave: send(`[${'0,'.repeat(250_000)}0]`), comes: 'too-large' },
  'switches protocols unasked': {
    behave: (socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n');
    },
    comes: 'protocol',
  },
};
