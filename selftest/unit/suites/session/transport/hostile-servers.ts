import { createServer, type Server, type Socket } from 'node:net';
import type { FailureKind } from '../../../../../common/transport-failure.ts';
import { listenOnFreePort } from '../../../../free-port.ts';

/** What a hostile or broken server does on a connection with a request. */
export type Behaviour = (socket: Socket) => void;

interface HostileServer {
  readonly origin: string;
  /** The number of requests that reached it. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** A server on loopback that reads the head of one request on each connection, and then behaves as given. */
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
  return {
    origin: `http://127.0.0.1:${await listenOnFreePort(server)}`,
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

/** An HTTP/1.1 answer. `length` is its Content-Length: the true one if not given, none if null. */
export function answer(
  body: string | Buffer,
  options: { status?: string; headers?: readonly string[]; length?: number | null } = {},
): Buffer {
  const bytes = Buffer.from(body);
  const { status = '200 OK', headers = ['Content-Type: application/json'], length = bytes.length } = options;
  const lines = [`HTTP/1.1 ${status}`, ...headers, ...(length === null ? [] : [`Content-Length: ${length}`]), '', ''];
  return Buffer.concat([Buffer.from(lines.join('\r\n')), bytes]);
}

/** Writes, and keeps the connection open. */
export const writing =
  (bytes: string | Buffer): Behaviour =>
  (socket) =>
    void socket.write(bytes);

/** Writes, and closes the connection. */
export const ending =
  (bytes: string | Buffer): Behaviour =>
  (socket) =>
    void socket.end(bytes);

export const send = (...args: Parameters<typeof answer>): Behaviour => writing(answer(...args));
export const encoded = (coding: string, body: Buffer): Behaviour =>
  send(body, { headers: ['Content-Type: application/json', `Content-Encoding: ${coding}`] });

/** Writes for ever, as fast as the reader reads. */
export const endless =
  (head: string, chunk: string): Behaviour =>
  (socket) => {
    socket.write(head);
    const more = (): void => {
      while (!socket.destroyed && socket.write(chunk)) {}
    };
    socket.on('drain', more);
    more();
  };

/** Writes a byte from time to time, for ever. */
export const drip =
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

/**
 * A behaviour, its result (the status, the kind of failure, or both where only the body cannot be read), and whether the
 * body can be read as JSON (never for failures).
 */
export type Case = readonly [behave: Behaviour, comes: number | FailureKind | `200 ${FailureKind}`, isJson?: boolean];

export const good = '{"success":true,"data":{},"context":null,"error":null,"meta":{}}';
