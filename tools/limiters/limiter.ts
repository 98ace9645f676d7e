import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { PerMinuteVerdict } from '../../limits/judge/minute.ts';
import { listenOnFreePort } from '../../selftest/free-port.ts';

/** The only key that the servers accept. */
export const key = 'svc_test_limiter';

/** The limit that a limiter is configured with. */
export interface Setup {
  readonly limit: number;
  readonly windowMs: number;
}

/** A server on loopback. */
export interface Served {
  readonly origin: string;
  readonly close: () => Promise<void>;
}

/** A real limiter, its configuration, and the right verdicts about it. */
export interface RealLimiter {
  readonly name: string;
  readonly configured: string;
  /** Added to the documented limit in its configuration. */
  readonly change: number;
  readonly expected: readonly PerMinuteVerdict['verdict'][];
  /** Starts it. */
  readonly serve: (setup: Setup) => Promise<Served>;
}

export const hasKey = (request: IncomingMessage): boolean => request.headers['x-api-key'] === key;

export function answer(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end('{}');
}

/** Listens on a free port of loopback. */
export async function listenOn(listener: RequestListener): Promise<Served> {
  const server = createServer(listener);
  return {
    origin: `http://127.0.0.1:${await listenOnFreePort(server)}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The limiter with the right limit, with one call fewer and with one more. */
export const rightAndWrong = (name: string, configured: string, serve: RealLimiter['serve']): RealLimiter[] => [
  { name, configured, change: 0, expected: ['holds'], serve },
  { name, configured: `${configured}, one less`, change: -1, expected: ['fewer'], serve },
  { name, configured: `${configured}, one more`, change: 1, expected: ['more'], serve },
];
