import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Asked, Behaviour, Good } from './behaviour.ts';

export interface HostileServer {
  readonly origin: string;
  /** The number of connections to the other server, which answers name. */
  readonly strayed: () => number;
  close(): Promise<void>;
}

/** A server on loopback with raw sockets. It reads complete requests, and lets the behaviour respond. */
export async function hostileServer(behave: Behaviour, good: (asked: Asked) => Promise<Good>): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  let [number, strayed] = [0, 0];
  const other = createServer((socket) => {
    strayed += 1;
    socket.destroy();
  });
  const elsewhere = await bind(other);
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    let pending = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      for (let read = readRequest(pending); read !== null; read = readRequest(pending)) {
        pending = pending.subarray(read.length);
        number += 1;
        const asked = { ...read.asked, number, elsewhere };
        void good(asked).then((answer) => {
          if (!socket.destroyed) {
            behave(socket, answer, asked);
          }
        });
      }
    });
  });
  const origin = await bind(server);
  return {
    origin,
    strayed: () => strayed,
    async close() {
      for (const socket of sockets) {
        socket.destroy();
      }
      await Promise.all([server, other].map((one) => once(one.close(), 'close')));
    },
  };
}

async function bind(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function readRequest(bytes: Buffer): { asked: Omit<Asked, 'number' | 'elsewhere'>; length: number } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) {
    return null;
  }
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const [method = '', url = ''] = first.split(' ');
  const headers = lines.map((line) => {
    const at = line.indexOf(':');
    return [line.slice(0, at), line.slice(at + 1).trim()] as const;
  });
  const headerValue = (name: string): string => headers.find(([own]) => own.toLowerCase() === name)?.[1] ?? '';
  const length = end + 4 + Number(headerValue('content-length') || 0);
  if (bytes.length < length) {
    return null;
  }
  const body = bytes.subarray(end + 4, length).toString('utf8');
  const key =
    headerValue('x-api-key') ||
    headerValue('authorization').replace(/^\w+ /, '') ||
    (new URL(url, 'http://x').searchParams.get('api_key') ?? '');
  return { asked: { method, url, headers, body, key }, length };
}
