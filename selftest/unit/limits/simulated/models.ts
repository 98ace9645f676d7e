// Limiters that do what the documents say, in all variants that these leave open: none may ever fail. And limiters with a
// defect, besides those that the faults of the reference show: each must be found, and fail the right clauses.

import type { Meter } from '../../../../fixtures/reference/limiter.ts';
import { counterMeter, logMeter } from '../../../../fixtures/reference/meters.ts';
import { apart, atOnce, queueing, type Shape, twoCounters } from './limiters.ts';
import {
  atAnOddPhase,
  byTheClock,
  countingRefusals,
  extendedByRefusals,
  fromTheFirstCall,
  inSegments,
  type MakesMeter,
  type Model,
  refilling,
  sliding,
  sound,
  weighing,
} from './model.ts';

/** A trace does not show the exact number of a sliding counter, which may round in any way. */
const rounding: Model = { ...sound, isCounted: false };

/** A key that others use, too; if a window ends after their calls, they make no difference. */
const usedByStranger: Model = { verdict: 'undecided', byChance: true, given: true };

/** Remaining when the response is sent, when other calls may have been counted. */
const filledInLate = (meter: MakesMeter): Model => ({
  ...sound,
  shape: (setup): Partial<Shape> => {
    const own = meter(setup);
    return {
      meter: own,
      answers: (_answer, _route, now) => ({
        holdMs: setup.random() * 30 + (now % 7),
        remainingLate: (later) => String(Math.max(0, Math.floor(setup.limit - own.used(later)))),
      }),
    };
  },
});

export const soundModels: Readonly<Record<string, Model>> = {
  'fixed, clock-aligned': { ...sound },
  'fixed, from the first call': { ...sound, meter: fromTheFirstCall },
  'fixed, odd phase': { ...sound, meter: atAnOddPhase },
  'sliding log': { ...sound, meter: sliding },
  'sliding counter, rounded down': {
    ...rounding,
    meter: (setup) => counterMeter(setup),
  },
  'sliding counter, exact': { ...rounding, meter: weighing },
  'sliding counter, odd phase': {
    ...rounding,
    meter: (setup) => counterMeter(setup, false, setup.phase),
    orUndecided: true,
  },
  'sliding counter counting refusals': {
    ...rounding,
    meter: (setup) => counterMeter(setup, false, 0, true),
    orUndecided: true,
  },
  'window in 2 segments': { ...sound, meter: inSegments(2) },
  'window in 6 segments': { ...sound, meter: inSegments(6) },
  // A segment is freed when all of it is older than a window.
  'window in 6 whole segments': { ...sound, meter: inSegments(7, 7 / 6) },
  'window in 60 segments': { ...sound, meter: inSegments(60) },
  'sliding log counting refusals': {
    ...sound,
    meter: countingRefusals,
  },
  'refusals extend the block': { ...sound, meter: extendedByRefusals },
  'wrong Reset': {
    ...sound,
    shape: () => ({ reset: (at) => String(Math.ceil(at / 1000) + 3600) }),
  },
  'Remaining filled in late': filledInLate(byTheClock),
  'Remaining of a log filled in late': filledInLate(sliding),
  'Remaining before the call is counted': {
    ...sound,
    shape: () => ({ remaining: (left, isAdmitted) => left + (isAdmitted ? 1 : 0) }),
  },
  'calls wait for their turn, without end': { verdict: 'undecided', around: queueing(Infinity) },
  'calls wait for their turn, ten of them': { verdict: 'holds', orUndecided: true, around: queueing(10) },
  '3 at once': { ...sound, meter: fromTheFirstCall, around: atOnce(3), orUndecided: true },
  '6 at once': { ...sound, meter: fromTheFirstCall, around: atOnce(6) },
  '40 at once': { ...sound, meter: fromTheFirstCall, around: atOnce(40) },
  '6 at once, in a sliding log': { ...sound, meter: sliding, around: atOnce(6) },
  'two calls of a stranger in between': { ...usedByStranger, foreignAt: [0.02, 0.05] },
  'three calls of a stranger, in a log': { ...usedByStranger, meter: sliding, foreignAt: [0.01, 0.03, 0.06] },
  'a stranger once a minute': { ...usedByStranger, foreignAt: [-0.05, 0.95, 1.95, 2.95, 3.95] },
  'a stranger uses the key': { ...usedByStranger, foreignAt: Array.from({ length: 75 }, (_, at) => at / 15) },
};

/** One call fewer than documented, and one more. */
const offByOne = (name: string, model: Partial<Model>): [string, Model][] =>
  ([['one less', -1, 'fewer'] as const, ['one more', 1, 'more'] as const] as const).map(([by, change, verdict]) => [
    `${by}, ${name}`,
    { ...{ verdict, change, isCounted: true, recovery: 'holds', exceeded: 'holds' }, ...model },
  ]);

const routes = ['GET /other', 'GET /same?limit=2', 'POST /other', 'query mode'] as const;
const separate = (groupOf: (route?: string) => string | null): Model => ({
  verdict: 'more',
  routes,
  around: apart(groupOf),
});

const telling = (remaining: (left: number, isAdmitted: boolean, limit: number) => number): Model => ({
  verdict: 'holds',
  remaining: 'fails',
  shape: ({ limit }) => ({ remaining: (left, isAdmitted) => remaining(left, isAdmitted, limit) }),
});

/** Admits only a few calls in a part of the window, whatever the minute has left, and without Retry-After. */
const smoothing = (calls: number, share: number): Model => ({
  verdict: 'fewer',
  shape: (setup) => {
    const [minute, short] = [byTheClock(setup), logMeter({ windowMs: setup.windowMs * share })];
    const meter: Meter = {
      used: (now) => (short.used(now) >= calls ? setup.limit : minute.used(now)),
      add: (now, count) => {
        minute.add(now, count);
        short.add(now, count);
      },
      resetAt: minute.resetAt,
    };
    return { meter, retryAfter: false };
  },
});

const lockedOut: Model = { verdict: 'holds', orUndecided: true, recovery: 'fails' };

/** A bucket of a few calls that refills at the documented rate. */
const bucketOf = (enforced: number, retryAfter: boolean): Model => ({
  verdict: 'fewer',
  meter: refilling,
  shape: () => ({ enforced, retryAfter }),
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
  'by the clock': byTheClock,
  'from the first call': fromTheFirstCall,
  'at an odd phase': atAnOddPhase,
  sliding,
};

/** The right number in a window of so many seconds of the deployment's clock. */
const lasting = (seconds: number, names: readonly string[], model: Model): [string, Model][] =>
  names.map((name) => [
    `${seconds} seconds, ${name}`,
    {
      ...model,
      meter: (setup) => (meters[name] ?? byTheClock)({ ...setup, windowMs: (seconds / 60) * setup.windowMs }),
    },
  ]);

export const faultyModels: Readonly<Record<string, Model>> = {
  ...Object.fromEntries([
    ...offByOne('clock-aligned', {}),
    ...offByOne('from the first call', { meter: fromTheFirstCall }),
    ...offByOne('odd phase', { meter: atAnOddPhase }),
    ...offByOne('sliding log', { meter: sliding }),
    ...offByOne('extended by refusals', { meter: extendedByRefusals }),
    ...offByOne('in 4 segments', { meter: inSegments(4) }),
    ...offByOne('and 6 at once', { meter: atAnOddPhase, around: atOnce(6) }),
    ...lasting(90, ['from the first call', 'sliding'], lockedOut),
    ...[10, 45].flatMap((seconds) => lasting(seconds, Object.keys(meters), { verdict: 'more', recovery: 'holds' })),
    // The end of its window varies: the procedure may see two of them a minute apart.
    ...lasting(90, ['at an odd phase'], { verdict: 'more', byChance: true, orUndecided: true }),
  ]),
  'one less, sliding counter': { verdict: 'fewer', change: -1, recovery: 'holds', meter: weighing },
  'one more, sliding counter': { verdict: 'more', change: 1, recovery: 'holds', meter: weighing },
  'one less, counting refusals': { verdict: 'fewer', change: -1, meter: countingRefusals },
  'one less, on a given key': { verdict: 'fewer', change: -1, given: true },
  'token bucket': { verdict: 'more', meter: refilling },
  'small bucket': bucketOf(10, true),
  spacing: bucketOf(1, false),
  'ten in any ten seconds': smoothing(10, 1 / 6),
  'one a second': smoothing(1, 1 / 60),
  'two counters of the whole limit': { verdict: 'more', byChance: true, around: twoCounters },
  'two counters of half the limit': {
    verdict: 'fewer',
    byChance: true,
    around: twoCounters,
    shape: ({ limit }) => ({ enforced: limit / 2, shown: limit / 2 }),
  },
  'racy, 4 ms between check and count': { verdict: 'more', byChance: true, meter: racy },
  'no limit': { verdict: 'more', change: 1e9, exceeded: 'fails' },
  'twice the limit': { verdict: 'more', byChance: true, shape: ({ limit }) => ({ enforced: 2 * limit }) },
  'a budget for each route': separate((route) => route ?? 'plain'),
  'writes are not limited': separate((route) => (route?.startsWith('POST') ? null : 'all')),
  'a query string is a budget of its own': separate((route) => (route?.includes('?') ? route : 'all')),
  'one budget for all routes': { ...sound, routes },
  'Remaining stays at the limit less one': telling((_left, _isAdmitted, limit) => limit - 1),
  'Remaining counts up': telling((left, _isAdmitted, limit) => limit - left),
  'Remaining is one behind': telling((left) => left + 1),
  'Remaining is NaN': telling(() => NaN),
};

/** The limiters that the judge must recognise, with the right verdicts. */
export const models: Readonly<Record<string, Model>> = { ...soundModels, ...faultyModels };
