// Limiters as they occur in practice, each a function of the server's clock.
import type { Meter } from '../../../../fixtures/reference/limiter.ts';
import type { Sample } from '../../../../limits/judge/trace.ts';

export interface Answer extends Pick<Sample, 'status' | 'limit' | 'remaining' | 'reset' | 'retryAfter'> {
  /** How long the response is delayed, in ms. */
  readonly holdMs?: number;
  /** Remaining when the response is sent, if it is determined only then. */
  readonly remainingLate?: (now: number) => string;
}

export interface SimulatedLimiter {
  /** `route` is undefined for the plain call. */
  readonly decide: (now: number, key: string, route?: string) => Answer;
}

export interface Setup {
  readonly limit: number;
  readonly windowMs: number;
  readonly random: () => number;
}

const bare = (status: number): Answer => ({ status, limit: null, remaining: null, reset: null, retryAfter: null });

export interface Shape {
  readonly enforced: number;
  readonly shown: number;
  readonly meter: Meter;
  readonly keys?: boolean;
  readonly reset?: (at: number, now: number) => string;
  readonly remaining?: (left: number, isAdmitted: boolean) => number;
  readonly retryAfter?: boolean;
}

const seconds = (at: number): string => String(Math.ceil(at / 1000));

/** A limiter with one counter. With `keys: false` it counts all callers together, like one that counts by address. */
export function limiterOf(shape: Shape): SimulatedLimiter {
  const { enforced, shown, meter, keys = true, reset = seconds, remaining = (left) => left } = shape;
  const left = (now: number): number => Math.max(0, Math.floor(shown - meter.used(now)));
  return {
    decide(now, key) {
      const mine = key === 'key';
      if (!mine && keys) {
        return bare(401);
      }
      const isAdmitted = meter.used(now) + 1 <= enforced + 1e-9;
      meter.add(now, isAdmitted ? 1 : 0);
      const at = meter.resetAt(now);
      const waits = isAdmitted || shape.retryAfter === false;
      return {
        status: isAdmitted ? (mine ? 200 : 401) : 429,
        limit: String(shown),
        remaining: String(remaining(left(now), isAdmitted)),
        reset: reset(at, now),
        retryAfter: waits ? null : String(Math.max(0, Math.ceil((at - now) / 1000))),
      };
    },
  };
}

/** Several independent counters, of which each call uses a random one. */
export const sharded = (shards: readonly SimulatedLimiter[], random: () => number): SimulatedLimiter => ({
  decide: (now, key, route) =>
    (shards[Math.floor(random() * shards.length)] as SimulatedLimiter).decide(now, key, route),
});

/** A budget for each group of calls; calls without a group are not limited. */
export function apart(make: () => SimulatedLimiter, groupOf: (route?: string) => string | null): SimulatedLimiter {
  const groups = new Map<string, SimulatedLimiter>();
  return {
    decide(now, key, route) {
      const group = groupOf(route);
      if (group === null && key === 'key') {
        return bare(200);
      }
      const limiter = groups.get(group ?? '') ?? make();
      groups.set(group ?? '', limiter);
      return limiter.decide(now, key, route);
    },
  };
}

/** Changes the answers of a limiter. */
export const answering = (
  limiter: SimulatedLimiter,
  change: (answer: Answer, route: string | undefined, now: number) => Answer,
): SimulatedLimiter => ({ decide: (now, key, route) => change(limiter.decide(now, key, route), route, now) });

/** Refuses all calls for a while after a refusal, whatever the counter says; further refusals do not prolong it. */
export function lockingOut(limiter: SimulatedLimiter, forMs: number): SimulatedLimiter {
  let until = -Infinity;
  return {
    decide(now, key, route) {
      if (key === 'key' && now < until) {
        return bare(429);
      }
      const answer = limiter.decide(now, key, route);
      if (answer.status === 429) {
        until = now + forMs;
      }
      return answer;
    },
  };
}

/** Refuses all callers for a while from the first call on, as if their address were locked out. */
export function closedAtFirst(limiter: SimulatedLimiter, forMs: number): SimulatedLimiter {
  let until: number | undefined;
  return {
    decide(now, key, route) {
      until ??= now + forMs;
      return now < until ? bare(429) : limiter.decide(now, key, route);
    },
  };
}

/** Delays calls until the limit allows them, at most `places` at a time, and refuses more. */
export function queueing({ limit, windowMs }: Setup, places: number): SimulatedLimiter {
  const slots: number[] = [];
  return {
    decide(now, key) {
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
    },
  };
}

/** Refuses calls while `most` others are under way; each takes 40 ms. What is refused so does not count. */
export function atOnce(limiter: SimulatedLimiter, most: number): SimulatedLimiter {
  const holdMs = 40;
  let ends: readonly number[] = [];
  return {
    decide(now, key, route) {
      ends = ends.filter((end) => end > now);
      if (key === 'key' && ends.length >= most) {
        return bare(429);
      }
      const answer = limiter.decide(now, key, route);
      if (answer.status !== 200) {
        return answer;
      }
      ends = [...ends, now + holdMs];
      return { ...answer, holdMs };
    },
  };
}
