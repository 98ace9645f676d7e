import type { Meter } from '../../../../fixtures/reference/limiter.ts';
import { fixedMeter } from '../../../../fixtures/reference/meters.ts';
import type { Algorithm } from '../../../../limits/judge/algorithm.ts';
import type { PerMinuteVerdict } from '../../../../limits/judge/minute.ts';
import { type Answer, answering, limiterOf, type Setup, type Shape, type SimulatedLimiter } from './limiters.ts';

/** A limiter with known behaviour, calls besides those of the procedure, and the right verdicts. */
export interface Model {
  readonly build: (setup: Setup) => SimulatedLimiter;
  readonly verdict: PerMinuteVerdict['verdict'];
  /** An inconclusive verdict is right too. */
  readonly orUndecided?: true;
  /** The defect occurs by chance: if exactly the limit was admitted, `holds` is right too. */
  readonly byChance?: true;
  /** The right names of the algorithm; all if none are listed. */
  readonly algorithms?: readonly Algorithm[];
  /** The enforced limit, if the judge must find it. */
  readonly enforced?: (limit: number) => number;
  readonly remaining?: 'holds' | 'fails' | 'not judged';
  readonly recovery?: 'holds' | 'fails';
  readonly exceeded?: 'holds' | 'fails';
  /** A given key, which others may use too. */
  readonly given?: true;
  readonly foreignGap?: (setup: Setup) => number;
  /** Times of calls by others, as shares of the window from the start of the procedure. */
  readonly foreignAt?: readonly number[];
  readonly routes?: readonly string[];
}

export interface Parts extends Setup {
  /** The phase of windows that do not follow the clock or the calls. */
  readonly phase: number;
}

type MakesMeter = (parts: Parts) => Meter;

export const of =
  (make: (parts: Parts) => SimulatedLimiter) =>
  (setup: Setup): SimulatedLimiter =>
    make({ ...setup, phase: Math.floor(setup.random() * setup.windowMs) });

/** A limiter that enforces the limit plus `change`, and shows the documented one. */
export const counting = (change: number, meter: MakesMeter): Model['build'] =>
  of((parts) => limiterOf({ enforced: parts.limit + change, shown: parts.limit, meter: meter(parts) }));

export const alignedMeter: MakesMeter = ({ windowMs }) => fixedMeter(windowMs, 0);

/** The limiter of whole minutes, with these fields changed. */
export const alignedLimiter = (parts: Parts, fields: Partial<Shape> = {}): SimulatedLimiter =>
  limiterOf({ enforced: parts.limit, shown: parts.limit, meter: alignedMeter(parts), ...fields });
export const shaped = (fields: (parts: Parts) => Partial<Shape>): Model['build'] =>
  of((parts) => alignedLimiter(parts, fields(parts)));
/** The limiter of whole minutes with these answers instead of its own. */
export const saying = (change: (answer: Answer, route: string | undefined) => Partial<Answer>): Model['build'] =>
  of((parts) => answering(alignedLimiter(parts), (answer, route) => ({ ...answer, ...change(answer, route) })));

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

/** A correct limiter with this meter. */
export const exact = (meter: MakesMeter, rest: Partial<Model> = {}): Model => ({
  ...{ ...sound, build: counting(0, meter) },
  ...rest,
});
