import { expect, test } from 'vitest';
import { judged, type Outcome } from '../../../../results/outcome.ts';
import { Inconclusive, Skipped } from '../../../../results/stop.ts';
import type { ClauseResult, Verdict } from '../../../../results/verdict.ts';
import { developerApi } from '../../../../suites/developer/api.ts';
import { atMoment, type Check, type Checks, type Suite } from '../../../../suites/engine/check.ts';
import { runClauses } from '../../../../suites/engine/engine.ts';
import { step } from '../../../../suites/session/step.ts';
import { testSession } from '../../test-session.ts';

const everyResponse = 'developer.envelope.json';
const [slow, quick, quiet] = ['developer.keys.list', 'developer.keys.usage', 'developer.limits.exceeded'] as const;
const passing: Check = async () => judged(null);

/** Runs the clauses of some checks. `reported`: their results, in the order in which they were final. */
async function run(checks: Checks, more: Partial<Suite> = {}, clauses: readonly string[] = Object.keys(checks)) {
  const moments = ['quiet', 'badKeys'] as const;
  const suite: Suite = { api: developerApi, checks, moments, distrust: async () => null, ...more };
  const reported: ClauseResult[] = [];
  const results = await runClauses(suite, testSession('developer', { clauses }), (one) => reported.push(one));
  return { results, reported };
}

test('each result is given as soon as it is final; clauses about every response, and those that need quiet, come last', async () => {
  const { results, reported } = await run({
    [everyResponse]: passing,
    [slow]: async ({ clock }) => judged(await clock.sleep(60_000).then(() => null)),
    [quiet]: atMoment('quiet', (session) => session.until('quiet').then(() => judged(null))),
    [quick]: passing,
  });
  expect(reported.map(({ id }) => id)).toEqual([quick, slow, quiet, everyResponse]);
  expect(results.map(({ id }) => id)).toEqual([everyResponse, slow, quiet, quick]);
});

const waitForQuiet = step((session) => session.until('quiet'));
const inStep: Check = (session) => waitForQuiet(session).then(() => judged(null));

test.each<[string, Check, string]>([
  ['awaits a moment without saying so', (session) => session.until('quiet').then(() => judged(null)), 'quiet'],
  [
    'says that it awaits an earlier one',
    atMoment('quiet', (session) => session.until('badKeys').then(() => judged(null))),
    'badKeys',
  ],
  ['needs a step that awaits one', inStep, 'quiet'],
])('a check that %s breaks, and does not hang', async (_, check, moment) => {
  const late: Check = (session) => session.clock.sleep(1_000).then(() => check(session));
  const { results } = await run({
    [quiet]: atMoment('quiet', inStep),
    [slow]: check.moment === undefined ? late : check,
    [quick]: passing,
  });
  expect(results.map(({ verdict }) => verdict)).toEqual(['pass', 'broken', 'pass']);
  expect(results[1]?.findings[0]?.message).toContain(`${slow} is not listed with atMoment('${moment}', …)`);
});

test('if the deployment cannot be trusted, no clause is reported as passed', async () => {
  const distrust = { message: 'Calls with and without a key are answered alike', blames: 'developer.auth.missing-key' };
  const failing: Check = async () => judged({ message: 'It fails' });
  const checks = { [quick]: passing, [slow]: failing, [everyResponse]: passing };
  const { results } = await run(checks, { distrust: async () => distrust });
  expect(results.map(({ verdict, findings }) => [verdict, findings])).toEqual([
    ['inconclusive', [distrust]],
    ['fail', [{ message: 'It fails' }]],
    ['inconclusive', [distrust]],
  ]);
});

const open = (count: number) => Array.from({ length: count }, (_, at) => ({ message: `Open ${at}` }));
const blamed = { message: 'Unknown', blames: 'developer.keys.create' };
const needs = { setting: 'WRITES', value: 'sandbox' };
const skipped = { findings: [{ message: 'WRITES is none', needs }] };
const outcome = (compared: number, undecided: number): Outcome => {
  return { failures: [], undecided: open(undecided), compared };
};

test.each<[string, Outcome | Error | null, Verdict, Partial<ClauseResult>]>([
  ['throws that it is open', new Inconclusive(blamed), 'inconclusive', { findings: [blamed] }],
  ['throws that it was not tried', new Skipped('WRITES is none', needs), 'skip', skipped],
  ['breaks', new Error('Ours'), 'broken', { findings: [{ message: expect.stringContaining('Ours') }] }],
  ['does not exist', null, 'broken', { findings: [{ message: 'The suite has no check for this clause' }] }],
  ['compares nothing', outcome(0, 0), 'broken', {}],
  ['leaves a part open', outcome(1, 1), 'pass', { observed: { undecided: ['Open 0'] } }],
  ['leaves nine parts open for one', outcome(1, 9), 'pass', {}],
  ['leaves ten parts open for one', outcome(1, 10), 'inconclusive', { findings: open(10) }],
])('a check that %s', async (_, came, verdict, more) => {
  const check: Check = () => (came instanceof Error ? Promise.reject(came) : Promise.resolve(came as Outcome));
  const { results } = await run(came === null ? {} : { [quick]: check }, {}, [quick]);
  expect(results).toMatchObject([{ verdict, ...more }]);
});
