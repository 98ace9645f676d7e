// Limiters with a defect: each must be found, and fail the right clauses.

import type { Meter } from '../../../../fixtures/reference/limiter.ts';
import { anchoredMeter, bucketMeter, counterMeter, logMeter } from '../../../../fixtures/reference/meters.ts';
import { apart, atOnce, limiterOf, lockingOut, sharded } from './limiters.ts';
import { racyMeter, segmentMeter } from './meters.ts';
import {
  alignedLimiter,
  alignedMeter,
  counting,
  exact,
  fixed,
  type Model,
  of,
  type Parts,
  saying,
  shaped,
  sound,
} from './model.ts';
import { firstMeter, oddMeter, slidingMeter, soundModels } from './sound.ts';

const off = (verdict: 'fewer' | 'more', change: number, meter: (parts: Parts) => Meter): Model => ({
  verdict,
  enforced: (limit) => limit + change,
  recovery: 'holds',
  exceeded: 'holds',
  build: counting(change, meter),
});

const offByOne = (name: string, meter: (parts: Parts) => Meter, algorithms: Model['algorithms']): [string, Model][] => [
  [`one less, ${name}`, { ...off('fewer', -1, meter), ...(algorithms && { algorithms }) }],
  [`one more, ${name}`, { ...off('more', 1, meter), ...(algorithms && { algorithms }) }],
];

const shards = (count: number, share: number): Model['build'] =>
  of((parts) => {
    const limit = parts.limit * share;
    return sharded(
      Array.from({ length: count }, () => alignedLimiter(parts, { enforced: limit, shown: limit })),
      parts.random,
    );
  });

const routes = ['GET /other', 'GET /same?limit=2', 'POST /other', 'query mode'] as const;
const separate = (groupOf: (route?: string) => string | null): Model => ({
  verdict: 'more',
  routes,
  build: of((parts) => apart(() => alignedLimiter(parts), groupOf)),
});

const telling = (
  verdict: 'fails' | undefined,
  remaining: (left: number, isAdmitted: boolean, limit: number) => number,
): Model => ({
  verdict: 'holds',
  ...(verdict && { remaining: verdict }),
  build: shaped(({ limit }) => ({ remaining: (left, isAdmitted) => remaining(left, isAdmitted, limit) })),
});

/** Admits only a few calls in a part of the window, whatever the minute has left, and without Retry-After. */
const smoothing = (calls: number, share: number): Model => ({
  verdict: 'fewer',
  build: of((parts) => {
    const minute = alignedMeter(parts);
    const short = logMeter(parts.windowMs * share);
    const both: Meter = {
      used: (now) => (short.used(now) >= calls ? parts.limit : minute.used(now)),
      add: (now, calls) => {
        minute.add(now, calls);
        short.add(now, calls);
      },
      resetAt: minute.resetAt,
    };
    return limiterOf({ enforced: parts.limit, shown: parts.limit, meter: both, retryAfter: false });
  }),
});

const lockedOut = (minutes: number, meter: (parts: Parts) => Meter): Model => ({
  ...{ verdict: 'holds', orUndecided: true, recovery: 'fails' },
  build: of((parts) => lockingOut(counting(0, meter)(parts), minutes * parts.windowMs)),
});

const weighing = ({ windowMs }: Parts): Meter => counterMeter(windowMs, 0, false);

/** A bucket of a few calls that refills at the documented rate. */
const refilling = (enforced: number, retryAfter: boolean): Model => ({
  ...{ verdict: 'fewer', algorithms: ['spacing or small bucket'] },
  build: shaped(({ windowMs, limit }) => ({ enforced, retryAfter, meter: bucketMeter(windowMs, limit) })),
});

const meters: Readonly<Record<string, (parts: Parts) => Meter>> = {
  'by the clock': alignedMeter,
  'from the first call': firstMeter,
  'at an odd phase': oddMeter,
  sliding: slidingMeter,
};

/** The right number in a window of so many seconds of the deployment's clock. */
const lasting = (seconds: number, name: string, model: Omit<Model, 'build'>): [string, Model] => [
  `${seconds} seconds, ${name}`,
  {
    ...model,
    build: counting(0, (parts) =>
      (meters[name] ?? alignedMeter)({ ...parts, windowMs: (seconds / 60) * parts.windowMs }),
    ),
  },
];

const longer = { verdict: 'holds', orUndecided: true, recovery: 'fails' } as const;
const otherLengths = Object.fromEntries([
  lasting(90, 'from the first call', longer),
  lasting(90, 'sliding', longer),
  lasting(120, 'from the first call', longer),
  lasting(120, 'by the clock', longer),
  ...[10, 45].flatMap((seconds) =>
    Object.keys(meters).map((name) => lasting(seconds, name, { verdict: 'more', recovery: 'holds' })),
  ),
  // The end of its window varies: the procedure may see two of them a minute apart.
  lasting(90, 'at an odd phase', { verdict: 'more', byChance: true, orUndecided: true }),
]);

export const faultyModels: Readonly<Record<string, Model>> = {
  ...Object.fromEntries([
    ...offByOne('clock-aligned', alignedMeter, ['fixed window', 'fixed window, clock-aligned']),
    ...offByOne('from the first call', firstMeter, ['fixed window', 'fixed window from the first call']),
    ...offByOne('odd phase', oddMeter, fixed),
    ...offByOne('sliding log', slidingMeter, ['sliding log']),
  ]),
  'one less, sliding counter': { verdict: 'fewer', recovery: 'holds', build: counting(-1, weighing) },
  'one more, sliding counter': { verdict: 'more', recovery: 'holds', build: counting(1, weighing) },
  'sliding counter of ten seconds': {
    verdict: 'more',
    build: counting(0, ({ windowMs }) => counterMeter(windowMs / 6, 0, false)),
  },
  'one less, counting refusals': { verdict: 'fewer', build: counting(-1, ({ windowMs }) => logMeter(windowMs, true)) },
  'one more, counting refusals': { ...off('more', 1, ({ windowMs }) => logMeter(windowMs, true)), byChance: true },
  'one less, extended by refusals': off('fewer', -1, ({ windowMs }) => anchoredMeter(windowMs, 'by refusals')),
  'one more, extended by refusals': off('more', 1, ({ windowMs }) => anchoredMeter(windowMs, 'by refusals')),
  'one less, in 4 segments': off('fewer', -1, ({ windowMs }) => segmentMeter(windowMs, 4, 0)),
  'one more, in 4 segments': off('more', 1, ({ windowMs }) => segmentMeter(windowMs, 4, 0)),
  'one less, on a given key': { verdict: 'fewer', given: true, build: counting(-1, alignedMeter) },
  'one less, skipped at the end, on a given key': {
    verdict: 'fewer',
    given: true,
    build: shaped(({ limit }) => ({
      ...{ enforced: limit - 1, shown: limit - 1 },
      remaining: (left) => (left === 0 ? 0 : left + 1),
    })),
  },
  'one less, and 6 at once': {
    ...off('fewer', -1, oddMeter),
    build: of((parts) => atOnce(counting(-1, oddMeter)(parts), 6)),
  },
  'one more, and 6 at once': {
    ...off('more', 1, oddMeter),
    build: of((parts) => atOnce(counting(1, oddMeter)(parts), 6)),
  },
  'token bucket': {
    verdict: 'more',
    algorithms: ['token bucket'],
    build: counting(0, ({ windowMs, limit }) => bucketMeter(windowMs, limit)),
  },
  'small bucket': refilling(10, true),
  spacing: refilling(1, false),
  'ten in any ten seconds': smoothing(10, 1 / 6),
  'one a second': smoothing(1, 1 / 60),
  'two counters of the whole limit': { verdict: 'more', byChance: true, build: shards(2, 1) },
  'two counters of half the limit': { verdict: 'fewer', byChance: true, build: shards(2, 1 / 2) },
  'racy, 4 ms between check and count': {
    verdict: 'more',
    byChance: true,
    build: counting(0, ({ windowMs }) => racyMeter(windowMs, 0, 4)),
  },
  'counts by address': {
    verdict: 'fewer',
    build: shaped(() => ({ keys: false })),
  },
  'no limit': {
    verdict: 'more',
    exceeded: 'fails',
    algorithms: ['none met'],
    build: counting(1e9, alignedMeter),
  },
  'twice the limit': {
    verdict: 'more',
    byChance: true,
    build: shaped(({ limit }) => ({ enforced: 2 * limit })),
  },
  'a budget for each route': separate((route) => route ?? 'plain'),
  'writes are not limited': separate((route) => (route?.startsWith('POST') ? null : 'all')),
  'a query string is a budget of its own': separate((route) => (route?.includes('?') ? route : 'all')),
  'query mode is a budget of its own': separate((route) => (route === 'query mode' ? 'query' : 'all')),
  'one budget for all routes': exact(alignedMeter, { routes }),
  '503 over the limit on writes': {
    ...sound,
    routes,
    exceeded: 'fails',
    build: saying(({ status }, route) => (status === 429 && route?.startsWith('POST') ? { status: 503 } : {})),
  },
  '403 over the limit': {
    ...sound,
    exceeded: 'fails',
    build: saying(({ status }) => (status === 429 ? { status: 403 } : {})),
  },
  'locked out for five minutes': lockedOut(5, alignedMeter),
  'locked out for two minutes': lockedOut(2, slidingMeter),
  ...otherLengths,
  'Remaining stays at the limit': telling('fails', (_left, _isAdmitted, limit) => limit),
  'Remaining stays at the limit less one': telling('fails', (_left, _isAdmitted, limit) => limit - 1),
  'Remaining counts up': telling('fails', (left, _isAdmitted, limit) => limit - left),
  'Remaining is one behind': telling('fails', (left) => left + 1),
  'Remaining is full on a refusal': telling('fails', (left, isAdmitted, limit) => (isAdmitted ? left : limit)),
  'Remaining is NaN': telling('fails', () => NaN),
};

/** The limiters that the judge must recognise, with the right verdicts. */
export const models: Readonly<Record<string, Model>> = { ...soundModels, ...faultyModels };
