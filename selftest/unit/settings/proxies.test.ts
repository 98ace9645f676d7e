import { createServer, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { proxyFor } from '../../../settings/proxies.ts';
import { socketTransport } from '../../../suites/session/transport/undici-transport.ts';
import { listenOnFreePort } from '../../free-port.ts';

const named = 'http://proxy.test:3128';
test.for<[string, Record<string, string>, string, string | null]>([
  ['http', { HTTP_PROXY: named }, 'http://api.test', 'HTTP_PROXY'],
  ['the other scheme', { HTTP_PROXY: named }, 'https://api.test', null],
  ['small letters first', { HTTPS_PROXY: 'http://x.test', https_proxy: named }, 'https://api.test', 'https_proxy'],
  ['named empty', { HTTPS_PROXY: named, https_proxy: '' }, 'https://api.test', null],
  ['without a scheme', { HTTPS_PROXY: 'proxy.test:3128' }, 'https://api.test', 'HTTPS_PROXY'],
  ['this machine', { HTTP_PROXY: named }, 'http://127.0.0.1:8080', null],
  ['an exempt host', { HTTPS_PROXY: named, NO_PROXY: 'a.test, api.test' }, 'https://api.test', null],
  ['in a dotted domain', { HTTPS_PROXY: named, no_proxy: '.TEST' }, 'https://api.test', null],
  ['in a starred domain', { HTTPS_PROXY: named, NO_PROXY: '*.test' }, 'https://api.test', null],
  ['not quite that host', { HTTPS_PROXY: named, NO_PROXY: 'api.test' }, 'https://myapi.test', 'HTTPS_PROXY'],
  ['an exempt port', { HTTPS_PROXY: named, NO_PROXY: 'api.test:443' }, 'https://api.test', null],
  ['all are exempt', { HTTPS_PROXY: named, NO_PROXY: '*' }, 'https://api.test', null],
])('the proxy of the environment: %s', ([, env, url, variable]) => {
  const proxy = proxyFor(url, env);
  expect(proxy?.variable ?? null).toBe(variable);
  expect([undefined, named]).toContain(proxy?.url);
});

test('what names no proxy that is spoken to by http or https is refused', () => {
  for (const HTTPS_PROXY of ['socks5://proxy.test:1080', 'http://']) {
    const says = 'HTTPS_PROXY must be the http or https URL of a proxy';
    expect(() => proxyFor('https://api.test', { HTTPS_PROXY })).toThrow(says);
  }
});

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
  const { transport, close } = socketTransport(5_000, (to) => proxyFor(to, env));
  try {
    const request = { method, url, headers: [['X-API-Key', 'k']] as const, body: null };
    const { status, body } = await transport(request);
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
  expect(await call('http://api.test/login', env)).toEqual([
    'proxy',
    'The proxy http://…@PROXY, which HTTP_PROXY names, answers 407',
  ]);
});

test('https asks it for a tunnel, without the key; its refusal is told as such', async () => {
  expect(await call('https://api.test/v1/x', { HTTPS_PROXY: at })).toEqual([
    'proxy',
    'The proxy http://PROXY, which HTTPS_PROXY names, answers 403',
  ]);
  expect(seen).toEqual(['CONNECT api.test:443 api.test']);
});

test('a proxy that is away is told as such', async () => {
  const [kind, message] = await call('https://api.test/', { HTTPS_PROXY: 'http://127.0.0.1:1' });
  expect(kind).toBe('proxy');
  expect(message).toContain('The proxy http://127.0.0.1:1, which HTTPS_PROXY names, fails: ');
});
