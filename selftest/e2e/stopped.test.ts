import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReference, type ReferenceOptions } from '../../fixtures/reference/deployment.ts';
import { listen } from '../../fixtures/reference/listen.ts';
import { newFolder } from '../new-folder.ts';
import { expectAgreement, expectNoSecret } from './expect-agreement.ts';
import { type Started, start } from './run-suite.ts';

type Fetch = (request: Request) => Promise<Response>;

/** A developer API behind `around`, with the settings that point a run at it. */
async function open(options: ReferenceOptions, around: (usual: Fetch) => Fetch = (usual) => usual) {
  const reference = createReference(options);
  const { developer } = reference;
  const usual: Fetch = async (request) => developer.fetch(request);
  const { urls, close } = await listen({ ...reference, developer: { ...developer, fetch: around(usual) } });
  const settings = Object.entries({ ...urls, ...reference.settings }).filter(
    ([name]) => !name.startsWith('WORKSPACE_'),
  );
  return { env: Object.fromEntries(settings) as Record<string, string>, close, fetch: usual };
}

/** A deployment that tells when a run has made a key: `made` gives the first call after the one that did. */
async function watch(seed: number) {
  let next = Promise.withResolvers<void>();
  let hasKey = false;
  const opened = await open({ seed }, (usual) => async (request) => {
    if (hasKey) {
      next.resolve();
    }
    const answer = await usual(request);
    hasKey ||= answer.status === 201 && request.url.endsWith('/developer/keys');
    return answer;
  });
  const made = (): Promise<void> => {
    hasKey = false;
    next = Promise.withResolvers();
    return next.promise;
  };
  return { ...opened, made };
}

type Watched = Awaited<ReturnType<typeof watch>>;
let watched: Watched;
// At real speed, so that the run is stopped while it waits for a limit's window and has created keys.
beforeAll(async () => {
  watched = await watch(5);
});
afterAll(() => watched.close());

/** The names of the keys that runs made, read without sockets. */
async function things(): Promise<string[]> {
  const lists = ['SANDBOX_API_KEY', 'LIVE_API_KEY'].map(async (name) => {
    const headers = { 'X-API-Key': watched.env[name] ?? '' };
    return (await watched.fetch(new Request('http://reference.test/api/v1/developer/keys', { headers }))).text();
  });
  return (await Promise.all(lists)).flatMap((text) => text.match(/conformance-[0-9a-f]+/g) ?? []);
}

/** Starts a run in this folder, and waits until it has made a key. */
async function startAndWait(folder: string, deployment = watched): Promise<Started> {
  const made = deployment.made();
  const started = start('cli/test.ts', ['-t', 'developer.limits'], deployment.env, folder);
  await Promise.race([made, started.ended]);
  return started;
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';

describe('a run that does not end normally', { timeout: 120_000 }, () => {
  test('stopped with Ctrl-C: 2, reports, and nothing is left behind', async () => {
    const folder = newFolder();
    const { child, ended } = await startAndWait(folder);
    child.kill('SIGINT');
    const run = await ended;
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('SIGINT: deleting')]);
    expect(run.stdout).toMatch(/UNKNOWN(?:, PARTIAL)? \(exit status 2\): the run was stopped by SIGINT; run it again/);
    const stopped = expectAgreement(run).get('developer.limits.per-minute');
    expect([stopped?.verdict, stopped?.findings[0]?.message]).toEqual([
      'inconclusive',
      expect.stringMatching(/^Stopped before it was decided/),
    ]);
    const keys = Object.entries(watched.env).flatMap(([name, value]) => (name.endsWith('_KEY') ? [value] : []));
    expectNoSecret(run, keys);
    expect([await things(), readdirSync(join(folder, '.ledger'))]).toEqual([[], []]);
  });

  test('killed: its reports say so, and npm run cleanup deletes what it left', async () => {
    const folder = newFolder();
    const { child, ended } = await startAndWait(folder);
    child.kill('SIGKILL');
    const { reports } = await ended;
    const reason = expect.stringContaining('the run did not finish');
    expect(JSON.parse(reports.get('conformance.json') ?? '')).toMatchObject({ conformant: null, exitCode: 2, reason });
    expect((await things()).length).toBeGreaterThan(0);
    const cleaned = await start('cli/cleanup.ts', [], watched.env, folder).ended;
    expect([cleaned.code, cleaned.stderr, await things()]).toEqual([0, '', []]);
    expect(cleaned.stdout).toMatch(/^http\S+: .*\d+ deleted.*\n/);
  });

  test('whose target disappears: 2, with what to do', async () => {
    const own = await watch(6);
    const { ended } = await startAndWait(newFolder(), own);
    await own.close();
    const run = await ended;
    const says = /_URL stopped answering during the run \(.+\): restart it and run again/;
    expect([run.code, lastLine(run.stdout)]).toEqual([2, expect.stringMatching(says)]);
    expectAgreement(run);
  });

  test('whose key is revoked meanwhile: 2, and nothing fails', async () => {
    let [calls, key] = [0, ''];
    const own = await open({ seed: 6, clockSpeed: 60 }, (usual) => (request) => {
      const { method, url, headers } = request;
      calls += headers.get('X-API-Key') === key ? 1 : 0;
      const isRevoked = calls > 40 && headers.get('X-API-Key') === key;
      const revoked = { method, headers: { 'X-API-Key': 'svc_test_revoked00000000000000' } };
      return usual(isRevoked ? new Request(url, revoked) : request);
    });
    const { BASE_URL = '', SANDBOX_API_KEY = '' } = own.env;
    key = SANDBOX_API_KEY;
    const run = await start('cli/test.ts', [], { BASE_URL, SANDBOX_API_KEY, CLOCK_SPEED: '60' }).ended;
    await own.close();
    const says = /SANDBOX_API_KEY was refused with 401 from call \d+ on, and was accepted before/;
    expect([run.code, lastLine(run.stdout)]).toEqual([2, expect.stringMatching(says)]);
    const verdicts = [...expectAgreement(run).values()].map(({ verdict }) => verdict);
    expect(verdicts).not.toContain('fail');
  });
});
