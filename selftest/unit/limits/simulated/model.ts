import type { Meter } from '../../../../fixtures/reference/limiter.ts';
import {
  anchoredMeter,
  bucketMeter,
  counterMeter,
  fixedMeter,
  logMeter,
} from '../../../../fixtures/reference/meters.ts';
import type { PerMinuteVerdict } from '../../../../limits/judge/minute.ts';
import { type Around, limiterOf, type Setup, type Shape, type SimulatedLimiter } from './limiters.ts';

export type MakesMeter = (setup: Setup) => Meter;

/** A limiter with known behaviour, calls besides those of the procedure, and the right verdicts. */
export interface Model {
  /** How calls are counted; in whole minutes if not given. */
  readonly meter?: MakesMeter;
  /** How many more calls are admitted than documented. */
  readonly change?: number;
  /** What else the limiter does in its own way. */
  readonly shape?: (setup: Setup) => Partial<Shape>;
  readonly around?: Around;
  readonly verdict: PerMinuteVerdict['verdict'];
  /** An inconclusive verdict is right too. */
  readonly orUndecided?: true;
  /** The defect occurs by chance: if exactly the limit was admitted, `holds` is right too. */
  readonly byChance?: true;
  /** Whether the judge must find how many calls are admitted. */
  readonly isCounted?: boolean;
  readonly remaining?: 'holds' | 'fails' | 'not judged';
  readonly recovery?: 'holds' | 'fails';
  readonly exceeded?: 'holds' | 'fails';
  /** A given key, which others may use too. */
  readonly given?: true;
  /** Times of calls by others, as shares of the window from the start of the procedure. */
  readonly foreignAt?: readonly number[];
  readonly routes?: readonly string[];
}

export function limiterFor({ meter = byTheClock, change = 0, shape, around }: Model, setup: Setup): SimulatedLimiter {
  const { limit } = setup;
  const make = (): SimulatedLimiter =>
    limiterOf({ enforced: limit + change, shown: limit, meter: meter(setup), ...shape?.(setup) });
  return around?.(make, setup) ?? make();
}

export const byTheClock: MakesMeter = (setup) => fixedMeter(setup);
export const atAnOddPhase: MakesMeter = (setup) => fixedMeter(setup, setup.phase);
export const fromTheFirstCall: MakesMeter = (setup) => anchoredMeter(setup);
export const extendedByRefusals: MakesMeter = (setup) => anchoredMeter(setup, 'by refusals');
export const sliding: MakesMeter = (setup) => logMeter(setup);
export const countingRefusals: MakesMeter = (setup) => logMeter(setup, true);
export const weighing: MakesMeter = (setup) => counterMeter(setup, false);
export const refilling: MakesMeter = bucketMeter;

/** A window that moves in segments: calls are freed together with their segment. */
export const inSegments =
  (segments: number, share = 1): MakesMeter =>
  ({ windowMs, phase }) => {
    const length = (share * windowMs) / segments;
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
export const sound = {
  verdict: 'holds',
  isCounted: true,
  remaining: 'holds',
  recovery: 'holds',
  exceeded: 'holds',
} as const;
