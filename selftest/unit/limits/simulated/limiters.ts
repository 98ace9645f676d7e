import type { Meter } from '../../../../fixtures/reference/limiter.ts';
import { fixedMeter } from '../../../../fixtures/reference/meters.ts';
import type { PerMinuteVerdict } from '../../../../limits/judge/minute.ts';
import type { Sample } from '../../../../limits/judge/trace.ts';

interface Answer extends Pick<Sample, 'status' | 'limit' | 'remaining' | 'reset' | 'retryAfter'> {
  /** How long the response is delayed, in ms. */
  readonly holdMs?: number;
  /** Remaining when the response is sent, if it is determined only then. */
  readonly remainingLate?: (now: number) => string;
}

/** Decides on a call, at a time of the server's clock. */
export type SimulatedLimiter = (now: number, key: string) => Answer;

interface Setup {
  readonly limit: number;
  readonly windowMs: number;
  readonly random: () => number;
  /** The phase of windows that do not follow the clock or the calls. */
  readonly phase: number;
}

export type MakesMeter = (setup: Setup) => Meter;

/** What a limiter does in its own way, besides counting. */
interface Ways {
  /** How many calls are admitted, if not as many as documented. */
  readonly enforced?: number;
  readonly reset?: (at: number) => string;
  readonly remaining?: (left: number, isAdmitted: boolean, limit: number) => number;
  readonly retryAfter?: false;
  /** Remaining is written when the response is sent, when other calls may have been counted. */
  readonly isLate?: true;
}

/** A limiter with known behaviour, calls besides those of the procedure, and the right verdicts. */
export interface Model {
  /** How calls are counted; in whole minutes if not given. */
  readonly meter?: MakesMeter;
  /** How many more calls are admitted than documented. */
  readonly change?: number;
  readonly ways?: Ways;
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

const bare = (status: number): Answer => ({ status, limit: null, remaining: null, reset: null, retryAfter: null });
const seconds = (at: number): string => String(Math.ceil(at / 1000));

/** A limiter with one counter. */
function withCounter({ meter: makes = fixedMeter, change = 0, ways = {} }: Model, setup: Setup): SimulatedLimiter {
  const { limit, random } = setup;
  const { enforced = limit + change, reset = seconds, remaining = (left) => left, retryAfter, isLate } = ways;
  const meter = makes(setup);
  const left = (now: number): number => Math.max(0, Math.floor(limit - meter.used(now)));
  return (now, key) => {
    if (key !== 'key') {
      return bare(401);
    }
    const isAdmitted = meter.used(now) + 1 <= enforced + 1e-9;
    meter.add(now, isAdmitted ? 1 : 0);
    const at = meter.resetAt(now);
    const waits = isAdmitted || retryAfter === false;
    return {
      status: isAdmitted ? 200 : 429,
      limit: String(limit),
      remaining: String(remaining(left(now), isAdmitted, limit)),
      reset: reset(at),
      retryAfter: waits ? null : String(Math.max(0, Math.ceil((at - now) / 1000))),
      ...(isLate && { holdMs: random() * 30 + (now % 7), remainingLate: (later) => String(left(later)) }),
    };
  };
}

export const limiterFor = (model: Model, setup: Setup): SimulatedLimiter => {
  const limiter = withCounter(model, setup);
  return model.around?.(limiter, setup) ?? limiter;
};

/** What is around limiters. */
type Around = (limiter: SimulatedLimiter, setup: Setup) => SimulatedLimiter;

/** Delays calls until the limit allows them, at most `places` at a time, and refuses more. */
export const queueing =
  (places: number): Around =>
  (_, { limit, windowMs }) => {
    const slots: number[] = [];
    return (now, key) => {
      if (key !== 'key') {
        return bare(401);
      }
      const free = (slots.at(-limit) ?? -Infinity) + windowMs;
      const at = Math.max(now, free);
      const waiting = slots.filter((slot) => slot > now).length;
      if (at > now && waiting >= places) {
        return { ...bare(429), limit: String(limit), remaining: '0', reset: seconds(free) };
      }
      slots.push(at);
      return { ...bare(200), limit: String(limit), holdMs: at - now };
    };
  };

/** Refuses calls while six others are under way; each takes 40 ms. What is refused so does not count. */
export const sixAtOnce: Around = (limiter) => {
  const holdMs = 40;
  let ends: readonly number[] = [];
  return (now, key) => {
    ends = ends.filter((end) => end > now);
    if (key === 'key' && ends.length >= 6) {
      return bare(429);
    }
    const answer = limiter(now, key);
    if (answer.status !== 200) {
      return answer;
    }
    ends = [...ends, now + holdMs];
    return { ...answer, holdMs };
  };
};
