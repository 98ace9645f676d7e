import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { expect, test } from 'vitest';
import { explainFailure, type TransportFailure } from '../../../../../common/transport-failure.ts';
import { socketTransport } from '../../../../../suites/session/transport/undici-transport.ts';
import { listenOnFreePort } from '../../../../free-port.ts';

/** What comes of calls, one after the other. */
async function calls(url: string, methods: readonly string[]): Promise<readonly string[]> {
  const { transport, close } = socketTransport(5_000);
  const got: string[] = [];
  for (const method of methods) {
    const request = { method, url, headers: [['X-API-Key', 'one']] as const, body: method === 'POST' ? '{}' : null };
    const outcome = transport(request).then(
      ({ status, headers, body }) => `${status} ${body} ${new Map(headers).get('x-ratelimit-limit')}`,
      ({ kind, message }: TransportFailure) => `${kind} ${message}`,
    );
    got.push(await outcome);
  }
  await close();
  return got;
}

test('reads share a connection; a call that may change something has one of its own', async () => {
  const ports: Record<'reads' | 'writes', number[]> = { reads: [], writes: [] };
  const server = createHttpServer((request, response) => {
    ports[request.method === 'GET' ? 'reads' : 'writes'].push(request.socket.remotePort ?? 0);
    request.resume();
    response.end('{}');
  });
  const methods = ['GET', 'POST', 'GET', 'DELETE', 'POST', 'GET', 'PATCH'];
  await calls(`http://127.0.0.1:${await listenOnFreePort(server)}/`, methods);
  server.close();
  expect([new Set(ports.reads).size, new Set(ports.writes).size]).toEqual([1, 4]);
  expect(ports.writes).not.toContain(ports.reads[0]);
});

test('a server that speaks HTTP/2 alone is named, without TLS as what it may be', async () => {
  const code = 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL';
  expect(explainFailure(Object.assign(new Error('alert'), { code })).message).toMatch(/^Server speaks HTTP\/2 only: /);
  const plain = createHttp2Server();
  expect(await calls(`http://127.0.0.1:${await listenOnFreePort(plain)}/`, ['GET'])).toEqual([
    expect.stringMatching(
      /^protocol Response is not HTTP\/1.1; it is broken, or HTTP\/2 without TLS, or another protocol: /,
    ),
  ]);
  plain.close();
});
