import { expect, test } from 'vitest';
import { Inconclusive, type Tally } from '../../../../results/outcome.ts';
import type { ClauseResult, Verdict } from '../../../../results/verdict.ts';
import { developerApi } from '../../../../suites/developer/api.ts';
import { atMoment, type Check, type Checks } from '../../../../suites/engine/check.ts';
import { runClauses } from '../../../../suites/engine/engine.ts';
import { step } from '../../../../suites/session/session.ts';
import { testSession } from '../../test-session.ts';

const [slow, quick, quiet] = ['developer.keys.list', 'developer.keys.usage', 'developer.limits.exceeded'] as const;

function run(checks: Checks, clauses: readonly string[] = Object.keys(checks)): Promise<readonly ClauseResult[]> {
  const suite = { api: developerApi, checks, moments: ['quiet', 'badKeys'] as const, distrust: async () => null };
  return runClauses(suite, testSession('developer', { clauses }));
}

const waitForQuiet = step((session) => session.until('quiet'));
const inStep: Check = (session, tally) => waitForQuiet(session).then(() => tally.judge(null));

test.each<[string, Check, string]>([
  [
    'awaits a moment without saying so',
    (session, tally) => session.until('quiet').then(() => tally.judge(null)),
    'quiet',
  ],
  [
    'says that it awaits an earlier one',
    atMoment('quiet', (session, tally) => session.until('badKeys').then(() => tally.judge(null))),
    'badKeys',
  ],
])('a check that %s breaks, and does not hang', async (_, check, moment) => {
  const late: Check = (session, tally) => session.clock.sleep(1_000).then(() => check(session, tally));
  const results = await run({
    [quiet]: atMoment('quiet', inStep),
    [slow]: check.moment === undefined ? late : check,
    [quick]: async (_session, own) => own.judge(null),
  });
  expect(results.map(({ verdict }) => verdict)).toEqual(['pass', 'broken', 'pass']);
  expect(results[1]?.findings[0]?.message).toContain(`${slow} is not listed with atMoment('${moment}', …)`);
});

/** A check that compares something so often, and leaves so many parts open. */
const comparing =
  (compared: number, open: number): Check =>
  async (_, tally: Tally) => {
    tally.judge(...Array.from({ length: compared }, () => null));
    for (let part = 1; part <= open; part += 1) {
      tally.leaveOpen({ message: `Open ${part}` });
    }
  };

/** A check that finds a failure, and cannot go on. */
const failing =
  (stop: Error): Check =>
  async (_, tally) => {
    tally.judge({ message: 'Proven' });
    throw stop;
  };

// What the proof does not show: what is the suite's own fault, and where few parts are too few.
test.each<[string, Check | null, Verdict, message: string | undefined]>([
  ['does not exist', null, 'broken', 'The suite has no check for this clause'],
  ['compares nothing', comparing(0, 0), 'broken', 'The check compared nothing'],
  ['leaves nine parts open for one', comparing(1, 9), 'pass', undefined],
  ['leaves ten parts open for one', comparing(1, 10), 'inconclusive', 'Open 1'],
  ['finds a failure and stops', failing(new Inconclusive({ message: 'Open' })), 'fail', 'Proven'],
])('a check that %s', async (_, check, verdict, message) => {
  const [result] = await run(check === null ? {} : { [quick]: check }, [quick]);
  expect([result?.verdict, result?.findings[0]?.message]).toEqual([
    verdict,
    message && expect.stringContaining(message),
  ]);
});
