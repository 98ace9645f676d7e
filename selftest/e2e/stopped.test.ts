import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReference } from '../../fixtures/reference/deployment.ts';
import { listen } from '../../fixtures/reference/listen.ts';
import type { Reference } from '../../fixtures/reference/plain-deployment.ts';
import { listenOnFreePort } from '../free-port.ts';
import { newFolder } from '../new-folder.ts';
import { expectAgreement, expectNoSecret } from './expect-agreement.ts';
import { type Started, start } from './run-suite.ts';

/** A deployment that tells when a run has made a key, with the settings of its developer API. */
interface Watched {
  readonly env: Readonly<Record<string, string>>;
  /** Resolves with the first call after one that made a key. */
  readonly made: () => Promise<void>;
  readonly close: () => Promise<void>;
}

async function watch(own: Reference): Promise<Watched> {
  let next = Promise.withResolvers<void>();
  let hasKey = false;
  const developer: typeof own.developer = {
    ...own.developer,
    fetch: async (request) => {
      if (hasKey) {
        next.resolve();
      }
      const answer = await own.developer.fetch(request);
      hasKey ||= answer.status === 201 && request.url.endsWith('/developer/keys');
      return answer;
    },
  };
  const { urls, close } = await listen({ ...own, developer });
  const settings = Object.entries({ ...urls, ...own.settings }).filter(([name]) => !name.startsWith('WORKSPACE_'));
  return {
    env: Object.fromEntries(settings),
    made: () => {
      hasKey = false;
      next = Promise.withResolvers();
      return next.promise;
    },
    close,
  };
}

let reference: Reference;
let watched: Watched;
let env: Watched['env'];

// At real speed, so that the run is stopped while it waits for a limit's window and has created keys.
beforeAll(async () => {
  reference = createReference({ seed: 5 });
  watched = await watch(reference);
  ({ env } = watched);
});
afterAll(() => watched.close());

/** The names of the keys that runs made, read without sockets. */
async function things(): Promise<string[]> {
  const lists = await Promise.all(
    ['SANDBOX_API_KEY', 'LIVE_API_KEY'].map(async (name) => {
      const headers = { 'X-API-Key': env[name] ?? '' };
      const list = new Request('http://reference.test/api/v1/developer/keys', { headers });
      return (await reference.developer.fetch(list)).text();
    }),
  );
  return lists.flatMap((text) => text.match(/conformance-[0-9a-f]+/g) ?? []);
}

/** Starts a run in this folder, and waits until it has made a key. */
async function startAndWait(folder: string, deployment = watched): Promise<Started> {
  const made = deployment.made();
  const started = start('cli/test.ts', ['-t', 'developer.limits'], deployment.env, folder);
  await Promise.race([made, started.ended]);
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
    const stopped = results.get('developer.limits.per-minute');
    expect([stopped?.verdict, stopped?.findings.map(({ message }) => message)]).toEqual([
      'inconclusive',
      [expect.stringMatching(/^Stopped before it was decided/)],
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
    const own = await watch(createReference({ seed: 6 }));
    const { ended } = await startAndWait(newFolder(), own);
    await own.close();
    const run = await ended;
    expect([run.code, run.stdout.trim().split('\n').at(-1)]).toEqual([
      2,
      expect.stringMatching(/_URL stopped answering during the run \(.+\): restart it and run again/),
    ]);
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
