import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReference } from '../../fixtures/reference/deployment.ts';
import { type Listening, listen } from '../../fixtures/reference/listen.ts';
import type { Reference } from '../../fixtures/reference/plain-deployment.ts';
import { listenOnFreePort } from '../free-port.ts';
import { newFolder } from '../new-folder.ts';
import { expectAgreement, expectNoSecret } from './expect-agreement.ts';
import { type Started, start } from './run-suite.ts';

let reference: Reference;
let listening: Listening;
let env: Readonly<Record<string, string>>;

// At real speed, so that the run is stopped while it waits for a limit's window and has created keys.
beforeAll(async () => {
  reference = createReference({ seed: 5 });
  listening = await listen(reference);
  env = { ...listening.urls, ...reference.settings };
});
afterAll(() => listening.close());

/** The records of the deployment, read without sockets. */
async function things(): Promise<string[]> {
  const list = async (api: 'developer' | 'workspace', path: string, headers: Record<string, string>): Promise<string> =>
    (await reference[api].fetch(new Request(`http://reference.test${path}`, { headers }))).text();
  const keys = await Promise.all(
    ['SANDBOX_API_KEY', 'LIVE_API_KEY'].map((name) =>
      list('developer', '/api/v1/developer/keys', { 'X-API-Key': env[name] ?? '' }),
    ),
  );
  const bearer = { Authorization: `Bearer ${env.WORKSPACE_API_KEY}`, 'Content-Type': 'application/json' };
  const hooks = await list('workspace', '/v1/webhooks', bearer);
  return [...keys, hooks].flatMap((text) =>
    [...text.matchAll(/conformance-[0-9a-f]+[^"]*|http:\/\/127\.0\.0\.1:\d+\/hooks/g)].map(([found]) => found),
  );
}

/** Starts a run in a folder of its own, and waits until it has created something. */
async function startAndWait(folder: string, settings = env): Promise<Started> {
  const started = start('cli/test.ts', ['-t', 'developer.limits|workspace.webhooks'], settings, folder);
  const ledger = join(folder, '.ledger');
  // A file with a dot only tries whether the folder can be written to, and is soon gone.
  const files = (): string[] => (existsSync(ledger) ? readdirSync(ledger).filter((file) => !file.startsWith('.')) : []);
  const made = (): boolean => files().some((file) => /"id":/.test(readFileSync(join(ledger, file), 'utf8')));
  while (started.child.exitCode === null && !made()) {
    await delay(25);
  }
  return started;
}

describe('a run that does not end normally', { timeout: 120_000 }, () => {
  test('stopped with Ctrl-C: 2, reports, and nothing is left behind', async () => {
    const folder = newFolder();
    const { child, ended } = await startAndWait(folder);
    child.kill('SIGINT');
    const run = await ended;
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('SIGINT: deleting')]);
    const results = expectAgreement(run);
    expect(run.stdout).toMatch(/UNKNOWN(?:, PARTIAL)? \(exit status 2\): the run was stopped by SIGINT; run it again/);
    // Whether its check had begun depends on the machine.
    const stopped = results.get('developer.limits.per-minute');
    expect(['inconclusive', 'skip']).toContain(stopped?.verdict);
    expect(stopped?.findings.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        stopped?.verdict === 'skip' ? /^Not reached: the run was stopped by SIGINT/ : /^Stopped before it was decided/,
      ),
    ]);
    expectNoSecret(
      run,
      Object.entries(env)
        .filter(([name]) => name.endsWith('_KEY'))
        .map(([, value]) => value),
    );
    expect(await things()).toEqual([]);
    expect(readdirSync(join(folder, '.ledger'))).toEqual([]);
  });

  test('killed: its reports say so, and npm run cleanup deletes what it left', async () => {
    const folder = newFolder();
    const { child, ended } = await startAndWait(folder);
    child.kill('SIGKILL');
    const run = await ended;
    expect(run.signal).toBe('SIGKILL');
    expect(JSON.parse(run.reports.get('conformance.json') ?? '')).toMatchObject({
      conformant: null,
      exitCode: 2,
      reason: expect.stringContaining('the run did not finish'),
    });
    expect((await things()).length).toBeGreaterThan(0);
    const cleaned = await start('cli/cleanup.ts', [], env, folder).ended;
    expect([cleaned.code, cleaned.stderr, await things()]).toEqual([0, '', []]);
    expect(cleaned.stdout).toMatch(/^http\S+: .*\d+ deleted.*\n/);
    const again = await start('cli/cleanup.ts', [], env, folder).ended;
    expect([again.code, again.stdout]).toEqual([0, 'Nothing to do: there is nothing to clean up\n']);
  });

  test('stopped while it tries a target that does not answer: 2, in one line', async () => {
    const asked = Promise.withResolvers<void>();
    const silent = createServer(() => asked.resolve());
    const port = await listenOnFreePort(silent);
    const { SANDBOX_API_KEY = '' } = env;
    const { child, ended } = start(
      'cli/test.ts',
      [],
      { BASE_URL: `http://127.0.0.1:${port}`, SANDBOX_API_KEY },
      newFolder(),
    );
    await asked.promise;
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    silent.close().closeAllConnections();
    expect([code, stderr.trim().split('\n').at(-1)]).toEqual([
      2,
      'The run was stopped by SIGINT; run it again to judge the rest',
    ]);
  });

  test('whose target disappears: 2, with what to do', async () => {
    const own = createReference({ seed: 6 });
    const { urls, close } = await listen(own);
    const { ended } = await startAndWait(newFolder(), { ...urls, ...own.settings });
    await close();
    const run = await ended;
    expect([run.code, run.stdout.trim().split('\n').at(-1)]).toEqual([
      2,
      expect.stringMatching(/_URL stopped answering during the run \(.+\): restart it and run again/),
    ]);
    expectAgreement(run);
  });

  test('whose target disappears behind a proxy that then answers 502: 2, and nothing fails', async () => {
    const own = createReference({ seed: 6, clockSpeed: 60 });
    let calls = 0;
    const behindProxy = <Served extends Reference['developer' | 'workspace']>(served: Served): Served => ({
      ...served,
      fetch: (request: Request) =>
        (calls += 1) > 120
          ? Promise.resolve(
              new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'Content-Type': 'text/html' } }),
            )
          : served.fetch(request),
    });
    const proxy = { ...own, developer: behindProxy(own.developer), workspace: behindProxy(own.workspace) };
    const { urls, close } = await listen(proxy);
    const run = await start('cli/test.ts', [], { ...urls, ...own.settings }).ended;
    await close();
    const { clauses } = JSON.parse(run.reports.get('conformance.json') ?? '') as { clauses: { verdict: string }[] };
    expect([run.code, run.stdout.trim().split('\n').at(-1)]).toEqual([
      2,
      expect.stringMatching(/_URL stopped answering during the run \(502 to everything\): restart it and run again/),
    ]);
    expect(clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
    expectAgreement(run);
  });

  test('whose key is revoked meanwhile: 2, and nothing fails', async () => {
    const own = createReference({ seed: 6, clockSpeed: 60 });
    const { SANDBOX_API_KEY = '' } = own.settings;
    let calls = 0;
    const revoking: typeof own.developer = {
      ...own.developer,
      fetch: (request: Request) => {
        const isGivenKey = request.headers.get('X-API-Key') === SANDBOX_API_KEY;
        calls += isGivenKey ? 1 : 0;
        const headers = { 'X-API-Key': 'svc_test_revoked00000000000000' };
        return isGivenKey && calls > 40
          ? own.developer.fetch(new Request(request.url, { method: request.method, headers }))
          : own.developer.fetch(request);
      },
    };
    const { urls, close } = await listen({ ...own, developer: revoking });
    const given = { BASE_URL: urls.BASE_URL ?? '', SANDBOX_API_KEY };
    const run = await start('cli/test.ts', [], { ...given, CLOCK_SPEED: '60' }).ended;
    await close();
    const { clauses } = JSON.parse(run.reports.get('conformance.json') ?? '') as { clauses: { verdict: string }[] };
    expect([run.code, run.stdout.trim().split('\n').at(-1)]).toEqual([
      2,
      expect.stringMatching(/SANDBOX_API_KEY was refused with 401 from call \d+ on, and was accepted before/),
    ]);
    expect(clauses.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expectAgreement(run);
  });
});
