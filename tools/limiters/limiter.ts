import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PerMinuteVerdict } from '../../limits/judge/minute-case.ts';

/** The one key that the servers know. */
export const key = 'svc_test_limiter';

/** What a limiter is told to enforce. */
export interface Setup {
  readonly limit: number;
  readonly windowMs: number;
}

/** A server on loopback. */
export interface Served {
  readonly origin: string;
  readonly close: () => Promise<void>;
}

/** A real limiter as it is configured, and what is right to say of it. */
export interface RealLimiter {
  readonly name: string;
  readonly configured: string;
  /** What to enforce, by what the documents give. */
  readonly change: number;
  readonly expected: readonly PerMinuteVerdict['verdict'][];
  /** Rejects with NotHere where the machine lacks what it needs. */
  readonly serve: (setup: Setup) => Promise<Served>;
}

export class NotHere extends Error {
  override readonly name = 'NotHere';
}

export const hasKey = (request: IncomingMessage): boolean => request.headers['x-api-key'] === key;

export function answer(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end('{}');
}

/** Listens on a free port of loopback. */
export async function listenOn(listener: RequestListener): Promise<Served> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The same limiter right, and wrong by one on either side. */
export const rightAndWrong = (
  name: string,
  configured: string,
  serve: RealLimiter['serve'],
  expected: readonly PerMinuteVerdict['verdict'][] = ['holds'],
): RealLimiter[] => [
  { name, configured, change: 0, expected, serve },
  { name, configured: `${configured}, one less`, change: -1, expected: ['fewer'], serve },
  { name, configured: `${configured}, one more`, change: 1, expected: ['more'], serve },
];
