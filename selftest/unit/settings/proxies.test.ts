import { createServer, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { proxyFor } from '../../../settings/proxies.ts';
import { socketTransport } from '../../../suites/session/transport/undici-transport.ts';
import { listenOnFreePort } from '../../free-port.ts';

describe('the proxy for a URL is the one that the environment names', () => {
  const named = 'http://proxy.test:3128';
  test.for<[string, Record<string, string>, string, string | null]>([
    ['none is named', {}, 'https://api.test', null],
    ['https', { HTTPS_PROXY: named }, 'https://api.test', 'HTTPS_PROXY'],
    ['http', { HTTP_PROXY: named }, 'http://api.test', 'HTTP_PROXY'],
    ['the other scheme', { HTTP_PROXY: named }, 'https://api.test', null],
    ['small letters first', { HTTPS_PROXY: 'http://x.test', https_proxy: named }, 'https://api.test', 'https_proxy'],
    ['named empty', { HTTPS_PROXY: named, https_proxy: '' }, 'https://api.test', null],
    ['without a scheme', { HTTPS_PROXY: 'proxy.test:3128' }, 'https://api.test', 'HTTPS_PROXY'],
    ['this machine', { HTTP_PROXY: named }, 'http://127.0.0.1:8080', null],
    ['localhost', { HTTP_PROXY: named }, 'http://localhost:8080', null],
  ])('%s', ([, env, url, variable]) => {
    const proxy = proxyFor(url, env);
    expect(proxy?.variable ?? null).toBe(variable);
    expect([undefined, named]).toContain(proxy?.url);
  });

  test('what is no URL is refused', () => {
    expect(() => proxyFor('https://api.test', { HTTPS_PROXY: 'http://' })).toThrow(
      'HTTPS_PROXY must be the URL of a proxy',
    );
  });
});

describe('calls go through the proxy', () => {
  const seen: string[] = [];
  const note = ({ method, url, headers }: IncomingMessage): void => {
    const { host, 'x-api-key': key, 'proxy-authorization': user } = headers;
    seen.push([method, url, host, key, user].filter((part) => part !== undefined).join(' '));
  };
  const proxy = createServer((request, response) => {
    note(request);
    request.resume();
    response.writeHead(request.url?.includes('login') ? 407 : 200).end('{"by":"proxy"}');
  }).on('connect', (request, socket) => {
    note(request);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  let at = '';
  beforeAll(async () => {
    at = `127.0.0.1:${await listenOnFreePort(proxy)}`;
  });
  afterAll(() => {
    proxy.close();
  });

  const call = async (url: string, env: Record<string, string>, method = 'GET') => {
    seen.length = 0;
    const { transport, close } = socketTransport({ connections: 4, timeoutMs: 5_000 }, (to) => proxyFor(to, env));
    try {
      const request = { method, url, headers: [['X-API-Key', 'k']] as const, body: null };
      const { status, body } = await transport(request, { timeoutMs: 5_000, maxBody: 100 });
      return [status, String(body)];
    } catch (error) {
      const { kind, message } = error as Error & { kind?: string };
      return [kind, message.replaceAll(at, 'PROXY')];
    } finally {
      await close();
    }
  };

  test('http is sent to it as a whole URL, with its user and password, which are in no message', async () => {
    const env = { HTTP_PROXY: `http://me:secret@${at}` };
    expect(await call('http://api.test/v1/x?y=1', env, 'POST')).toEqual([200, '{"by":"proxy"}']);
    expect(seen).toEqual([`POST http://api.test/v1/x?y=1 api.test k Basic ${btoa('me:secret')}`]);
    const [kind, message] = await call('http://api.test/login', env);
    expect([kind, message]).toEqual(['other', expect.stringMatching(/407.* \(HTTP_PROXY names a proxy\)$/)]);
    expect(message).not.toContain('secret');
  });

  test('https asks it for a tunnel, without the key; its refusal is told as such', async () => {
    const [, message] = await call('https://api.test/v1/x', { HTTPS_PROXY: at });
    expect(message).toMatch(/403.* \(HTTPS_PROXY names a proxy\)$/);
    expect(seen).toEqual(['CONNECT api.test:443 api.test']);
  });

  test('a proxy that is away is told of; a host that NO_PROXY names is called without it', async () => {
    const env = { HTTP_PROXY: 'http://127.0.0.1:1' };
    expect(await call('http://api.test/', env)).toEqual(['refused', 'Connection refused (HTTP_PROXY names a proxy)']);
    const [kind, message] = await call('http://api.invalid/', { ...env, NO_PROXY: 'other.test, .invalid' });
    expect([kind, message]).toEqual(['dns', expect.stringContaining('DNS lookup failed')]);
  });
});
