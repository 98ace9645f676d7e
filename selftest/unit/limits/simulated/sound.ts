// Limiters that do what the documents say, in all variants that these leave open: none may ever fail.

import type { Meter } from '../../../../fixtures/reference/limiter.ts';
import { anchoredMeter, counterMeter, fixedMeter, logMeter } from '../../../../fixtures/reference/meters.ts';
import { answering, atOnce, closedAtFirst, limiterOf, queueing } from './limiters.ts';
import { segmentMeter } from './meters.ts';
import { alignedMeter, counting, exact, fixed, type Model, of, type Parts, saying, shaped, sound } from './model.ts';

export const oddMeter = ({ windowMs, phase }: Parts): Meter => fixedMeter(windowMs, phase);
export const firstMeter = ({ windowMs }: Parts): Meter => anchoredMeter(windowMs);
export const slidingMeter = ({ windowMs }: Parts): Meter => logMeter(windowMs);

const aligned = ['fixed window', 'fixed window, clock-aligned'] as const;
const anchored = ['fixed window', 'fixed window from the first call'] as const;

/** A trace does not show the exact number of a sliding counter, which may round in any way. */
const rounding = (meter: (parts: Parts) => Meter, rest: Partial<Model>): Model => {
  const { enforced: _, ...model } = exact(meter, rest);
  return model;
};

const segments = (count: number): Model => exact(({ windowMs, phase }) => segmentMeter(windowMs, count, phase));

/** A segment is freed when all of it is older than a window. */
const wholeSegments = (count: number): Model =>
  exact(({ windowMs, phase }) => segmentMeter(windowMs * (1 + 1 / count), count + 1, phase));

const usedByStranger = (foreignAt: readonly number[], meter: (parts: Parts) => Meter): Model => ({
  verdict: 'undecided',
  // If a window ends after the stranger's calls, they make no difference.
  byChance: true,
  given: true,
  foreignAt,
  build: counting(0, meter),
});

/** Remaining when the response is sent, when other calls may have been counted. */
const filledInLate = (meter: (parts: Parts) => Meter): Model['build'] =>
  of((parts) => {
    const own = meter(parts);
    const limiter = limiterOf({ enforced: parts.limit, shown: parts.limit, meter: own });
    return answering(limiter, (answer, _route, now) => ({
      ...answer,
      holdMs: parts.random() * 30 + (now % 7),
      remainingLate: (later) => String(Math.max(0, Math.floor(parts.limit - own.used(later)))),
    }));
  });

export const soundModels: Readonly<Record<string, Model>> = {
  'fixed, clock-aligned': exact(alignedMeter, { algorithms: aligned }),
  'fixed, from the first call': exact(firstMeter, { algorithms: anchored }),
  'fixed, odd phase': exact(oddMeter, { algorithms: fixed }),
  'sliding log': exact(slidingMeter, { algorithms: ['sliding log'] }),
  'sliding counter, rounded down': rounding(({ windowMs }) => counterMeter(windowMs, 0, true), {
    algorithms: ['sliding counter'],
  }),
  'sliding counter, exact': rounding(({ windowMs }) => counterMeter(windowMs, 0, false), {
    algorithms: ['sliding counter'],
  }),
  'sliding counter, odd phase': rounding(({ windowMs, phase }) => counterMeter(windowMs, phase, false), {
    orUndecided: true,
  }),
  'sliding counter counting refusals': rounding(({ windowMs }) => counterMeter(windowMs, 0, false, true), {
    orUndecided: true,
  }),
  'window in 2 segments': segments(2),
  'window in 6 segments': segments(6),
  'window in 6 whole segments': wholeSegments(6),
  'window in 60 segments': segments(60),
  'sliding log counting refusals': exact(({ windowMs }) => logMeter(windowMs, true), {
    algorithms: ['sliding log counting refusals', 'renewed by each call', 'unknown'],
  }),
  'refusals extend the block': exact(({ windowMs }) => anchoredMeter(windowMs, 'by refusals')),
  'each call extends the window': exact(({ windowMs }) => anchoredMeter(windowMs, 'by calls')),
  'no headers': {
    ...{ ...sound, algorithms: aligned, remaining: 'not judged' },
    build: saying(() => ({ limit: null, remaining: null, reset: null })),
  },
  'headers of the day': {
    ...{ ...sound, algorithms: aligned, remaining: 'not judged' },
    build: (setup) => {
      let left = 10_000;
      return saying(({ status }) => {
        left -= status === 200 ? 1 : 0;
        return { limit: '10000', remaining: String(left) };
      })(setup);
    },
  },
  'wrong Reset': {
    ...{ ...sound, algorithms: aligned },
    build: shaped(() => ({ reset: (at) => String(Math.ceil(at / 1000) + 3600) })),
  },
  'Reset counts down': {
    ...{ ...sound, algorithms: aligned },
    build: shaped(() => ({ reset: (at, now) => String(Math.ceil((at - now) / 1000)) })),
  },
  'Remaining filled in late': { ...sound, build: filledInLate(alignedMeter) },
  'Remaining of a log filled in late': { ...sound, build: filledInLate(slidingMeter) },
  'Remaining before the call is counted': {
    ...sound,
    build: shaped(() => ({ remaining: (left, isAdmitted) => left + (isAdmitted ? 1 : 0) })),
  },
  'calls wait for their turn, without end': {
    verdict: 'undecided',
    build: (setup) => queueing(setup, Infinity),
  },
  'calls wait for their turn, ten of them': {
    verdict: 'holds',
    orUndecided: true,
    build: (setup) => queueing(setup, 10),
  },
  'the address is locked out at first': {
    ...sound,
    build: of((parts) => closedAtFirst(counting(0, alignedMeter)(parts), parts.windowMs / 2)),
  },
  ...Object.fromEntries(
    [3, 6, 40].map((most) => [
      `${most} at once`,
      { ...sound, orUndecided: most < 6, build: of((parts) => atOnce(counting(0, firstMeter)(parts), most)) },
    ]),
  ),
  '6 at once, in a sliding log': { ...sound, build: of((parts) => atOnce(counting(0, slidingMeter)(parts), 6)) },
  'two calls of a stranger in between': usedByStranger([0.02, 0.05], alignedMeter),
  'three calls of a stranger, in a log': usedByStranger([0.01, 0.03, 0.06], slidingMeter),
  'a stranger once a minute': usedByStranger([-0.05, 0.95, 1.95, 2.95, 3.95], alignedMeter),
  'a stranger uses the key': {
    verdict: 'undecided',
    byChance: true,
    given: true,
    foreignGap: ({ limit, windowMs }) => (4 * windowMs) / limit,
    build: counting(0, alignedMeter),
  },
};
