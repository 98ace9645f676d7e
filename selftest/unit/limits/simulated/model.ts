import type { Algorithm } from '../../../../limits/judge/algorithm.ts';
import type { PerMinuteVerdict } from '../../../../limits/judge/minute-case.ts';
import { limiterOf, type Setup, type SimulatedLimiter } from './limiters.ts';
import type { Meter } from './meters.ts';

/** A limiter whose truth is known, what is done to it beside the drive, and the verdicts that are right for it. */
export interface Model {
  readonly build: (setup: Setup) => SimulatedLimiter;
  readonly verdict: PerMinuteVerdict['verdict'];
  /** Being inconclusive is right, too. */
  readonly orUndecided?: true;
  /** The defect strikes by chance: where exactly the limit was admitted, `holds` is right too. */
  readonly byChance?: true;
  /** The names that are right; all where none are listed. */
  readonly algorithms?: readonly Algorithm[];
  /** The number that is enforced, where the judge must tell it. */
  readonly enforced?: (limit: number) => number;
  readonly remaining?: 'holds' | 'fails' | 'not judged';
  readonly recovery?: 'holds' | 'fails';
  readonly exceeded?: 'holds' | 'fails';
  readonly resetAgrees?: boolean;
  /** A given key: others may use it. */
  readonly given?: true;
  readonly foreignGap?: (setup: Setup) => number;
  /** Moments of others' calls, as shares of the window from the drive's start on. */
  readonly foreignAt?: readonly number[];
  /** Moments of the run's own calls before the drive, as shares of the window before it. */
  readonly before?: readonly number[];
  readonly routes?: readonly string[];
}

export interface Parts extends Setup {
  /** A phase for windows that are tied to nothing. */
  readonly phase: number;
}

export const of =
  (make: (parts: Parts) => SimulatedLimiter) =>
  (setup: Setup): SimulatedLimiter =>
    make({ ...setup, phase: Math.floor(setup.random() * setup.windowMs) });

/** A limiter that enforces the limit changed by so much, and shows the documented one. */
export const counting = (change: number, meter: (parts: Parts) => Meter): Model['build'] =>
  of((parts) => limiterOf({ enforced: parts.limit + change, shown: parts.limit, meter: meter(parts) }));

export const fixed: readonly Algorithm[] = [
  'fixed window',
  'fixed window, clock-aligned',
  'fixed window from the first call',
  'fixed window, odd phase',
];

export const sound = {
  verdict: 'holds',
  enforced: (limit: number) => limit,
  remaining: 'holds',
  recovery: 'holds',
  exceeded: 'holds',
} as const;
