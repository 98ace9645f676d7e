import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../../common/clock.ts';
import { socketTransport } from '../../../../../suites/session/transport/undici-transport.ts';
import { listenOnFreePort } from '../../../../free-port.ts';
import { testSession } from '../../../test-session.ts';
import { hostileServers } from './hostile-servers.ts';

// Concurrently, since some wait for a time limit.
test.concurrent.for(Object.entries(hostileServers))('a server that %s', async ([, [behave, comes, isJson]]) => {
  const server = createServer((socket) => socket.on('error', () => {}).once('data', () => behave(socket)));
  const origin = `http://127.0.0.1:${await listenOnFreePort(server)}`;
  // Only behaviours that should reach the time limit get a short one.
  const timeoutMs = comes === 'timeout' ? 400 : 30_000;
  const { transport, close } = socketTransport({ connections: 4, timeoutMs });
  const env = { TIMEOUT_MS: String(timeoutMs) };
  const session = testSession('developer', { origin, clock: systemClock, transport, env });
  try {
    const answered = await session.client.send({ method: 'GET', path: '/api/v1/ads/campaigns', key: null });
    const { failure, response } = answered.exchange;
    const words = response === null ? failure?.kind : `${response.status} ${failure?.kind}`;
    expect(failure === null ? answered.status : words).toBe(comes);
    expect([answered.json !== undefined, answered.accepted]).toEqual([isJson ?? false, isJson ?? false]);
  } finally {
    await close();
    server.close();
  }
});

test('reads share a connection; a call that may change something has one of its own', async () => {
  const served: { method: string; port: number }[] = [];
  const server = createHttpServer((request, response) => {
    served.push({ method: request.method ?? '', port: request.socket.remotePort ?? 0 });
    request.resume();
    response.end('{}');
  });
  const url = `http://127.0.0.1:${await listenOnFreePort(server)}/`;
  const bounds = { timeoutMs: 5_000, maxBody: 100 };
  const { transport, close } = socketTransport({ connections: 4, timeoutMs: 5_000 });
  for (const method of ['GET', 'POST', 'GET', 'DELETE', 'POST', 'GET', 'PATCH']) {
    await transport({ method, url, headers: [], body: method === 'POST' ? '{}' : null }, bounds);
  }
  await close();
  server.close();
  const ports = (reads: boolean): number[] =>
    served.filter(({ method }) => (method === 'GET') === reads).map(({ port }) => port);
  expect([new Set(ports(true)).size, new Set(ports(false)).size]).toEqual([1, 4]);
  expect(ports(false)).not.toContain(ports(true)[0]);
});
