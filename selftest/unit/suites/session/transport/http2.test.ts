import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createSecureServer, createServer } from 'node:http2';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { listenOnFreePort } from '../../../../free-port.ts';
import { newFolder } from '../../../../new-folder.ts';

/** A certificate of 127.0.0.1 that only these tests trust; it proves nothing to anybody else. */
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
});

const module = pathToFileURL(join(import.meta.dirname, '../../../../../suites/session/transport/undici-transport.ts'));
const script = `
const { socketTransport } = await import(${JSON.stringify(module)});
const { transport, close } = socketTransport({ connections: 2, timeoutMs: 5000 });
for (const method of ['GET', 'POST', 'GET']) {
  const request = { method, url: process.argv[1], headers: [['X-API-Key', 'one']], body: method === 'POST' ? '{}' : null };
  await transport(request, { timeoutMs: 5000, maxBody: 100 }).then(
    ({ status, headers, body }) => console.log(status, String(body), headers.find(([name]) => name.endsWith('limit'))?.[1]),
    ({ kind, message }) => console.log(kind, message),
  );
}
await close();`;

/** What a process that trusts the certificate says of three calls. */
async function calls(url: string): Promise<readonly string[]> {
  const file = join(newFolder(), 'ca.pem');
  writeFileSync(file, cert);
  const args = ['--input-type=module', '-e', script, url];
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: file };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return stdout.trim().split('\n');
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
