import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alignedWindows, firstCallWindows, oddPhaseWindows, slidingCounter, slidingLog } from '../../fixtures/reference/limiter-algorithms.ts';
import { createLimiter, type Algorithm, type Limiter, type Window } from '../../fixtures/reference/limiter.ts';

const start = 1_700_000_000_123;

/** A clock that the test moves by hand. */
function handClock(): { now(): number; sleep(ms: number): Promise<void>; advance(ms: number): void } {
  let now = start;
  return { now: () => now, sleep: () => Promise.resolve(), advance: (ms) => { now += ms; } };
}

interface Step { readonly wait: number; readonly admitted: boolean; readonly at: number }

/** Plays calls of one budget with these pauses before them. */
function play(algorithm: Algorithm, windows: readonly Window[], waits: readonly number[]): Step[] {
  const clock = handClock();
  const limiter = createLimiter(clock, algorithm);
  return waits.map((wait) => {
    clock.advance(wait);
    return { wait, admitted: limiter.take('budget', windows).admitted, at: clock.now() };
  });
}

const window: Window = { limit: 5, windowMs: 1_000 };
const waits = fc.array(fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 0, max: 120 }) }, fc.integer({ min: 0, max: 1_500 })), { maxLength: 120 });

/** What an exact fixed window does, said in another way: it counts afresh whenever the window of a call is a new one. */
function oracleFixed(steps: readonly Step[], windowOf: (at: number) => number): boolean[] {
  const counts = new Map<number, number>();
  return steps.map(({ at }) => {
    const count = counts.get(windowOf(at)) ?? 0;
    if (count >= window.limit) return false;
    counts.set(windowOf(at), count + 1);
    return true;
  });
}

/** The windows that begin with the first call after the last one ended. */
function oracleFirstCall(steps: readonly Step[]): boolean[] {
  let [began, count] = [-Infinity, 0];
  return steps.map(({ at }) => {
    if (at >= began + window.windowMs) [began, count] = [at, 0];
    if (count >= window.limit) return false;
    count += 1;
    return true;
  });
}

const admissions = (steps: readonly Step[]): boolean[] => steps.map(({ admitted }) => admitted);

describe('fixed windows are exact', () => {
  test('aligned with the clock', () => fc.assert(fc.property(waits, (each) => {
    const steps = play(alignedWindows, [window], each);
    expect(admissions(steps)).toEqual(oracleFixed(steps, (at) => Math.floor(at / window.windowMs)));
  })));

  test('at an odd phase', () => fc.assert(fc.property(waits, (each) => {
    const steps = play(oddPhaseWindows(0.37), [window], each);
    expect(admissions(steps)).toEqual(oracleFixed(steps, (at) => Math.floor((at - 370) / window.windowMs)));
  })));

  test('from the first call', () => fc.assert(fc.property(waits, (each) => {
    const steps = play(firstCallWindows, [window], each);
    expect(admissions(steps)).toEqual(oracleFirstCall(steps));
  })));
});

test('a sliding log admits exactly the limit in any trailing window', () => fc.assert(fc.property(waits, (each) => {
  const steps = play(slidingLog, [window], each);
  for (const [index, { at, admitted }] of steps.entries()) {
    const before = steps.slice(0, index).filter((step) => step.admitted && step.at > at - window.windowMs).length;
    expect(admitted).toBe(before < window.limit);
  }
})));

test('a sliding counter is exact after two quiet windows, and never admits twice the limit in one', () => fc.assert(fc.property(waits, (each) => {
  const clock = handClock();
  const limiter = createLimiter(clock, slidingCounter);
  const times: number[] = [];
  for (const wait of each) {
    clock.advance(wait);
    if (limiter.take('budget', [window]).admitted) times.push(clock.now());
  }
  for (const at of times) expect(times.filter((other) => other > at - window.windowMs && other <= at).length).toBeLessThan(2 * window.limit);
  clock.advance(2 * window.windowMs - (clock.now() % window.windowMs));
  const burst = Array.from({ length: 7 }, () => limiter.take('budget', [window]).admitted);
  expect(burst.filter(Boolean).length).toBe(window.limit);
})));

describe.each(Object.entries({ alignedWindows, firstCallWindows, slidingLog, slidingCounter, odd: oddPhaseWindows(0.5) }))('%s', (_, algorithm) => {
  const both: readonly Window[] = [window, { limit: 8, windowMs: 60_000 }];
  const limiterAt = (): { limiter: Limiter; clock: ReturnType<typeof handClock> } => {
    const clock = handClock();
    clock.advance(60_000 - (clock.now() % 60_000));
    return { limiter: createLimiter(clock, algorithm), clock };
  };

  test('remaining falls by one a call and is 0 at the refusal, which counts nothing', () => {
    const { limiter } = limiterAt();
    const seen = Array.from({ length: 8 }, () => limiter.take('budget', both)).map(({ admitted, standings }) => [admitted, ...standings.map(({ remaining }) => remaining)]);
    expect(seen).toEqual([[true, 4, 7], [true, 3, 6], [true, 2, 5], [true, 1, 4], [true, 0, 3], [false, 0, 3], [false, 0, 3], [false, 0, 3]]);
  });

  test('the longer window refuses when it is used up, and says that it was the one', () => {
    const { limiter, clock } = limiterAt();
    for (let at = 0; at < 5; at += 1) limiter.take('budget', both);
    clock.advance(2_000);
    const later = Array.from({ length: 4 }, () => limiter.take('budget', both));
    expect(later.map(({ admitted }) => admitted)).toEqual([true, true, true, false]);
    expect(later.at(-1)?.refusedBy?.windowMs).toBe(60_000);
  });

  test('budgets do not touch each other, a refund gives a call back, a look counts nothing', () => {
    const { limiter } = limiterAt();
    for (let at = 0; at < 5; at += 1) limiter.take('one', [window]);
    expect(limiter.take('one', [window]).admitted).toBe(false);
    expect(limiter.take('two', [window]).standings[0]?.remaining).toBe(4);
    expect(limiter.refund('one', [window]).standings[0]?.remaining).toBe(1);
    expect(limiter.peek('one', [window]).standings[0]?.remaining).toBe(1);
    expect(limiter.take('one', [window]).admitted).toBe(true);
    expect(limiter.take('one', [window]).admitted).toBe(false);
  });

  test('calls are admitted again at the moment that resetAt names', () => {
    const { limiter, clock } = limiterAt();
    for (let at = 0; at < 5; at += 1) limiter.take('budget', [window]);
    const { refusedBy } = limiter.take('budget', [window]);
    clock.advance((refusedBy?.resetAt ?? 0) - clock.now() - 1);
    if (algorithm !== slidingCounter) expect(limiter.take('budget', [window]).admitted).toBe(false);
    clock.advance(algorithm === slidingCounter ? window.windowMs : 1);
    expect(limiter.take('budget', [window]).admitted).toBe(true);
  });
});
