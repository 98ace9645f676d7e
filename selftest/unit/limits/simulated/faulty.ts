// Limiters with a defect: each must be found, and fail the right clauses.

import type { Meter } from '../../../../fixtures/reference/limiter.ts';
import { anchoredMeter, counterMeter, logMeter } from '../../../../fixtures/reference/meters.ts';
import { apart, atOnce, lockingOut, twoCounters } from './limiters.ts';
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
import { soundModels } from './sound.ts';

/** One call fewer than documented, and one more. */
const offByOne = (name: string, model: Partial<Model>): [string, Model][] =>
  ([['one less', -1, 'fewer'] as const, ['one more', 1, 'more'] as const] as const).map(([by, change, verdict]) => [
    `${by}, ${name}`,
    { ...{ verdict, change, isCounted: true, recovery: 'holds', exceeded: 'holds' }, ...model },
  ]);

const routes = ['GET /other', 'GET /same?limit=2', 'POST /other', 'query mode'] as const;
const separate = (groupOf: (route?: string) => string | null): Model => ({
  ...{ verdict: 'more', routes, around: apart(groupOf) },
});

const telling = (remaining: (left: number, isAdmitted: boolean, limit: number) => number): Model => ({
  ...{ verdict: 'holds', remaining: 'fails' },
  shape: ({ limit }) => ({ remaining: (left, isAdmitted) => remaining(left, isAdmitted, limit) }),
});

/** Admits only a few calls in a part of the window, whatever the minute has left, and without Retry-After. */
const smoothing = (calls: number, share: number): Model => ({
  verdict: 'fewer',
  shape: (setup) => {
    const [minute, short] = [byTheClock(setup), logMeter(setup.windowMs * share)];
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
  ...{ verdict: 'fewer', meter: refilling },
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
    ...lasting(120, ['from the first call', 'by the clock'], lockedOut),
    ...[10, 45].flatMap((seconds) => lasting(seconds, Object.keys(meters), { verdict: 'more', recovery: 'holds' })),
    // The end of its window varies: the procedure may see two of them a minute apart.
    ...lasting(90, ['at an odd phase'], { verdict: 'more', byChance: true, orUndecided: true }),
  ]),
  'one less, sliding counter': { verdict: 'fewer', change: -1, recovery: 'holds', meter: weighing },
  'one more, sliding counter': { verdict: 'more', change: 1, recovery: 'holds', meter: weighing },
  'sliding counter of ten seconds': {
    verdict: 'more',
    meter: ({ windowMs }) => counterMeter(windowMs / 6, 0, false),
  },
  'one less, counting refusals': { verdict: 'fewer', change: -1, meter: countingRefusals },
  'one more, counting refusals': {
    ...{ verdict: 'more', change: 1, isCounted: true, recovery: 'holds', exceeded: 'holds' },
    ...{ meter: countingRefusals, byChance: true },
  },
  'one less, on a given key': { verdict: 'fewer', change: -1, given: true },
  'one less, skipped at the end, on a given key': {
    ...{ verdict: 'fewer', given: true },
    shape: ({ limit }) => ({
      ...{ enforced: limit - 1, shown: limit - 1 },
      remaining: (left) => (left === 0 ? 0 : left + 1),
    }),
  },
  'each call extends the window': {
    ...{ ...sound, verdict: 'fewer', isCounted: false },
    meter: ({ windowMs }) => anchoredMeter(windowMs, 'by calls'),
  },
  'token bucket': { verdict: 'more', meter: refilling },
  'small bucket': bucketOf(10, true),
  spacing: bucketOf(1, false),
  'ten in any ten seconds': smoothing(10, 1 / 6),
  'one a second': smoothing(1, 1 / 60),
  'two counters of the whole limit': { verdict: 'more', byChance: true, around: twoCounters },
  'two counters of half the limit': {
    ...{ verdict: 'fewer', byChance: true, around: twoCounters },
    shape: ({ limit }) => ({ enforced: limit / 2, shown: limit / 2 }),
  },
  'racy, 4 ms between check and count': { verdict: 'more', byChance: true, meter: racy },
  'counts by address': { verdict: 'fewer', shape: () => ({ keys: false }) },
  'no limit': { verdict: 'more', change: 1e9, exceeded: 'fails' },
  'twice the limit': { verdict: 'more', byChance: true, shape: ({ limit }) => ({ enforced: 2 * limit }) },
  'a budget for each route': separate((route) => route ?? 'plain'),
  'writes are not limited': separate((route) => (route?.startsWith('POST') ? null : 'all')),
  'a query string is a budget of its own': separate((route) => (route?.includes('?') ? route : 'all')),
  'query mode is a budget of its own': separate((route) => (route === 'query mode' ? 'query' : 'all')),
  'one budget for all routes': { ...sound, routes },
  '503 over the limit on writes': {
    ...{ ...sound, routes, exceeded: 'fails' },
    shape: () => ({
      answers: ({ status }, route) => (status === 429 && route?.startsWith('POST') ? { status: 503 } : {}),
    }),
  },
  '403 over the limit': {
    ...{ ...sound, exceeded: 'fails' },
    shape: () => ({ answers: ({ status }) => (status === 429 ? { status: 403 } : {}) }),
  },
  'locked out for five minutes': { ...lockedOut, around: lockingOut(5) },
  'locked out for two minutes': { ...lockedOut, meter: sliding, around: lockingOut(2) },
  'Remaining stays at the limit': telling((_left, _isAdmitted, limit) => limit),
  'Remaining stays at the limit less one': telling((_left, _isAdmitted, limit) => limit - 1),
  'Remaining counts up': telling((left, _isAdmitted, limit) => limit - left),
  'Remaining is one behind': telling((left) => left + 1),
  'Remaining is full on a refusal': telling((left, isAdmitted, limit) => (isAdmitted ? left : limit)),
  'Remaining is NaN': telling(() => NaN),
};

/** The limiters that the judge must recognise, with the right verdicts. */
export const models: Readonly<Record<string, Model>> = { ...soundModels, ...faultyModels };
