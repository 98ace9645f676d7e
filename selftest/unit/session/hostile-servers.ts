import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

/** What a hostile or broken server does with a connection on which a request has come. */
export type Behaviour = (socket: Socket) => void;

export interface HostileServer {
  readonly origin: string;
  /** Requests that reached it. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** A server on loopback that reads one request's head a connection and then behaves as told. */
export async function hostileServer(behave: Behaviour): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.on('data', (bytes) => {
      requests.push(bytes.toString('latin1'));
      behave(socket);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) {
          socket.destroy();
        }
      }),
  };
}

/** An HTTP/1.1 answer. `length` is what Content-Length says: by default the truth, null for none at all. */
export function answer(
  body: string | Buffer,
  options: { status?: string; headers?: readonly string[]; length?: number | null } = {},
): Buffer {
  const bytes = Buffer.from(body);
  const { status = '200 OK', headers = ['Content-Type: application/json'], length = bytes.length } = options;
  const lines = [`HTTP/1.1 ${status}`, ...headers, ...(length === null ? [] : [`Content-Length: ${length}`]), '', ''];
  return Buffer.concat([Buffer.from(lines.join('\r\n')), bytes]);
}

const send =
  (...args: Parameters<typeof answer>): Behaviour =>
  (socket) => {
    socket.write(answer(...args));
  };
const encoded = (coding: string, body: Buffer): Behaviour =>
  send(body, { headers: ['Content-Type: application/json', `Content-Encoding: ${coding}`] });

/** Writes for ever, as fast as the reader takes it. */
const endless =
  (head: string, chunk: string): Behaviour =>
  (socket) => {
    socket.write(head);
    const more = (): void => {
      while (!socket.destroyed && socket.write(chunk)) {}
    };
    socket.on('drain', more);
    more();
  };

/** Writes a byte now and then, for ever. */
const drip =
  (head: string, drop: string): Behaviour =>
  (socket) => {
    socket.write(head);
    const timer = setInterval(() => {
      socket.write(drop);
    }, 20);
    socket.on('close', () => {
      clearInterval(timer);
    });
  };

const good = '{"success":true,"data":{},"context":null,"error":null,"meta":{}}';
const megabytes = (count: number): Buffer => Buffer.alloc(count * 1024 * 1024, ' ');
const json = 'Content-Type: application/json\r\n';

/** What each behaviour leads to: the status, or, where the exchange fails, what the failure says. */
export interface Case {
  readonly behave: Behaviour;
  readonly comes: number | RegExp;
  /** Whether the body is JSON in the end; of failures it never is. */
  readonly isJson?: boolean;
}

/** Everything that a server may do to a client. */
export const hostile: Readonly<Record<string, Case>> = {
  'never answers': { behave: () => {}, comes: /^No complete answer within/ },
  'closes the connection at once': {
    behave: (socket) => {
      socket.end();
    },
    comes: /^Connection is closed/,
  },
  'resets the connection': {
    behave: (socket) => {
      socket.resetAndDestroy();
    },
    comes: /^Connection is/,
  },
  'closes in the middle of the headers': {
    behave: (socket) => {
      socket.end('HTTP/1.1 200 OK\r\nContent-Ty');
    },
    comes: /closed|HTTP/,
  },
  'closes in the middle of the body': {
    behave: (socket) => {
      socket.end(answer('{"success"', { length: 500 }));
    },
    comes: /closed|Content-Length/,
  },
  'stops in the middle of the body': {
    behave: send('{"success"', { length: 500 }),
    comes: /^No complete answer within/,
  },
  'closes in the middle of a chunked body': {
    behave: (socket) => {
      socket.end(`HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n\r\n40\r\n{"success":`);
    },
    comes: /closed|HTTP/,
  },
  'drips its headers': { behave: drip('HTTP/1.1 200 OK\r\n', 'X: y\r\n'), comes: /^No complete answer within/ },
  'drips its body': { behave: drip(`HTTP/1.1 200 OK\r\n${json}\r\n`, ' '), comes: /^No complete answer within/ },
  'sends a body without end': {
    behave: endless(`HTTP/1.1 200 OK\r\n${json}\r\n`, ' '.repeat(65_536)),
    comes: /^Body is larger than|^No complete answer/,
  },
  'sends chunks without end': {
    behave: endless(`HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n\r\n`, `1000\r\n${' '.repeat(4096)}\r\n`),
    comes: /^Body is larger than|^No complete answer/,
  },
  'sends headers without end': {
    behave: endless('HTTP/1.1 200 OK\r\n', `X-Filler: ${'x'.repeat(4000)}\r\n`),
    comes: /^Headers are larger/,
  },
  'sends one huge header': {
    behave: send(good, { headers: [`X-Huge: ${'x'.repeat(200_000)}`] }),
    comes: /^Headers are larger/,
  },
  'says that its body is huge': {
    behave: send('{', { length: 9_000_000_000_000 }),
    comes: /^No complete answer|larger/,
  },
  'sends a gzip bomb': { behave: encoded('gzip', gzipSync(megabytes(64))), comes: /^Body unpacks to more than/ },
  'sends a brotli bomb': {
    behave: encoded('br', brotliCompressSync(megabytes(64))),
    comes: /^Body unpacks to more than/,
  },
  'sends a bomb in a bomb': {
    behave: encoded('gzip, gzip', gzipSync(gzipSync(megabytes(64)))),
    comes: /^Body unpacks to more than/,
  },
  'sends broken gzip': { behave: encoded('gzip', Buffer.from('this is not gzip')), comes: /^Body is not valid gzip/ },
  'sends gzip that is cut off': {
    behave: encoded('gzip', gzipSync(good).subarray(0, -12)),
    comes: /^Body is not valid gzip/,
  },
  'sends a coding nobody knows': { behave: encoded('rot13', Buffer.from(good)), comes: /^Content-Encoding is rot13/ },
  'sends twenty codings': {
    behave: encoded(Array.from({ length: 20 }, () => 'gzip').join(','), Buffer.from(good)),
    comes: /^Content-Encoding names 20/,
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
    comes: /^Answer is not HTTP/,
  },
  'speaks HTTP 0.9': {
    behave: (socket) => {
      socket.end('<h1>It works</h1>');
    },
    comes: /^Answer is not HTTP/,
  },
  'sends noise': {
    behave: (socket) => {
      socket.end(Buffer.from([0, 255, 254, 1, 2, 3, 13, 10, 13, 10]));
    },
    comes: /^Answer is not HTTP/,
  },
  'sends two Content-Length lines': {
    behave: (socket) => {
      socket.end(`HTTP/1.1 200 OK\r\n${json}Content-Length: 3\r\nContent-Length: 5\r\n\r\n{}   `);
    },
    comes: /HTTP|Content-Length/,
  },
  'sends a line break in a header': { behave: send(good, { headers: ['X-Bad: a\rb'] }), comes: /HTTP/ },
  'sends 100 Continue first': {
    behave: (socket) => {
      socket.write(`HTTP/1.1 100 Continue\r\n\r\n${answer(good).toString()}`);
    },
    comes: /100|HTTP|closed/,
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
    comes: /^No complete answer|^Headers are larger/,
  },
  'switches protocols unasked': {
    behave: (socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n');
    },
    comes: /./,
  },
  'answers 204': {
    behave: send('', { status: '204 No Content', headers: [], length: null }),
    comes: 204,
    isJson: false,
  },
  'answers 204 with a body': { behave: send(good, { status: '204 No Content' }), comes: 204, isJson: false },
  'answers 304': {
    behave: send('', { status: '304 Not Modified', headers: [], length: null }),
    comes: 304,
    isJson: false,
  },
  'answers 999': { behave: send(good, { status: '999 What' }), comes: 999, isJson: true },
  'redirects elsewhere': {
    behave: send('', { status: '302 Found', headers: ['Location: http://127.0.0.1:1/'] }),
    comes: 302,
    isJson: false,
  },
  'redirects to itself': {
    behave: send('', { status: '307 Temporary Redirect', headers: ['Location: /'] }),
    comes: 307,
    isJson: false,
  },
  'answers an HTML page': {
    behave: send('<!doctype html><title>Hello</title>', { headers: ['Content-Type: text/html'] }),
    comes: 200,
    isJson: false,
  },
  'answers text that is labelled JSON': { behave: send('all is well'), comes: 200, isJson: false },
  'answers JSON that is cut off': { behave: send('{"success":true,"data":'), comes: 200, isJson: false },
  'answers nothing at all in its body': { behave: send(''), comes: 200, isJson: false },
  'answers two JSON values': { behave: send(`${good}${good}`), comes: 200, isJson: false },
  'answers JSON nested a hundred thousand deep': {
    behave: send(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    comes: /^Body is nested deeper/,
  },
  'answers JSON nested as deep as is taken': {
    behave: send(`${'{"a":'.repeat(499)}["]]]]{{{{", "\\\\\\"[[["]${'}'.repeat(499)}`),
    comes: 200,
    isJson: true,
  },
  'answers with a byte order mark': { behave: send(`\ufeff${good}`), comes: 200 },
  'answers invalid UTF-8': {
    behave: send(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
    comes: 200,
    isJson: false,
  },
  'answers UTF-16': { behave: send(Buffer.from(good, 'utf16le')), comes: 200, isJson: false },
  'answers with no headers': {
    behave: (socket) => {
      socket.end(`HTTP/1.1 200 OK\r\n\r\n${good}`);
    },
    comes: 200,
    isJson: true,
  },
  'answers twice': {
    behave: (socket) => {
      socket.write(Buffer.concat([answer(good), answer('{"second":true}')]));
    },
    comes: 200,
    isJson: true,
  },
};
