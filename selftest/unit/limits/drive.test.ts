// The calls of the procedure and their duration, on a virtual clock.
import { describe, expect, it } from 'vitest';
import type { Sample } from '../../../limits/judge/trace.ts';
import { simulate } from './simulated/simulate.ts';

const minute = 60_000;
const drive = (model: string, limit = 60): ReturnType<typeof simulate> =>
  simulate({ model, limit, windowMs: minute, rtt: 20, seed: 3 });

describe('the procedure stops when the answer is known', () => {
  it.each(['ten in any ten seconds', 'one a second', 'spacing', 'small bucket'])('%s', async (model) => {
    const { perMinute, calls, lasted } = await drive(model);
    expect(perMinute).toBe('fewer');
    expect(calls).toBeLessThan(100);
    expect(lasted).toBeLessThan(minute);
  });

  it('an enterprise key that is never refused is sent at most twice its limit and a few calls', async () => {
    const { perMinute, calls } = await drive('no limit', 1000);
    expect(perMinute).toBe('more');
    expect(calls).toBeLessThanOrEqual(2020);
  });

  it('a deployment that delays calls is driven only once', async () => {
    const { calls } = await drive('calls wait for their turn, without end');
    expect(calls).toBeLessThan(70);
  });

  it.each(['fixed, from the first call', 'sliding log'])('%s takes a minute and a little', async (model) => {
    const { lasted } = await drive(model);
    expect(lasted).toBeLessThan(1.2 * minute);
  });
});

describe('calls of other kinds while the key is refused', () => {
  it('are sent once each, between two refusals of the plain call', async () => {
    const { trace, verdict } = await drive('one budget for all routes');
    const others = trace.filter(({ route }) => route !== undefined);
    const at = trace.indexOf(others[0] as Sample);
    expect(others.map(({ status, phase }) => `${phase} ${status}`)).toEqual(Array(4).fill('while refused 429'));
    expect([trace[at - 1]?.status, trace[at + 4]?.status]).toEqual([429, 429]);
    expect(verdict.probes.map(({ outcome }) => outcome)).toEqual(Array(4).fill('refused'));
  });

  it('are named in the verdict if they have budgets of their own', async () => {
    const { verdict } = await drive('query mode is a budget of its own');
    expect(verdict.perMinute.says).toMatch(/^1 other call was accepted while the key was over its limit/);
    const each = await drive('a budget for each route');
    expect(each.verdict.perMinute.says).toMatch(
      /^4 other calls were accepted while the key was over its limit: GET \/other, GET \/same\?limit=2, POST \/other, query mode\. /,
    );
  });
});

describe('the verdict says what is enforced, by how much it is wrong, and why', () => {
  it.each([
    ['one less, clock-aligned', /^59 calls a minute are admitted \(fixed window, clock-aligned\), 1 fewer than/],
    ['one more, from the first call', /^61 calls a minute are admitted \(fixed window from the first call\), 1 more/],
    [
      'twice the limit',
      /^120 calls .* 60 more than the documented 60. Perhaps 2 processes or nodes each keep a count of their own, or the limit is a sandbox key's/,
    ],
    [
      'counts by address',
      /^57 calls a minute .* Calls without a valid key from the same address seem to be counted too/,
    ],
    ['ten in any ten seconds', /^A call was refused after only \d+ calls? in the preceding minute; documented: 60/],
    ['token bucket', /: a token bucket of \S+( \d+)? that refills continuously/],
    ['no limit', /^340 calls were admitted within one minute, and none was refused/],
    ['one less, on a given key', /somebody else uses the key, or fewer calls are admitted|59 calls a minute/],
    ['calls wait for their turn, without end', /the slowest response took \d+ s, so the deployment may delay calls/],
  ])('%s', async (model, says) => {
    const { verdict } = await drive(model);
    expect(verdict.perMinute.says).toMatch(says);
  });

  it('a key that was never admitted again is not reported as recovered', async () => {
    const { verdict } = await drive('locked out for five minutes');
    expect(verdict.window).toEqual({
      algorithm: 'unknown',
      family: 'unknown',
      says: 'No call was admitted again while the run lasted.',
    });
    expect(verdict.recovery.verdict).toBe('fails');
  });
});
