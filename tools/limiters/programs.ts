import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenOnFreePort } from '../../selftest/free-port.ts';
import { key, type RealLimiter, rightAndWrong, type Served, type Setup } from './limiter.ts';

async function answers(origin: string): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    const response = await fetch(origin).catch(() => null);
    if (response !== null) {
      await response.text();
      return;
    }
    await sleep(100);
  }
  throw new Error(`${origin} does not answer`);
}

/** Runs a program of the system in a temporary folder with its configuration. */
async function run(
  program: string,
  argumentsOf: (file: string, folder: string) => readonly string[],
  configOf: (port: number, folder: string) => string,
): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'limiter-'));
  const probe = createServer();
  const port = await listenOnFreePort(probe);
  probe.close();
  const file = join(folder, 'config');
  writeFileSync(file, configOf(port, folder));
  const child = spawn(program, argumentsOf(file, folder), { stdio: 'ignore', cwd: folder });
  const origin = `http://127.0.0.1:${port}`;
  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await answers(origin);
  } catch (error) {
    await close();
    throw error;
  }
  return { origin, close };
}

/** nginx has a leaky bucket: a rate a second, of which `burst` calls may come at once. */
const nginx =
  (burst: (limit: number) => string) =>
  ({ limit, windowMs }: Setup): Promise<Served> =>
    run(
      'nginx',
      (file, folder) => ['-c', file, '-p', folder, '-e', join(folder, 'error.log')],
      (port, folder) => `daemon off; pid ${folder}/pid; worker_processes 1;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c;
  uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
  limit_req_zone $http_x_api_key zone=keys:1m rate=${Math.round(limit / (windowMs / 1000))}r/s;
  limit_req_status 429;
  server {
    listen 127.0.0.1:${port};
    location / { limit_req zone=keys ${burst(limit)}; try_files /none @ok; }
    location @ok { if ($http_x_api_key != "${key}") { return 401 "{}"; } return 200 "{}"; }
  }
}
`,
    );

/** HAProxy weights the previous period, and counts refused requests too. */
const haproxy = ({ limit, windowMs }: Setup): Promise<Served> =>
  run(
    'haproxy',
    (file) => ['-db', '-f', file],
    (port) => `global
  nbthread 1
defaults
  mode http
  timeout client 60s
  timeout server 60s
  timeout connect 5s
frontend keys
  bind 127.0.0.1:${port}
  stick-table type string len 40 size 100 expire 10m store http_req_rate(${windowMs}ms)
  http-request return status 401 content-type application/json string "{}" unless { req.hdr(X-API-Key) ${key} }
  http-request track-sc0 req.hdr(X-API-Key)
  http-request return status 429 content-type application/json string "{}" if { sc_http_req_rate(0) gt ${limit} }
  http-request return status 200 content-type application/json string "{}"
`,
  );

const isHere = (program: string): boolean => spawnSync(program, ['-v'], { stdio: 'ignore' }).error === undefined;

/** Limiters that are programs of the system, if the machine has them. */
export const programs: readonly RealLimiter[] = [
  {
    name: 'nginx',
    configured: 'limit_req, burst of the limit less one, nodelay',
    change: 0,
    expected: ['more'] as const,
    serve: nginx((limit) => `burst=${limit - 1} nodelay`),
  },
  {
    name: 'nginx',
    configured: 'limit_req, no burst',
    change: 0,
    expected: ['fewer'] as const,
    serve: nginx(() => ''),
  },
  ...rightAndWrong('haproxy', 'stick table, http_req_rate, one thread', haproxy),
].filter(({ name }) => isHere(name));
