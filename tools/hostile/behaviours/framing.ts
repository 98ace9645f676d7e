import { gzipSync } from 'node:zlib';
import { type Behaviour, bytesOf, headed, packed, raw, saying } from '../behaviour.ts';

const head = 'HTTP/1.1 200 OK\nContent-Type: application/json\n';
const chunkedHead = `${head}Transfer-Encoding: chunked\n\n`;
/** Lengths, chunks and codings that do not fit the body. */
export const framing: Readonly<Record<string, Behaviour>> = {
  'a negative length': raw(`${head}Content-Length: -5\n\n{}`),
  'a length with a plus': raw(`${head}Content-Length: +2\n\n{}`),
  'a length in hexadecimal': raw(`${head}Content-Length: 0x2\n\n{}`),
  'a length twice in a line': raw(`${head}Content-Length: 2, 2\n\n{}`),
  'a length beyond 64 bits': raw(`${head}Content-Length: 99999999999999999999\n\n{}`),
  'an empty length': raw(`${head}Content-Length: \n\n{}`),
  'a length that is too short': raw(`${head}Content-Length: 1\n\n{"a":1}`),
  'a length and chunks': raw(`${head}Content-Length: 2\nTransfer-Encoding: chunked\n\n2\n{}\n0\n\n`),
  'chunks in HTTP/1.0': raw('HTTP/1.0 200 OK\nTransfer-Encoding: chunked\n\n2\n{}\n0\n\n'),
  'Transfer-Encoding gzip, chunked': raw(`${head}Transfer-Encoding: gzip, chunked\n\n2\n{}\n0\n\n`),
  'Transfer-Encoding chunked, chunked': raw(`${head}Transfer-Encoding: chunked, chunked\n\n2\n{}\n0\n\n`),
  'Transfer-Encoding that nobody knows': raw(`${head}Transfer-Encoding: cow\n\n{}`),
  'Transfer-Encoding with a trick': raw(`${head}Transfer-Encoding: \u000bchunked\n\n2\n{}\n0\n\n`),
  'a chunk of 16 exabytes': raw(`${chunkedHead}ffffffffffffffff\n{}`),
  'a chunk size beyond 64 bits': raw(`${chunkedHead}1ffffffffffffffffff\n{}`),
  'a negative chunk': raw(`${chunkedHead}-2\n{}\n0\n\n`),
  'a chunk size that is no number': raw(`${chunkedHead}zz\n{}\n0\n\n`),
  'a chunk without its line end': raw(`${chunkedHead}2\n{}0\n\n`),
  'a chunk longer than it says': raw(`${chunkedHead}1\n{}\n0\n\n`),
  'a chunk extension of 30 KiB': raw(`${chunkedHead}2;${'e'.repeat(30_000)}\n{}\n0\n\n`),
  'a chunk extension with quotes that stay open': raw(`${chunkedHead}2;a="\n{}\n0\n\n`),
  'trailers that change the status': raw(`${chunkedHead}2\n{}\n0\nHTTP/1.1 500 No\n\n`),
  'trailers that change the length': raw(`${chunkedHead}2\n{}\n0\nContent-Length: 99\nX-API-Key: x\n\n`),
  'a second answer behind the first': (socket, good) => {
    socket.write(Buffer.concat([bytesOf(good, good.body), bytesOf(good, '{"poisoned":true}')]));
  },
  'a second answer a moment later': (socket, good) => {
    socket.write(bytesOf(good, good.body));
    setTimeout(() => socket.write(bytesOf(good, '{"poisoned":true}')), 5);
  },
  'noise behind the answer': (socket, good) => {
    socket.write(Buffer.concat([bytesOf(good, good.body), Buffer.alloc(70_000, 'x')]));
  },
  'an answer cut, and the connection reset': (socket, good) => {
    const bytes = bytesOf(good, good.body);
    socket.write(bytes.subarray(0, bytes.length >> 1), () => socket.resetAndDestroy());
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
  'nothing, with the connection closed by halves': (socket) => {
    socket.end();
  },
  'nothing at all': () => {},
  'gzip that is named twice': packed('gzip, gzip', (body) => gzipSync(gzipSync(body))),
  'gzip that is not packed': packed('gzip', (body) => Buffer.from(body)),
  'gzip with noise behind it': packed('gzip', (body) => Buffer.concat([gzipSync(body), Buffer.alloc(1_000, 1)])),
  'gzip of a second member': packed('gzip', (body) => Buffer.concat([gzipSync(body), gzipSync('{"x":1}')])),
  'gzip of 3 MiB of blanks': packed('gzip', () => gzipSync(Buffer.alloc(3 * 1024 * 1024, ' '))),
  'brotli that is noise': packed('br', () => Buffer.alloc(4_096, 0xa5)),
  'zstd that is noise': packed('zstd', () => Buffer.alloc(4_096, 0x5a)),
  compress: packed('compress', (body) => Buffer.from(body)),
  'an empty coding': headed(['Content-Encoding', '']),
  'identity, identity, identity': headed(['Content-Encoding', 'identity, identity, identity']),
  'a body of 4 MiB in one text': saying(() =>
    JSON.stringify({ success: true, data: 'x'.repeat(4 * 1024 * 1024 - 60) }),
  ),
};
