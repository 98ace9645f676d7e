import { expect, test } from 'vitest';
import { judged, type Outcome } from '../../../../results/outcome.ts';
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
const inStep: Check = (session) => waitForQuiet(session).then(() => judged(null));

test.each<[string, Check, string]>([
  ['awaits a moment without saying so', (session) => session.until('quiet').then(() => judged(null)), 'quiet'],
  [
    'says that it awaits an earlier one',
    atMoment('quiet', (session) => session.until('badKeys').then(() => judged(null))),
    'badKeys',
  ],
])('a check that %s breaks, and does not hang', async (_, check, moment) => {
  const late: Check = (session) => session.clock.sleep(1_000).then(() => check(session));
  const results = await run({
    [quiet]: atMoment('quiet', inStep),
    [slow]: check.moment === undefined ? late : check,
    [quick]: async () => judged(null),
  });
  expect(results.map(({ verdict }) => verdict)).toEqual(['pass', 'broken', 'pass']);
  expect(results[1]?.findings[0]?.message).toContain(`${slow} is not listed with atMoment('${moment}', …)`);
});

const outcome = (compared: number, open: number): Outcome => {
  return { failures: [], undecided: Array.from({ length: open }, () => ({ message: 'Open' })), compared };
};

// What the proof does not show: what is the suite's own fault, and where few parts are too few.
test.each<[string, Outcome | Error | null, Verdict, message: string | undefined]>([
  ['breaks', new Error('Ours'), 'broken', 'Ours'],
  ['does not exist', null, 'broken', 'The suite has no check for this clause'],
  ['compares nothing', outcome(0, 0), 'broken', 'The check compared nothing'],
  ['leaves nine parts open for one', outcome(1, 9), 'pass', undefined],
  ['leaves ten parts open for one', outcome(1, 10), 'inconclusive', 'Open'],
])('a check that %s', async (_, came, verdict, message) => {
  const check: Check = () => (came instanceof Error ? Promise.reject(came) : Promise.resolve(came as Outcome));
  const [result] = await run(came === null ? {} : { [quick]: check }, [quick]);
  expect([result?.verdict, result?.findings[0]?.message]).toEqual([
    verdict,
    message && expect.stringContaining(message),
  ]);
});
