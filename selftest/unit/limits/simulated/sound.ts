// Limiters that do what the documents say, in all variants that these leave open: none may ever fail.

import { counterMeter } from '../../../../fixtures/reference/meters.ts';
import { atOnce, closedAtFirst, queueing, type Shape } from './limiters.ts';
import {
  atAnOddPhase,
  byTheClock,
  countingRefusals,
  extendedByRefusals,
  fromTheFirstCall,
  inSegments,
  type MakesMeter,
  type Model,
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
    meter: ({ windowMs }) => counterMeter(windowMs, 0, true),
  },
  'sliding counter, exact': { ...rounding, meter: weighing },
  'sliding counter, odd phase': {
    ...rounding,
    meter: ({ windowMs, phase }) => counterMeter(windowMs, phase, false),
    orUndecided: true,
  },
  'sliding counter counting refusals': {
    ...rounding,
    meter: ({ windowMs }) => counterMeter(windowMs, 0, false, true),
    orUndecided: true,
  },
  'window in 2 segments': { ...sound, meter: inSegments(2) },
  'window in 6 segments': { ...sound, meter: inSegments(6) },
  // A segment is freed when all of it is older than a window.
  'window in 6 whole segments': { ...sound, meter: inSegments(7, 7 / 6) },
  'window in 60 segments': { ...sound, meter: inSegments(60) },
  'sliding log counting refusals': {
    ...{ ...sound, meter: countingRefusals },
  },
  'refusals extend the block': { ...sound, meter: extendedByRefusals },
  'no headers': {
    ...{ ...sound, remaining: 'not judged' },
    shape: () => ({ answers: () => ({ limit: null, remaining: null, reset: null }) }),
  },
  'headers of the day': {
    ...{ ...sound, remaining: 'not judged' },
    shape: () => {
      let left = 10_000;
      return {
        answers: ({ status }) => {
          left -= status === 200 ? 1 : 0;
          return { limit: '10000', remaining: String(left) };
        },
      };
    },
  },
  'wrong Reset': {
    ...sound,
    shape: () => ({ reset: (at) => String(Math.ceil(at / 1000) + 3600) }),
  },
  'Reset counts down': {
    ...sound,
    shape: () => ({ reset: (at, now) => String(Math.ceil((at - now) / 1000)) }),
  },
  'Remaining filled in late': filledInLate(byTheClock),
  'Remaining of a log filled in late': filledInLate(sliding),
  'Remaining before the call is counted': {
    ...sound,
    shape: () => ({ remaining: (left, isAdmitted) => left + (isAdmitted ? 1 : 0) }),
  },
  'calls wait for their turn, without end': { verdict: 'undecided', around: queueing(Infinity) },
  'calls wait for their turn, ten of them': { verdict: 'holds', orUndecided: true, around: queueing(10) },
  'the address is locked out at first': { ...sound, around: closedAtFirst },
  '3 at once': { ...sound, meter: fromTheFirstCall, around: atOnce(3), orUndecided: true },
  '6 at once': { ...sound, meter: fromTheFirstCall, around: atOnce(6) },
  '40 at once': { ...sound, meter: fromTheFirstCall, around: atOnce(40) },
  '6 at once, in a sliding log': { ...sound, meter: sliding, around: atOnce(6) },
  'two calls of a stranger in between': { ...usedByStranger, foreignAt: [0.02, 0.05] },
  'three calls of a stranger, in a log': { ...usedByStranger, meter: sliding, foreignAt: [0.01, 0.03, 0.06] },
  'a stranger once a minute': { ...usedByStranger, foreignAt: [-0.05, 0.95, 1.95, 2.95, 3.95] },
  'a stranger uses the key': { ...usedByStranger, foreignGap: ({ limit, windowMs }) => (4 * windowMs) / limit },
};
