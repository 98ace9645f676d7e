// Every limiter the judge must know, with the verdict that is right for it.
import type { Algorithm } from '../../../../limits/judge/algorithm.ts';
import type { PerMinuteVerdict } from '../../../../limits/judge/judge.ts';
import type { RemainingVerdict } from '../../../../limits/judge/remaining.ts';
import {
  anchoredMeter,
  bucketMeter,
  counterMeter,
  fixedMeter,
  limiterOf,
  logMeter,
  racyMeter,
  type Setup,
  type SimulatedLimiter,
  sharded,
} from './limiters.ts';

export type Model = {
  build: (setup: Setup) => SimulatedLimiter;
  verdict: PerMinuteVerdict['verdict'];
  /** The defect strikes by chance: where exactly the limit was admitted, `holds` is right too. */
  byChance?: true;
  /** The names that are right; a fixed window whose edges happen to coincide may go by the plain name. */
  algorithms: readonly Algorithm[];
  enforced?: (limit: number) => number;
  remaining?: RemainingVerdict['verdict'];
  resetAgrees?: boolean;
  foreignGap?: (setup: { limit: number; windowMs: number }) => number;
};

const fixed: readonly Algorithm[] = [
  'fixed window',
  'fixed window, clock-aligned',
  'fixed window from the first call',
  'fixed window, odd phase',
];
const aligned: readonly Algorithm[] = ['fixed window', 'fixed window, clock-aligned'];
const anchored: readonly Algorithm[] = ['fixed window', 'fixed window from the first call'];

type Parts = { limit: number; windowMs: number; random: () => number; phase: number };
const of =
  (make: (parts: Parts) => SimulatedLimiter) =>
  (setup: Setup): SimulatedLimiter =>
    make({ ...setup, phase: Math.floor(setup.random() * setup.windowMs) });

const window = (change: number, meter: (parts: Parts) => ReturnType<typeof fixedMeter>): Model['build'] =>
  of((parts) => limiterOf({ enforced: parts.limit + change, shown: parts.limit, meter: meter(parts) }));

const alignedMeter = ({ windowMs }: Parts): ReturnType<typeof fixedMeter> => fixedMeter(windowMs, 0);
const oddMeter = ({ windowMs, phase }: Parts): ReturnType<typeof fixedMeter> => fixedMeter(windowMs, phase);
const firstMeter = ({ windowMs }: Parts): ReturnType<typeof fixedMeter> => anchoredMeter(windowMs);

const exact =
  (change: number) =>
  (limit: number): number =>
    limit + change;
const sound = { verdict: 'holds', enforced: exact(0), remaining: 'holds', resetAgrees: true } as const;

export const models: Readonly<Record<string, Model>> = {
  'fixed, clock-aligned': { ...sound, algorithms: aligned, build: window(0, alignedMeter) },
  'fixed, from the first call': { ...sound, algorithms: anchored, build: window(0, firstMeter) },
  'fixed, odd phase': { ...sound, algorithms: fixed, build: window(0, oddMeter) },
  'sliding log': { ...sound, algorithms: ['sliding log'], build: window(0, ({ windowMs }) => logMeter(windowMs)) },
  'sliding counter, rounded down': {
    verdict: 'holds',
    algorithms: ['sliding counter'],
    build: window(0, ({ windowMs }) => counterMeter(windowMs, 0, true)),
  },
  'sliding counter, exact': {
    verdict: 'holds',
    algorithms: ['sliding counter'],
    build: window(0, ({ windowMs }) => counterMeter(windowMs, 0, false)),
  },
  'no headers': {
    verdict: 'holds',
    enforced: exact(0),
    algorithms: aligned,
    remaining: 'not judged',
    build: of((parts) => bare(limiterOf({ enforced: parts.limit, shown: parts.limit, meter: alignedMeter(parts) }))),
  },
  'headers of the day': {
    verdict: 'holds',
    enforced: exact(0),
    algorithms: aligned,
    remaining: 'not judged',
    build: of((parts) => daily(limiterOf({ enforced: parts.limit, shown: parts.limit, meter: alignedMeter(parts) }))),
  },
  'wrong Reset': {
    ...sound,
    resetAgrees: false,
    algorithms: aligned,
    build: of((parts) =>
      limiterOf({
        enforced: parts.limit,
        shown: parts.limit,
        meter: alignedMeter(parts),
        reset: (at) => String(Math.ceil(at / 1000) + 3600),
      }),
    ),
  },
  'Reset counts down': {
    ...sound,
    algorithms: aligned,
    build: of((parts) =>
      limiterOf({
        enforced: parts.limit,
        shown: parts.limit,
        meter: alignedMeter(parts),
        reset: (at, now) => String(Math.ceil((at - now) / 1000)),
      }),
    ),
  },
  'one less, clock-aligned': {
    verdict: 'fewer',
    enforced: exact(-1),
    algorithms: aligned,
    build: window(-1, alignedMeter),
  },
  'one less, from the first call': {
    verdict: 'fewer',
    enforced: exact(-1),
    algorithms: anchored,
    build: window(-1, firstMeter),
  },
  'one less, odd phase': { verdict: 'fewer', enforced: exact(-1), algorithms: fixed, build: window(-1, oddMeter) },
  'one less, sliding log': {
    verdict: 'fewer',
    enforced: exact(-1),
    algorithms: ['sliding log'],
    build: window(-1, ({ windowMs }) => logMeter(windowMs)),
  },
  'one more, clock-aligned': {
    verdict: 'more',
    enforced: exact(1),
    algorithms: aligned,
    build: window(1, alignedMeter),
  },
  'one more, from the first call': {
    verdict: 'more',
    enforced: exact(1),
    algorithms: anchored,
    build: window(1, firstMeter),
  },
  'one more, odd phase': { verdict: 'more', enforced: exact(1), algorithms: fixed, build: window(1, oddMeter) },
  'one more, sliding log': {
    verdict: 'more',
    enforced: exact(1),
    algorithms: ['sliding log'],
    build: window(1, ({ windowMs }) => logMeter(windowMs)),
  },
  'sliding log counting refusals': {
    verdict: 'fewer',
    algorithms: ['sliding log counting refusals'],
    build: window(0, ({ windowMs }) => logMeter(windowMs, true)),
  },
  'refusals extend the block': {
    verdict: 'fewer',
    algorithms: anything(),
    build: window(0, ({ windowMs }) => anchoredMeter(windowMs, true)),
  },
  'token bucket': {
    verdict: 'more',
    algorithms: ['token bucket'],
    build: window(0, ({ windowMs, limit }) => bucketMeter(windowMs, limit)),
  },
  'small bucket': {
    verdict: 'fewer',
    algorithms: ['spacing or small bucket'],
    build: of((parts) =>
      limiterOf({ enforced: 10, shown: parts.limit, meter: bucketMeter(parts.windowMs, parts.limit) }),
    ),
  },
  spacing: {
    verdict: 'fewer',
    algorithms: ['spacing or small bucket'],
    build: of((parts) =>
      limiterOf({ enforced: 1, shown: parts.limit, meter: bucketMeter(parts.windowMs, parts.limit) }),
    ),
  },
  'two counters of the whole limit': {
    verdict: 'more',
    byChance: true,
    algorithms: anything(),
    build: of((parts) =>
      sharded(
        [0, 1].map(() => limiterOf({ enforced: parts.limit, shown: parts.limit, meter: alignedMeter(parts) })),
        parts.random,
      ),
    ),
  },
  'two counters of half the limit': {
    verdict: 'fewer',
    byChance: true,
    algorithms: anything(),
    build: of((parts) =>
      sharded(
        [0, 1].map(() => limiterOf({ enforced: parts.limit / 2, shown: parts.limit / 2, meter: alignedMeter(parts) })),
        parts.random,
      ),
    ),
  },
  'racy, 4 ms between check and count': {
    verdict: 'more',
    byChance: true,
    algorithms: anything(),
    build: window(0, ({ windowMs }) => racyMeter(windowMs, 0, 4)),
  },
  'counts by address': {
    verdict: 'fewer',
    algorithms: anything(),
    build: of((parts) =>
      limiterOf({ enforced: parts.limit, shown: parts.limit, meter: alignedMeter(parts), keys: false }),
    ),
  },
  'no limit': { verdict: 'more', algorithms: ['none met'], build: window(1e9, alignedMeter) },
  'a stranger uses the key': {
    verdict: 'undecided',
    byChance: true,
    algorithms: anything(),
    build: window(0, alignedMeter),
    foreignGap: ({ limit, windowMs }) => (4 * windowMs) / limit,
  },
};

/** Where the name of the algorithm is not the point. */
function anything(): readonly Algorithm[] {
  return [];
}

function bare(limiter: SimulatedLimiter): SimulatedLimiter {
  return { decide: (now, key) => ({ ...limiter.decide(now, key), limit: null, remaining: null, reset: null }) };
}

function daily(limiter: SimulatedLimiter): SimulatedLimiter {
  let left = 10_000;
  return {
    decide(now, key) {
      const answer = limiter.decide(now, key);
      if (answer.status === 200) {
        left -= 1;
      }
      return { ...answer, limit: '10000', remaining: String(left) };
    },
  };
}
