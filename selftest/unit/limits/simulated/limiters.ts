// Limiters as they occur in practice, each a function of the server's clock.
import type { Meter } from '../../../../fixtures/reference/limiter.ts';
import type { Sample } from '../../../../limits/judge/trace.ts';

interface Answer extends Pick<Sample, 'status' | 'limit' | 'remaining' | 'reset' | 'retryAfter'> {
  /** How long the response is delayed, in ms. */
  readonly holdMs?: number;
  /** Remaining when the response is sent, if it is determined only then. */
  readonly remainingLate?: (now: number) => string;
}

/** Decides on a call. `route` is undefined for the plain call. */
export type SimulatedLimiter = (now: number, key: string, route?: string) => Answer;

export interface Setup {
  readonly limit: number;
  readonly windowMs: number;
  readonly random: () => number;
  /** The phase of windows that do not follow the clock or the calls. */
  readonly phase: number;
}

const bare = (status: number): Answer => ({ status, limit: null, remaining: null, reset: null, retryAfter: null });

export interface Shape {
  readonly enforced: number;
  readonly shown: number;
  readonly meter: Meter;
  readonly reset?: (at: number, now: number) => string;
  readonly remaining?: (left: number, isAdmitted: boolean) => number;
  readonly retryAfter?: boolean;
  /** What is answered instead. */
  readonly answers?: (answer: Answer, route: string | undefined, now: number) => Partial<Answer>;
}

const seconds = (at: number): string => String(Math.ceil(at / 1000));

/** A limiter with one counter. */
export function limiterOf(shape: Shape): SimulatedLimiter {
  const { enforced, shown, meter, reset = seconds, remaining = (left) => left } = shape;
  const left = (now: number): number => Math.max(0, Math.floor(shown - meter.used(now)));
  return (now, key, route) => {
    if (key !== 'key') {
      return bare(401);
    }
    const isAdmitted = meter.used(now) + 1 <= enforced + 1e-9;
    meter.add(now, isAdmitted ? 1 : 0);
    const at = meter.resetAt(now);
    const waits = isAdmitted || shape.retryAfter === false;
    const answer = {
      status: isAdmitted ? 200 : 429,
      limit: String(shown),
      remaining: String(remaining(left(now), isAdmitted)),
      reset: reset(at, now),
      retryAfter: waits ? null : String(Math.max(0, Math.ceil((at - now) / 1000))),
    };
    return { ...answer, ...shape.answers?.(answer, route, now) };
  };
}

/** What is around limiters. */
export type Around = (make: () => SimulatedLimiter, setup: Setup) => SimulatedLimiter;

/** Two independent counters, of which each call uses a random one. */
export const twoCounters: Around = (make, { random }) => {
  const [one, other] = [make(), make()];
  return (now, key, route) => (random() < 0.5 ? one : other)(now, key, route);
};

/** A budget for each group of calls; calls without a group are not limited. */
export const apart =
  (groupOf: (route?: string) => string | null): Around =>
  (make) => {
    const groups = new Map<string, SimulatedLimiter>();
    return (now, key, route) => {
      const group = groupOf(route);
      if (group === null && key === 'key') {
        return bare(200);
      }
      const limiter = groups.get(group ?? '') ?? make();
      groups.set(group ?? '', limiter);
      return limiter(now, key, route);
    };
  };

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
        return { status: 429, limit: String(limit), remaining: '0', reset: seconds(free), retryAfter: null };
      }
      slots.push(at);
      return { status: 200, limit: String(limit), remaining: null, reset: null, retryAfter: null, holdMs: at - now };
    };
  };

/** Refuses calls while `most` others are under way; each takes 40 ms. What is refused so does not count. */
export const atOnce =
  (most: number): Around =>
  (make) => {
    const limiter = make();
    const holdMs = 40;
    let ends: readonly number[] = [];
    return (now, key, route) => {
      ends = ends.filter((end) => end > now);
      if (key === 'key' && ends.length >= most) {
        return bare(429);
      }
      const answer = limiter(now, key, route);
      if (answer.status !== 200) {
        return answer;
      }
      ends = [...ends, now + holdMs];
      return { ...answer, holdMs };
    };
  };
