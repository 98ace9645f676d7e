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

it.each<[string, string, RegExp]>([
  ['one more, from the first call', 'fixed window', /^61 calls a minute are admitted \(fixed window\), 1 more/],
  [
    'sixty more',
    'fixed window',
    /^120 calls .* 60 more than .* 2 processes or .* limit is that of the developer API's sandbox keys/,
  ],
  ['ten in any ten seconds', 'sliding counter', /^A call was refused after only \d+ calls? in the preceding minute/],
  ['token bucket', 'token bucket', /: a token bucket of \S+( \d+)? that refills continuously/],
  ['small bucket', 'spacing or small bucket', /^A call was refused after only 11 .* The limiter spaces calls out/],
  ['no limit', 'none met', /^340 calls were admitted within one minute, and none was refused/],
  ['one less, on a given key', 'fixed window', /^59 calls a minute .* incremented before it is compared/],
  ['calls wait for their turn, without end', 'none met', /the slowest response took \d+ s, so the deployment/],
  ['fixed, odd phase', 'fixed window', /^60 calls were admitted in a minute \(fixed window\), and the next/],
  ['sliding log', 'sliding log', /^60 calls were admitted in a minute \(sliding log\)/],
  ['sliding log counting refusals', 'sliding log counting refusals', /^60 calls/],
  ['sliding counter, exact', 'sliding counter', /^60 calls/],
])('%s: the verdict names the algorithm (%s), and says what is enforced and why', async (model, algorithm, says) => {
  const { perMinute, window } = (await drive(model)).verdict;
  expect([window.algorithm, perMinute.says]).toEqual([algorithm, expect.stringMatching(says)]);
});
