import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { socketTransport } from '../../../suites/session/undici-transport.ts';

const served: { method: string; port: number }[] = [];
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    served.push({ method: request.method ?? '', port: request.socket.remotePort ?? 0 });
    request.resume();
    response.end('{}');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(() => {
  server.close();
});

test('reads share a connection; a call that may change something has one of its own', async () => {
  const { transport, close } = socketTransport({ connections: 4, timeoutMs: 5_000 });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
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
