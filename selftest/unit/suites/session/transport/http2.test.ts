import { createSecureServer, createServer } from 'node:http2';
import { afterAll, expect, test, vi } from 'vitest';
import type { TransportFailure } from '../../../../../common/transport-failure.ts';
import { socketTransport } from '../../../../../suites/session/transport/undici-transport.ts';
import { listenOnFreePort } from '../../../../free-port.ts';

/** A certificate of 127.0.0.1 that proves nothing to anybody. */
const cert = `-----BEGIN CERTIFICATE-----
MIIBkDCCATagAwIBAgIUHtgxPFXh2oQ1/cGj4fTsUgXb9qcwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyODIyNTU0N1oYDzIxMjYxMTA0
MjI1NTQ3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASf22VNgGp+YezIk5JVZQfyHIhRLX9MuZvEZbp37HrQGSQThzQgFRGH
hTOhb/BamZeiCyRHoAUDD7AjD+DBuH1Bo2QwYjAdBgNVHQ4EFgQU7kYjUdRQwRnG
ngqXposZYBliMLAwHwYDVR0jBBgwFoAU7kYjUdRQwRnGngqXposZYBliMLAwDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUC
ICnavIqEf8QLwLHGipE97kTaEdVYZA0yRc9no5scGT/KAiEAsoDom1+C4Z37Ky14
RMj5pFPfu+op3LB3AIVz4PI/oN0=
-----END CERTIFICATE-----`;
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjY2KQoChq+Rq3bSN
jPJo5N3lIpSVB2hFfuzal3p4Gx2hRANCAASf22VNgGp+YezIk5JVZQfyHIhRLX9M
uZvEZbp37HrQGSQThzQgFRGHhTOhb/BamZeiCyRHoAUDD7AjD+DBuH1B
-----END PRIVATE KEY-----`;

const tls = createSecureServer({ cert, key, allowHTTP1: false }, (request, response) => {
  request.resume().on('end', () => {
    response.setHeader('X-RateLimit-Limit', '60');
    response.end(`${request.httpVersion} ${request.method} ${request.headers['x-api-key']}`);
  });
});
const plain = createServer();
afterAll(() => {
  tls.close();
  plain.close();
  vi.unstubAllEnvs();
});

/** What comes of three calls. */
async function calls(url: string): Promise<readonly string[]> {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const { transport, close } = socketTransport({ connections: 2, timeoutMs: 5_000 });
  const got: string[] = [];
  for (const method of ['GET', 'POST', 'GET']) {
    const request = { method, url, headers: [['X-API-Key', 'one']] as const, body: method === 'POST' ? '{}' : null };
    const outcome = transport(request, { timeoutMs: 5_000, maxBody: 100 }).then(
      ({ status, headers, body }) => `${status} ${body} ${new Map(headers).get('x-ratelimit-limit')}`,
      ({ kind, message }: TransportFailure) => `${kind} ${message}`,
    );
    got.push(await outcome);
  }
  await close();
  return got;
}

test('a server that speaks HTTP/2 alone is called with it', async () => {
  const got = await calls(`https://127.0.0.1:${await listenOnFreePort(tls)}/`);
  expect(got).toEqual(['200 2.0 GET one 60', '200 2.0 POST one 60', '200 2.0 GET one 60']);
});

test('HTTP/2 without TLS is named as what it may be', async () => {
  const got = await calls(`http://127.0.0.1:${await listenOnFreePort(plain)}/`);
  expect(new Set(got)).toEqual(
    new Set(['protocol Response is not HTTP/1.1 (a server may speak HTTP/2 without TLS, or another protocol)']),
  );
});
