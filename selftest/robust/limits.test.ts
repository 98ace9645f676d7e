// The judge and its procedure on limiters with known behaviour, over a virtual network: nothing waits or depends on the
// machine. `npm run bench:judge` judges each thousands of times.
import { expect, it } from 'vitest';
import { isNightly, oneOf } from '../nightly.ts';
import { faultyModels, soundModels } from '../unit/limits/simulated/models.ts';
import { type Case, type Result, simulate } from '../unit/limits/simulated/simulate.ts';

const windowMs = 60_000;

const run = (cases: readonly Case[]): Promise<Result[]> => Promise.all(cases.map(simulate));

/** What is wrong, missed or open, and what names another number of calls than the limiter's. */
const troublesOf = ({
  mistakes,
  missed,
  outcome,
  enforcedRight,
  verdict: { perMinute },
}: Result): readonly string[] => [
  ...mistakes,
  ...missed,
  ...(outcome === 'right' && (enforcedRight || perMinute.enforced === null) ? [] : [perMinute.says]),
];

/** Limits, and round trips in milliseconds, the slow one last. */
const circumstances = [[60, 1] as const, [60, 200] as const, [120, 20] as const, [60, 1000] as const];

/** The names of some models, with the first few circumstances: in the selftest with one of them each, in turn. */
const casesOf = (models: Readonly<Record<string, unknown>>, few: number): [model: string, Case[]][] =>
  Object.keys(models).map((model, place) => {
    const cases = circumstances.slice(0, few).map(([limit, rtt], at) => {
      return { model, seed: 10 * at + 1, limit, windowMs, rtt };
    });
    return [model, isNightly ? cases : cases.slice(place % few, (place % few) + 1)];
  });

/** With a fast clock: a window is over after a few calls in turn, so that many verdicts are rightly open. */
const shortWindows = (model: string): Case[] =>
  oneOf(2, [41, 42]).map((seed) => ({ model, seed, limit: 60, windowMs: 500, rtt: 150 }));

it.each(casesOf(soundModels, 4))('a limiter that follows the documents never fails: %s', async (model, cases) => {
  expect((await run(cases)).flatMap(troublesOf)).toEqual([]);
  expect((await run(shortWindows(model))).flatMap(({ mistakes }) => mistakes)).toEqual([]);
});

// A slow network may hide a defect: what is found there is left to the night.
it.each(casesOf(faultyModels, isNightly ? 4 : 3))('a defect is found, and nothing else fails: %s', async (_, cases) => {
  const results = await run(cases);
  expect(results.flatMap((result) => (result.rtt < 1000 ? troublesOf(result) : result.mistakes))).toEqual([]);
});
