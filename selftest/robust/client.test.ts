import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { systemClock } from '../../common/clock.ts';
import { send } from '../../suites/session/session.ts';
import { socketTransport } from '../../suites/session/transport/undici-transport.ts';
import { listenOnFreePort } from '../free-port.ts';
import { testSession } from '../unit/test-session.ts';

/** What a hostile server does on a connection once it has read a request. */
type Behaviour = (socket: Socket) => void;

const good = '{"success":true,"data":{}}';

/** Writes an answer; Content-Length is true, unless the header lines have one, or chunks. Line ends become CRLF. */
const answer =
  (body: string | Buffer, lines = '', status = '200 OK'): Behaviour =>
  (socket) => {
    const length = /^(content-length|transfer-encoding):/im.test(lines) ? '' : `Content-Length: ${body.length}\n`;
    const head = `HTTP/1.1 ${status}\nContent-Type: application/json\n${lines}${length}\n`;
    socket.write(Buffer.concat([Buffer.from(head.replaceAll('\n', '\r\n'), 'latin1'), Buffer.from(body)]));
  };
const encoded = (coding: string, body: Buffer): Behaviour => answer(body, `Content-Encoding: ${coding}\n`);
const ending =
  (bytes: string): Behaviour =>
  (socket) =>
    void socket.end(bytes);

/** Writes for ever: as fast as the reader reads, or a piece from time to time. */
const endless =
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
const chunks = 'Transfer-Encoding: chunked\n';
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));

/** What a server does, and what comes of it: the status, the kind of failure, or both where the body cannot be read. */
const toldApart: Readonly<Record<string, readonly [Behaviour, number | string, isJson?: true]>> = {
  'never answers': [() => {}, 'timeout'],
  'closes the connection at once': [ending(''), 'closed'],
  'resets the connection': [(socket) => void socket.resetAndDestroy(), 'closed'],
  'closes in the middle of a chunked body': [ending(`${chunked}40\r\n{"success":`), 'closed'],
  'drips its headers': [endless(ok, 'X: y\r\n', 20), 'timeout'],
  'drips its body': [endless(`${ok}Content-Length: 5000\r\n\r\n`, ' ', 20), 'timeout'],
  'sends status 100 without end': [endless('', 'HTTP/1.1 100 Continue\r\n\r\n', 20), 'protocol'],
  'sends chunks without end': [endless(chunked, `1000\r\n${' '.repeat(4096)}\r\n`), '200 too-large'],
  'sends headers without end': [endless(ok, `X-Filler: ${'x'.repeat(4000)}\r\n`), 'too-large'],
  'sends a gzip bomb': [encoded('gzip', bomb), '200 too-large'],
  'sends a bomb in a bomb': [encoded('gzip, gzip', gzipSync(bomb)), '200 too-large'],
  'sends zeros in zstd': [encoded('zstd', zstdCompressSync(Buffer.alloc(128 * 1024 * 1024))), '200 too-large'],
  'sends gzip that is cut off': [encoded('gzip', gzipSync(good).subarray(0, -12)), '200 encoding'],
  'sends gzip that says it is brotli': [encoded('br', gzipSync(good)), '200 encoding'],
  'sends gzip as it may': [encoded('gzip', gzipSync(good)), 200, true],
  'sends brotli as it may': [encoded('br', brotliCompressSync(good)), 200, true],
  'sends deflate without its wrapper, as many do': [encoded('deflate', deflateRawSync(good)), 200, true],
  'names a charset as a coding (yhirose/cpp-httplib#2518)': [encoded('UTF-8', Buffer.from(good)), 200, true],
  'names a coding for an empty body': [encoded('gzip', Buffer.alloc(0)), 200],
  'does not speak HTTP': [ending('220 mail.example.com ESMTP ready\r\n'), 'protocol'],
  'sends Content-Length with chunks (RFC 9112, 6.2)': [
    answer('2\r\n{}\r\n0\r\n\r\n', `Content-Length: 2\n${chunks}`),
    'protocol',
  ],
  'switches protocols unasked': [answer('', 'Upgrade: h2c\nConnection: Upgrade\n', '101 Switching'), 'protocol'],
  'redirects to another path': [answer('', 'Location: /elsewhere\n', '307 Moved'), 307],
  'answers JSON nested a hundred thousand deep': [
    answer(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    '200 too-deep',
  ],
  'answers more values than are looked at': [answer(`[${'0,'.repeat(250_000)}0]`), '200 too-large'],
  'answers invalid UTF-8': [answer(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])), 200],
};

/**
 * Sends a read and a write to a server that behaves so, with the suite's own client. Resolves with what came of the read,
 * whether it could be read, and what went wrong: exceptions, failures of an unknown kind, redirects that were followed.
 */
async function tryClient(behave: Behaviour, timeoutMs: number) {
  const asked: string[] = [];
  // A client may leave before its request is complete.
  const server = createServer((request) => {
    asked.push(request.url ?? '');
    request.on('error', () => {}).on('end', () => behave(request.socket));
    request.resume();
  });
  const origin = `http://127.0.0.1:${await listenOnFreePort(server)}`;
  const { transport, close } = socketTransport(timeoutMs);
  const env = { TIMEOUT_MS: String(timeoutMs), CLOCK_SPEED: '600' };
  const session = testSession('developer', { origin, env, transport, clock: systemClock });
  const troubles: string[] = [];
  for (const endpoint of ['GET /api/v1/ads/campaigns', 'POST /api/v1/inbox/categorize']) {
    const body = endpoint.startsWith('P') ? {} : undefined;
    const trouble = await send(session, endpoint, { mode: 'header', body }).then(
      ({ exchange }) => exchange.failure?.kind === 'other' && exchange.failure.message,
      ({ name, message }: Error) => name !== 'Inconclusive' && `${name}: ${message}`.slice(0, 120),
    );
    troubles.push(...(trouble ? [trouble] : []));
  }
  await close();
  server.close().closeAllConnections();
  troubles.push(...asked.filter((url) => !url.startsWith('/api/v1/')));
  const { response, failure } = session.evidence.exchanges[0] ?? {};
  const comes = failure ? [response?.status, failure.kind].filter(Boolean).join(' ') : response?.status;
  return { comes, isJson: response?.json !== undefined, troubles };
}

// Concurrently, since some wait for a time limit.
test.concurrent.for(Object.entries(toldApart))('a server that %s', async ([, [behave, comes, isJson = false]]) => {
  // Only behaviours that should reach the time limit get a short one.
  expect(await tryClient(behave, comes === 'timeout' ? 400 : 30_000)).toEqual({ troubles: [], comes, isJson });
});
