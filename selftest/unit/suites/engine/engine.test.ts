import { expect, test } from 'vitest';
import { judged } from '../../../../results/outcome.ts';
import { Inconclusive, Skipped } from '../../../../results/stop.ts';
import type { ClauseResult } from '../../../../results/verdict.ts';
import { developerApi } from '../../../../suites/developer/api.ts';
import { atMoment, type Checks, type Suite } from '../../../../suites/engine/check.ts';
import { runClauses } from '../../../../suites/engine/engine.ts';
import type { OpenSession } from '../../../../suites/session/open-session.ts';
import { step } from '../../../../suites/session/step.ts';
import { testSession } from '../../test-session.ts';

const everyResponse = 'developer.envelope.json';
const [slow, quick, quiet] = ['developer.keys.list', 'developer.keys.usage', 'developer.limits.exceeded'] as const;

const suiteOf = (checks: Checks, distrust: Suite['distrust'] = async () => null): Suite => ({
  api: developerApi,
  checks,
  moments: ['quiet', 'badKeys'],
  distrust,
});

const open = (...clauses: readonly string[]): OpenSession => testSession('developer', { clauses });

test('each result is given as soon as it is final; clauses about every response, and those that need quiet, come last', async () => {
  const order: string[] = [];
  const checks: Checks = {
    [everyResponse]: async () => judged(null),
    [slow]: async ({ clock }) => {
      await clock.sleep(60_000);
      expect(order).toContain(`reported ${quick}`);
      return judged(null);
    },
    [quick]: async () => judged(null),
    [quiet]: atMoment('quiet', async (session) => {
      await session.until('quiet');
      order.push('quiet');
      return judged(null);
    }),
  };
  const session = open(everyResponse, slow, quiet, quick);
  const results = await runClauses(suiteOf(checks), session, ({ id }) => order.push(`reported ${id}`));
  expect(order).toEqual([
    `reported ${quick}`,
    `reported ${slow}`,
    'quiet',
    `reported ${quiet}`,
    `reported ${everyResponse}`,
  ]);
  expect(results.map(({ id }) => id)).toEqual([everyResponse, slow, quiet, quick]);
});

const waitForQuiet = step((session) => session.until('quiet'));

const waiters: readonly (readonly [string, Checks[string], string])[] = [
  ['awaits a moment without saying so', (session) => session.until('quiet').then(() => judged(null)), 'quiet'],
  [
    'says that it awaits an earlier one',
    atMoment('quiet', (session) => session.until('badKeys').then(() => judged(null))),
    'badKeys',
  ],
  ['needs a step that awaits one', (session) => waitForQuiet(session).then(() => judged(null)), 'quiet'],
];

test.each(waiters)('a check that %s breaks, and does not hang', async (_, check, moment) => {
  const checks: Checks = {
    [quiet]: atMoment('quiet', (session) => waitForQuiet(session).then(() => judged(null))),
    [slow]: async (session) => {
      await session.clock.sleep(1_000);
      return check(session);
    },
    [quick]: async () => judged(null),
  };
  const results = await runClauses(
    suiteOf(check.moment === undefined ? checks : { ...checks, [slow]: check }),
    open(quiet, slow, quick),
  );
  expect(results.map(({ verdict }) => verdict)).toEqual(['pass', 'broken', 'pass']);
  expect(results[1]?.findings[0]?.message).toContain(`${slow} is not listed with atMoment('${moment}', …)`);
});

test('if the deployment cannot be trusted, no clause is reported as passed', async () => {
  const reported: ClauseResult[] = [];
  const checks: Checks = {
    [quick]: async () => judged(null),
    [slow]: async () => judged({ message: 'It fails' }),
    [everyResponse]: async () => judged(null),
  };
  const distrust = { message: 'Calls with and without a key are answered alike', blames: 'developer.auth.missing-key' };
  await runClauses(
    suiteOf(checks, async () => distrust),
    open(quick, slow, everyResponse),
    (one) => reported.push(one),
  );
  expect(Object.fromEntries(reported.map(({ id, verdict }) => [id, verdict]))).toEqual({
    [quick]: 'inconclusive',
    [slow]: 'fail',
    [everyResponse]: 'inconclusive',
  });
  expect(reported[0]?.findings).toEqual([distrust]);
});

test('an exception of a check becomes its verdict, with its data as fields', async () => {
  const checks: Checks = {
    [quick]: () => Promise.reject(new Inconclusive({ message: 'Unknown', blames: 'developer.keys.create' })),
    [slow]: () => Promise.reject(new Skipped('WRITES is none', { setting: 'WRITES', value: 'sandbox' })),
    [quiet]: () => Promise.reject(new Error('Ours')),
  };
  const results = await runClauses(suiteOf(checks), open(quick, slow, quiet, 'developer.keys.create'));
  expect(results.map(({ verdict, findings }) => [verdict, findings[0]])).toEqual([
    ['inconclusive', { message: 'Unknown', blames: 'developer.keys.create' }],
    ['skip', { message: 'WRITES is none', needs: { setting: 'WRITES', value: 'sandbox' } }],
    ['broken', { message: expect.stringContaining('Ours') }],
    ['broken', { message: 'The suite has no check for this clause' }],
  ]);
});

test('a check that compared nothing is broken; a check whose parts are all undecided is inconclusive', async () => {
  const checks: Checks = {
    [quick]: async () => ({ failures: [], undecided: [], compared: 0 }),
    [slow]: async () => ({ failures: [], undecided: [{ message: 'Open' }], compared: 0 }),
    [quiet]: async () => ({ failures: [], undecided: [{ message: 'Open' }], compared: 1 }),
  };
  const results = await runClauses(suiteOf(checks), open(quick, slow, quiet));
  expect(results.map(({ verdict, observed }) => [verdict, observed])).toEqual([
    ['broken', null],
    ['inconclusive', null],
    ['pass', { undecided: ['Open'] }],
  ]);
});

test.each([
  [1, 9, 'pass'],
  [1, 10, 'inconclusive'],
  [3, 27, 'pass'],
])('of a clause %i parts hold and %i are open: %s', async (compared, many, verdict) => {
  const undecided = Array.from({ length: many }, (_, at) => ({ message: `Open ${at}` }));
  const checks: Checks = { [quick]: async () => ({ failures: [], undecided, compared }) };
  const results = await runClauses(suiteOf(checks), open(quick));
  expect(results.map((result) => result.verdict)).toEqual([verdict]);
});
