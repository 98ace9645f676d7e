import { createServer } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { socketTransport } from '../../../../../suites/session/transport/undici-transport.ts';
import { listenOnFreePort } from '../../../../free-port.ts';

const served: { method: string; port: number }[] = [];
const server = createServer((request, response) => {
  served.push({ method: request.method ?? '', port: request.socket.remotePort ?? 0 });
  request.resume();
  response.end('{}');
});
afterAll(() => server.close());

test('reads share a connection; a call that may change something has one of its own', async () => {
  const { transport, close } = socketTransport({ connections: 4, timeoutMs: 5_000 });
  const url = `http://127.0.0.1:${await listenOnFreePort(server)}/`;
  for (const method of ['GET', 'POST', 'GET', 'DELETE', 'POST', 'GET', 'PATCH']) {
    await transport(
      { method, url, headers: [], body: method === 'POST' ? '{}' : null },
      { timeoutMs: 5_000, maxBody: 100 },
    );
  }
  await close();
  const ports = (reads: boolean): number[] =>
    served.filter(({ method }) => (method === 'GET') === reads).map(({ port }) => port);
  expect(new Set(ports(true)).size).toBe(1);
  expect(new Set(ports(false)).size).toBe(4);
  expect(ports(false)).not.toContain(ports(true)[0]);
});
