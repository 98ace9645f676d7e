// Limiters that do what the documents say, in all variants that these leave open: none may ever fail. And limiters with a
// defect, besides those that the faults of the reference show: each must be found, and fail the right clauses.

import {
  anchoredMeter,
  bucketMeter,
  counterMeter,
  fixedMeter,
  logMeter,
} from '../../../../fixtures/reference/meters.ts';
import { type MakesMeter, type Model, queueing, sixAtOnce } from './limiters.ts';

const atAnOddPhase: MakesMeter = (setup) => fixedMeter(setup, setup.phase);
const extendedByRefusals: MakesMeter = (setup) => anchoredMeter(setup, 'by refusals');
const countingRefusals: MakesMeter = (setup) => logMeter(setup, true);
const weighing: MakesMeter = (setup) => counterMeter(setup, false);

/** A window that moves in segments, as .NET's SlidingWindowRateLimiter: calls are freed together with their segment. */
const inSegments =
  (segments: number): MakesMeter =>
  ({ windowMs, phase }) => {
    const length = windowMs / segments;
    const counts = new Map<number, number>();
    const at = (now: number): number => Math.floor((now - phase) / length);
    const held = (now: number): [number, number][] => [...counts].filter(([segment]) => segment > at(now) - segments);
    return {
      used: (now) => held(now).reduce((sum, [, count]) => sum + count, 0),
      add: (now, calls) => {
        if (calls === 1) {
          counts.set(at(now), (counts.get(at(now)) ?? 0) + 1);
        }
      },
      resetAt: (now) => ((held(now)[0]?.[0] ?? at(now)) + segments) * length + phase,
    };
  };

/** What is right for a correct limiter. */
const sound = {
  verdict: 'holds',
  isCounted: true,
  remaining: 'holds',
  recovery: 'holds',
  exceeded: 'holds',
} as const;

/** A trace does not show the exact number of a sliding counter, which may round in any way. */
const rounding: Model = { ...sound, isCounted: false };

/** A key that others use, too; if a window ends after their calls, they make no difference. */
const usedByStranger: Model = { verdict: 'undecided', byChance: true, given: true };

export const soundModels: Readonly<Record<string, Model>> = {
  'fixed, clock-aligned': sound,
  'fixed, from the first call': { ...sound, meter: anchoredMeter },
  'fixed, odd phase': { ...sound, meter: atAnOddPhase },
  'sliding log': { ...sound, meter: logMeter },
  'sliding counter, rounded down': { ...rounding, meter: counterMeter },
  'sliding counter, exact': { ...rounding, meter: weighing },
  'sliding counter counting refusals': {
    ...rounding,
    meter: (setup) => counterMeter(setup, false, 0, true),
    orUndecided: true,
  },
  'window in 6 segments': { ...sound, meter: inSegments(6) },
  'window in 60 segments': { ...sound, meter: inSegments(60) },
  'sliding log counting refusals': { ...sound, meter: countingRefusals },
  'refusals extend the block': { ...sound, meter: extendedByRefusals },
  'wrong Reset': { ...sound, ways: { reset: (at) => String(Math.ceil(at / 1000) + 3600) } },
  // As Laravel's middleware does.
  'Remaining filled in late': { ...sound, ways: { isLate: true } },
  'Remaining before the call is counted': {
    ...sound,
    ways: { remaining: (left, isAdmitted) => left + (isAdmitted ? 1 : 0) },
  },
  'calls wait for their turn, without end': { verdict: 'undecided', around: queueing(Infinity) },
  'calls wait for their turn, ten of them': { verdict: 'holds', orUndecided: true, around: queueing(10) },
  '6 at once': { ...sound, meter: anchoredMeter, around: sixAtOnce },
  '6 at once, in a sliding log': { ...sound, meter: logMeter, around: sixAtOnce },
  'two calls of a stranger in between': { ...usedByStranger, foreignAt: [0.02, 0.05] },
  'a stranger once a minute': { ...usedByStranger, foreignAt: [-0.05, 0.95, 1.95, 2.95, 3.95] },
  'a stranger uses the key': { ...usedByStranger, foreignAt: Array.from({ length: 75 }, (_, at) => at / 15) },
};

/** One call fewer than documented, and one more. */
const offByOne = (name: string, meter: MakesMeter): [string, Model][] =>
  ([['one less', -1, 'fewer'] as const, ['one more', 1, 'more'] as const] as const).map(([by, change, verdict]) => [
    `${by}, ${name}`,
    { verdict, change, isCounted: true, recovery: 'holds', exceeded: 'holds', meter },
  ]);

const telling = (remaining: (left: number, isAdmitted: boolean, limit: number) => number): Model => ({
  verdict: 'holds',
  remaining: 'fails',
  ways: { remaining },
});

/** Admits only a few calls in a part of the window, whatever the minute has left, and without Retry-After. */
const smoothing = (calls: number, share: number): Model => ({
  verdict: 'fewer',
  ways: { retryAfter: false },
  meter: (setup) => {
    const [minute, short] = [fixedMeter(setup), logMeter({ windowMs: setup.windowMs * share })];
    return {
      used: (now) => (short.used(now) >= calls ? setup.limit : minute.used(now)),
      add: (now, count) => {
        minute.add(now, count);
        short.add(now, count);
      },
      resetAt: minute.resetAt,
    };
  },
});

/** Checks, and counts 4 ms later, so that calls in between see the old count. */
const racy: MakesMeter = ({ windowMs }) => {
  const times: number[] = [];
  const since = (now: number): number => Math.floor(now / windowMs) * windowMs;
  return {
    used: (now) => times.filter((time) => time >= since(now) && time <= now - 4).length,
    add: (now, calls) => {
      if (calls === 1) {
        times.push(now);
      }
    },
    resetAt: (now) => since(now) + windowMs,
  };
};

const meters: Readonly<Record<string, MakesMeter>> = {
  'by the clock': fixedMeter,
  'from the first call': anchoredMeter,
  'at an odd phase': atAnOddPhase,
  sliding: logMeter,
};

/** The right number in a window of so many seconds of the deployment's clock. */
const lasting = (seconds: number, names: readonly string[], model: Model): [string, Model][] =>
  names.map((name) => [
    `${seconds} seconds, ${name}`,
    {
      ...model,
      meter: (setup) => (meters[name] ?? fixedMeter)({ ...setup, windowMs: (seconds / 60) * setup.windowMs }),
    },
  ]);

export const faultyModels: Readonly<Record<string, Model>> = {
  ...Object.fromEntries([
    ...offByOne('clock-aligned', fixedMeter),
    ...offByOne('from the first call', anchoredMeter),
    ...offByOne('odd phase', atAnOddPhase),
    ...offByOne('sliding log', logMeter),
    ...offByOne('extended by refusals', extendedByRefusals),
    ...offByOne('in 4 segments', inSegments(4)),
    ...lasting(90, ['from the first call', 'sliding'], { verdict: 'holds', orUndecided: true, recovery: 'fails' }),
    ...[10, 45].flatMap((seconds) => lasting(seconds, Object.keys(meters), { verdict: 'more', recovery: 'holds' })),
  ]),
  'one less, sliding counter': { verdict: 'fewer', change: -1, recovery: 'holds', meter: weighing },
  'one more, sliding counter': { verdict: 'more', change: 1, recovery: 'holds', meter: weighing },
  'one less, counting refusals': { verdict: 'fewer', change: -1, meter: countingRefusals },
  'one less, on a given key': { verdict: 'fewer', change: -1, given: true },
  'token bucket': { verdict: 'more', meter: bucketMeter },
  // Buckets of a few calls that refill at the documented rate.
  'small bucket': { verdict: 'fewer', meter: bucketMeter, ways: { enforced: 10 } },
  spacing: { verdict: 'fewer', meter: bucketMeter, ways: { enforced: 1, retryAfter: false } },
  'ten in any ten seconds': smoothing(10, 1 / 6),
  'one a second': smoothing(1, 1 / 60),
  'racy, 4 ms between check and count': { verdict: 'more', byChance: true, meter: racy },
  'sixty more': { verdict: 'more', change: 60 },
  'no limit': { verdict: 'more', change: 1e9, exceeded: 'fails' },
  'one budget for all routes': { ...sound, routes: ['GET /other', 'GET /same?limit=2', 'POST /other', 'query mode'] },
  'Remaining stays at the limit less one': telling((_left, _isAdmitted, limit) => limit - 1),
  'Remaining counts up': telling((left, _isAdmitted, limit) => limit - left),
  'Remaining is one behind': telling((left) => left + 1),
  'Remaining is NaN': telling(() => NaN),
};

/** The limiters that the judge must recognise, with the right verdicts. */
export const models: Readonly<Record<string, Model>> = { ...soundModels, ...faultyModels };
