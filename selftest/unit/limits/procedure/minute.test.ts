// The calls of the procedure and their duration, on a virtual clock.
import { expect, it } from 'vitest';
import type { Sample } from '../../../../limits/judge/trace.ts';
import { simulate } from '../simulated/simulate.ts';

const minute = 60_000;
const drive = (model: string, limit = 60): ReturnType<typeof simulate> =>
  simulate({ model, limit, windowMs: minute, rtt: 20, seed: 3 });

it.each([
  ['one a second', 60, 100, 1],
  ['no limit', 300, 910, 1],
  ['calls wait for their turn, without end', 60, 70, 3],
  ['fixed, from the first call', 60, 130, 1.2],
])('%s: the procedure stops when the answer is known', async (model, limit, mostCalls, mostMinutes) => {
  const { calls, lasted } = await drive(model, limit);
  expect(calls).toBeLessThanOrEqual(mostCalls);
  expect(lasted).toBeLessThan(mostMinutes * minute);
});

it('calls of other kinds are sent once each while the key is refused, between two refusals of the plain call', async () => {
  const { trace, verdict } = await drive('one budget for all routes');
  const others = trace.filter(({ route }) => route !== undefined);
  const at = trace.indexOf(others[0] as Sample);
  expect(others.map(({ status, phase }) => `${phase} ${status}`)).toEqual(Array(4).fill('while refused 429'));
  expect([trace[at - 1]?.status, trace[at + 4]?.status]).toEqual([429, 429]);
  expect(verdict.probes.map(({ outcome }) => outcome)).toEqual(Array(4).fill('refused'));
});

it.each([
  ['one more, from the first call', /^61 calls a minute are admitted \(fixed window\), 1 more/],
  [
    'twice the limit',
    /^120 calls .* 60 more than the documented 60. Perhaps 2 processes or nodes each keep a count of their own, or the limit is a sandbox key's/,
  ],
  ['ten in any ten seconds', /^A call was refused after only \d+ calls? in the preceding minute; documented: 60/],
  ['token bucket', /: a token bucket of \S+( \d+)? that refills continuously/],
  ['no limit', /^340 calls were admitted within one minute, and none was refused/],
  ['one less, on a given key', /somebody else uses the key, or fewer calls are admitted|59 calls a minute/],
  ['calls wait for their turn, without end', /the slowest response took \d+ s, so the deployment may delay calls/],
  ['a budget for each route', /^4 other calls were accepted while the key was over its limit: GET \/other, GET \/same/],
])('%s: the verdict says what is enforced, by how much it is wrong, and why', async (model, says) => {
  expect((await drive(model)).verdict.perMinute.says).toMatch(says);
});

it.each([
  ['fixed, odd phase', 'fixed window'],
  ['sliding log', 'sliding log'],
  ['sliding log counting refusals', 'sliding log counting refusals'],
  ['sliding counter, exact', 'sliding counter'],
  ['small bucket', 'spacing or small bucket'],
  ['token bucket', 'token bucket'],
  ['no limit', 'none met'],
])('%s: the algorithm is named', async (model, algorithm) => {
  expect((await drive(model)).verdict.window.algorithm).toBe(algorithm);
});

it('a key that was never admitted again is not reported as recovered', async () => {
  const { verdict } = await drive('locked out for five minutes');
  expect(verdict.window.says).toBe('No call was admitted again while the run lasted.');
  expect(verdict.recovery.verdict).toBe('fails');
});
