import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSocketServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Reference } from '../../../fixtures/reference/plain-deployment.ts';
import { listenOnFreePort } from '../../free-port.ts';
import type { Behaviour, Good } from './behaviour.ts';

const bind = async (server: Server): Promise<string> => `http://127.0.0.1:${await listenOnFreePort(server)}`;

/** The key that a request carries in any place; empty if none. */
function keyOf({ headers, url = '' }: IncomingMessage): string {
  const inQuery = new URL(url, 'http://x').searchParams.get('api_key');
  return String(headers['x-api-key'] ?? headers.authorization?.replace(/^\w+ /, '') ?? inQuery ?? '');
}

/** Headers of a connection, and of how a body comes over it. */
const ofConnection = /^(content-length|content-encoding|connection|host|transfer-encoding)$/i;

/** The answer of a reference deployment in this process. */
async function answerOf(
  reference: Reference,
  { method = '', url = '', headers }: IncomingMessage,
  body: string,
): Promise<Good> {
  const sent = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const response = await reference.developer.fetch(
    new Request(`http://reference.test${url}`, {
      method,
      headers: sent.filter(([name]) => !ofConnection.test(name)),
      ...(body === '' || method === 'GET' || method === 'HEAD' ? {} : { body }),
    }),
  );
  const kept = [...response.headers].filter(([name]) => !ofConnection.test(name));
  return { status: response.status, headers: kept, body: await response.text() };
}

/** A server on loopback, which lets the behaviour respond to complete requests on the raw socket. */
export async function hostileServer(behave: Behaviour, reference: Reference) {
  let [number, strayed] = [0, 0];
  const keys = new Set<string>();
  const other = createSocketServer((socket) => {
    strayed += 1;
    socket.destroy();
  });
  const elsewhere = await bind(other);
  const respond = async (request: IncomingMessage): Promise<void> => {
    number += 1;
    const { method = '', url = '', socket } = request;
    const asked = { method, url, key: keyOf(request), number, elsewhere, body: await text(request) };
    const answer = await answerOf(reference, request, asked.body);
    if (answer.status < 300) {
      keys.add(asked.key);
    }
    if (!socket.destroyed) {
      behave(socket, answer, asked);
    }
  };
  // A client may leave before its request is complete.
  const server = createServer((request) => void respond(request).catch(() => {}));
  return {
    origin: await bind(server),
    /** The keys that opened something. */
    keys,
    /** The number of connections to the other server, which answers name. */
    strayed: () => strayed,
    async close() {
      const ended = [server, other].map((one) => once(one.close(), 'close'));
      server.closeAllConnections();
      await Promise.all(ended);
    },
  };
}
