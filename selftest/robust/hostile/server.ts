import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSocketServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { listenOnFreePort } from '../../free-port.ts';
import type { Asked, Behaviour, Good } from './behaviour.ts';

export interface HostileServer {
  readonly origin: string;
  /** The number of connections to the other server, which answers name. */
  readonly strayed: () => number;
  close(): Promise<void>;
}

const bind = async (server: Server): Promise<string> => `http://127.0.0.1:${await listenOnFreePort(server)}`;

/** The key that a request carries in any place; empty if none. */
function keyOf({ headers, url = '' }: IncomingMessage): string {
  const inQuery = new URL(url, 'http://x').searchParams.get('api_key');
  return String(headers['x-api-key'] ?? headers.authorization?.replace(/^\w+ /, '') ?? inQuery ?? '');
}

/** A server on loopback, which lets the behaviour respond to complete requests on the raw socket. */
export async function hostileServer(behave: Behaviour, good: (asked: Asked) => Promise<Good>): Promise<HostileServer> {
  let [number, strayed] = [0, 0];
  const other = createSocketServer((socket) => {
    strayed += 1;
    socket.destroy();
  });
  const elsewhere = await bind(other);
  const respond = async (request: IncomingMessage): Promise<void> => {
    number += 1;
    const { method = '', url = '', headers, socket } = request;
    const sent = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
    const asked = { method, url, headers: sent, key: keyOf(request), number, elsewhere, body: await text(request) };
    const answer = await good(asked);
    if (!socket.destroyed) {
      behave(socket, answer, asked);
    }
  };
  // A client may leave before its request is complete.
  const server = createServer((request) => void respond(request).catch(() => {}));
  return {
    origin: await bind(server),
    strayed: () => strayed,
    async close() {
      const ended = [server, other].map((one) => once(one.close(), 'close'));
      server.closeAllConnections();
      await Promise.all(ended);
    },
  };
}
