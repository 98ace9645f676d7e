import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { start } from './run-suite.ts';
import { expectAgreement, lastLine, ofDeveloper, openStage, startSuite } from './stage.ts';

const { open } = openStage();

/** A developer API at real speed, so that runs wait for a limit's window and have created keys. */
async function watch() {
  let next = Promise.withResolvers<void>();
  let hasKey = false;
  const { env, close, fetch } = await open({ seed: 5 }, (usual) => async (request) => {
    if (hasKey) {
      next.resolve();
    }
    const answer = await usual(request);
    hasKey ||= answer.status === 201 && request.url.endsWith('/developer/keys');
    return answer;
  });
  const settings = ofDeveloper(env);
  return {
    settings,
    close,
    /** Starts a run, and waits for the first call after it has made a key. */
    async start(options: readonly string[] = []) {
      hasKey = false;
      next = Promise.withResolvers();
      const started = startSuite(['-t', 'developer.limits', ...options], settings);
      await Promise.race([next.promise, started.ended]);
      return started;
    },
    /** The names of the keys that runs made, read without sockets. */
    async left(): Promise<string[]> {
      const lists = ['SANDBOX_API_KEY', 'LIVE_API_KEY'].map(async (name) => {
        const headers = { 'X-API-Key': settings[name] ?? '' };
        return (await fetch(new Request('http://reference.test/api/v1/developer/keys', { headers }))).text();
      });
      return (await Promise.all(lists)).flatMap((text) => text.match(/conformance-[0-9a-f]+/g) ?? []);
    },
  };
}

const watched = await watch();

test.for([
  ['', []],
  [' in workers that are processes', ['--pool', 'forks']],
] as const)('a run stopped with Ctrl-C%s: 2, reports, and nothing is left behind', async ([, options]) => {
  const { child, ended, folder } = await watched.start(options);
  child.kill('SIGINT');
  const run = await ended;
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('SIGINT: deleting')]);
  expect(run.stdout).toMatch(/UNKNOWN(?:, PARTIAL)? \(exit status 2\): the run was stopped by SIGINT; run it again/);
  const stopped = expectAgreement(run).get('developer.limits.per-minute');
  expect([stopped?.verdict, stopped?.findings[0]?.message]).toEqual([
    'inconclusive',
    expect.stringMatching(/^Stopped before it was decided/),
  ]);
  expect([await watched.left(), readdirSync(join(folder, '.ledger'))]).toEqual([[], []]);
});

test('a run killed: its reports say so, and npm run cleanup deletes what it left', async () => {
  const { child, ended, folder } = await watched.start();
  child.kill('SIGKILL');
  const { reports } = await ended;
  const reason = expect.stringContaining('the run did not finish');
  expect(JSON.parse(reports.get('conformance.json') ?? '')).toMatchObject({ conformant: null, exitCode: 2, reason });
  expect((await watched.left()).length).toBeGreaterThan(0);
  const cleaned = await start('cli/cleanup.ts', [], watched.settings, folder).ended;
  expect([cleaned.code, cleaned.stderr, await watched.left()]).toEqual([0, '', []]);
  expect(cleaned.stdout).toMatch(/^http\S+: .*\d+ deleted.*\n/);
});

// The last one, since nothing is served then.
test('a run whose target disappears: 2, with what to do', async () => {
  const { ended } = await watched.start();
  await watched.close();
  const run = await ended;
  const says = /_URL stopped answering during the run \(.+\): restart it and run again/;
  expect([run.code, lastLine(run)]).toEqual([2, expect.stringMatching(says)]);
  expectAgreement(run);
});
