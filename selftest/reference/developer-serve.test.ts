import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createReference, type ReferenceOptions } from '../../fixtures/reference/deployment.ts';
import { listen } from '../../fixtures/reference/listen.ts';
import { readCommand } from '../../fixtures/reference/serve.ts';

const root = `${resolve(import.meta.dirname, '../..')}/`;

/** The head of one answer over a socket. */
async function get(url: string, key: string): Promise<IncomingMessage> {
  const [response] = await once(request(url, { headers: { 'X-API-Key': key } }).end(), 'response') as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response;
}

async function headOf(options: ReferenceOptions): Promise<IncomingMessage> {
  const reference = createReference(options);
  const { urls, close } = await listen(reference);
  try {
    return await get(`${urls.BASE_URL}/api/v1/platform/me`, reference.settings['SANDBOX_API_KEY'] ?? '');
  } finally {
    await close();
  }
}

describe('what only a socket shows', () => {
  test.each([
    ['default', 'X-RateLimit-Limit'], ['lower', 'x-ratelimit-limit'], ['upper', 'X-RATELIMIT-LIMIT'], ['title', 'X-Ratelimit-Limit'],
  ])('header names in the case of choice %s', async (value, name) => {
    const { statusCode, rawHeaders } = await headOf({ choices: { 'developer-header-case': value } });
    expect(statusCode).toBe(200);
    expect(rawHeaders).toContain(name);
  });

  test('an answer in chunks', async () => {
    expect((await headOf({})).headers['transfer-encoding']).toBeUndefined();
    expect((await headOf({ choices: { 'developer-transfer': 'chunked' } })).headers['transfer-encoding']).toBe('chunked');
  });

  test('an answer that ends its connection', async () => {
    expect((await headOf({ choices: { 'developer-transfer': 'close' } })).headers.connection).toBe('close');
  });
});

test('a taken port is an error, and the other server is not left behind', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  await expect(listen(createReference(), { workspacePort: port })).rejects.toThrow('EADDRINUSE');
  taken.close();
});

describe('the command line', () => {
  test('is read into options', () => {
    expect(readCommand(['--port', '8080', '--fault', 'a', '--fault', 'b', '--choice', 'c=d', '--clock-speed', '60', '--latency', '100'])).toEqual({
      list: false, reference: { faults: ['a', 'b'], choices: { c: 'd' }, clockSpeed: 60 }, ports: { port: 8080, workspacePort: 0, latencyMs: 100 },
    });
  });

  test.each([
    [['--port', 'x'], '--port: x'], [['--port', '70000'], '--port: 70000'], [['--clock-speed', '0'], '--clock-speed: 0'],
    [['--latency', '-1'], '--latency'], [['--choice', 'name'], '--choice: name'], [['--nothing'], '--nothing'], [['word'], 'word'],
  ])('%j is refused', (args, named) => {
    expect(() => readCommand(args)).toThrow(named);
  });

  test.each([
    [{ faults: ['envelope-data-lst'] }, 'envelope-data-list'], [{ choices: { 'developer-windw': 'sliding-log' } }, 'developer-window'],
    [{ choices: { 'developer-window': 'sliding' } }, 'sliding-log'],
  ])('%j is unknown, and something near is named', (variation, near) => {
    expect(() => createReference(variation)).toThrow(near);
  });
});

interface Ended { readonly code: number | null; readonly out: string; readonly err: string }

/** Runs the command, and ends it by a signal once it has said something. */
async function run(args: readonly string[], signal?: NodeJS.Signals): Promise<Ended> {
  const child = spawn(process.execPath, ['fixtures/reference/serve.ts', ...args], { cwd: root });
  let [out, err] = ['', ''];
  child.stdout.on('data', (piece: Buffer) => {
    out += piece.toString();
    if (signal !== undefined && out.endsWith('\n')) child.kill(signal);
  });
  child.stderr.on('data', (piece: Buffer) => { err += piece.toString(); });
  const [code] = await once(child, 'close') as [number | null];
  return { code, out, err };
}

describe('the command', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('prints one line of settings and ends cleanly on %s', async (signal) => {
    const { code, out, err } = await run([], signal);
    expect([code, err]).toEqual([0, '']);
    expect(out.trimEnd().split('\n')).toHaveLength(1);
    const settings = JSON.parse(out) as Record<string, string>;
    expect(settings).toMatchObject({ CLOCK_SPEED: '1', WRITES: 'all', EXHAUST: 'all', WORKSPACE_PLAN: 'starter' });
    for (const name of ['BASE_URL', 'WORKSPACE_API_URL']) expect(settings[name]).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  test('lists faults and choices', async () => {
    const { code, out } = await run(['--list']);
    expect(code).toBe(0);
    expect(out).toContain('--fault envelope-data-list');
    expect(out).toContain('--choice developer-window');
  });

  test('says in one line what is wrong, with status 2', async () => {
    const { code, out, err } = await run(['--fault', 'nothing-of-this-name']);
    expect([code, out]).toEqual([2, '']);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(err).toContain('nothing-of-this-name');
  });
});
