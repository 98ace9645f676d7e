import { test } from 'vitest';
import { judge } from '../../../limits/judge/judge.ts';
import { limit, traceOf, traceSizes, windowMs } from '../trace.ts';

const series = [
  ['a sixth of them refused', limit * 1.2],
  ['none of them refused', limit * 0.8],
] as const;

/** A size is left out if the cost of the previous ones suggests that a single call would take longer than this. */
const mostMs = 60_000;

test.for(series)('judging traces, %s', { timeout: 600_000 }, async ([name, pace], { bench }) => {
  let slope = 1;
  let last = { calls: traceSizes[0] as number, mean: 0 };
  for (const calls of traceSizes) {
    if (last.mean * (calls / last.calls) ** slope > mostMs) {
      return;
    }
    const trace = traceOf(calls, pace);
    const { latency } = await bench(`trace of ${calls.toLocaleString('en')} calls, ${name}`, () => {
      judge(trace, { limit, windowMs });
    }).run({ time: 500, iterations: 3, warmupIterations: 1, warmupTime: 0 });
    slope = last.mean === 0 ? 1 : Math.log(latency.mean / last.mean) / Math.log(calls / last.calls);
    last = { calls, mean: latency.mean };
  }
});
