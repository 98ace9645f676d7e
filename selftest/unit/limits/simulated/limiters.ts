// Limiters as they are met in the wild, each a function of the server's clock.

export type Answer = {
  status: number;
  limit: string | null;
  remaining: string | null;
  reset: string | null;
  retryAfter: string | null;
};

export type SimulatedLimiter = { decide: (serverNow: number, key: string) => Answer };

export type Setup = { limit: number; windowMs: number; random: () => number };

/** Counts calls; `refusedToo` adds refused ones. */
type Meter = {
  used: (now: number) => number;
  add: (now: number, admitted: boolean) => void;
  resetAt: (now: number) => number;
};

type Shape = {
  enforced: number;
  shown: number;
  meter: Meter;
  keys?: boolean;
  reset?: (at: number, now: number) => string;
};

const seconds = (at: number): string => String(Math.ceil(at / 1000));

/** A limiter of one counter. `keys: false` counts every caller into it, as one that looks at the address does. */
export function limiterOf({ enforced, shown, meter, keys = true, reset = seconds }: Shape): SimulatedLimiter {
  return {
    decide(now, key) {
      const mine = key === 'key';
      if (!mine && keys) {
        return { status: 401, limit: null, remaining: null, reset: null, retryAfter: null };
      }
      const used = meter.used(now);
      const admitted = used + 1 <= enforced + 1e-9;
      meter.add(now, admitted);
      const remaining = String(Math.max(0, Math.floor(shown - meter.used(now))));
      const at = meter.resetAt(now);
      const retryAfter = admitted ? null : String(Math.max(0, Math.ceil((at - now) / 1000)));
      return {
        status: admitted ? (mine ? 200 : 401) : 429,
        limit: String(shown),
        remaining,
        reset: reset(at, now),
        retryAfter,
      };
    },
  };
}

export function fixedMeter(windowMs: number, phase: number): Meter {
  let window = NaN;
  let count = 0;
  const roll = (now: number): void => {
    const current = Math.floor((now - phase) / windowMs);
    if (current !== window) {
      [window, count] = [current, 0];
    }
  };
  return {
    used: (now) => (roll(now), count),
    add: (now, admitted) => {
      roll(now);
      if (admitted) {
        count += 1;
      }
    },
    resetAt: (now) => (roll(now), (window + 1) * windowMs + phase),
  };
}

/** `extend`: each refused call starts the wait anew, as a key with a renewed expiry does. */
export function anchoredMeter(windowMs: number, extend = false): Meter {
  let began = -Infinity;
  let count = 0;
  const roll = (now: number): void => {
    if (now >= began + windowMs) {
      [began, count] = [now, 0];
    }
  };
  return {
    used: (now) => (roll(now), count),
    add(now, admitted) {
      roll(now);
      if (admitted) {
        count += 1;
      } else if (extend) {
        began = now;
      }
    },
    resetAt: () => began + windowMs,
  };
}

export function logMeter(windowMs: number, refusedToo = false): Meter {
  let times: number[] = [];
  const drop = (now: number): void => {
    times = times.filter((time) => time > now - windowMs);
  };
  return {
    used: (now) => (drop(now), times.length),
    add: (now, admitted) => {
      if (admitted || refusedToo) {
        times.push(now);
      }
    },
    resetAt: (now) => (times[0] ?? now) + windowMs,
  };
}

export function counterMeter(windowMs: number, phase: number, floor: boolean): Meter {
  let window = -Infinity;
  let [before, count] = [0, 0];
  const roll = (now: number): void => {
    const current = Math.floor((now - phase) / windowMs);
    if (current === window) {
      return;
    }
    [before, count, window] = [current === window + 1 ? count : 0, 0, current];
  };
  const weighed = (now: number): number => before * (1 - (now - phase - window * windowMs) / windowMs);
  return {
    used: (now) => {
      roll(now);
      return count + (floor ? Math.floor(weighed(now)) : weighed(now));
    },
    add: (now, admitted) => {
      roll(now);
      if (admitted) {
        count += 1;
      }
    },
    resetAt: (now) => (roll(now), (window + 1) * windowMs + phase),
  };
}

/** `used` is what is missing to a full bucket; GCRA does the same sums. */
export function bucketMeter(windowMs: number, perWindow: number): Meter {
  let missing = 0;
  let at = -Infinity;
  const refill = (now: number): void => {
    if (at !== -Infinity) {
      missing = Math.max(0, missing - ((now - at) * perWindow) / windowMs);
    }
    at = now;
  };
  return {
    used: (now) => (refill(now), missing),
    add: (now, admitted) => {
      refill(now);
      if (admitted) {
        missing += 1;
      }
    },
    resetAt: (now) => now + (missing * windowMs) / perWindow,
  };
}

/** Check, then act `gapMs` later: calls that come in between see the old count. */
export function racyMeter(windowMs: number, phase: number, gapMs: number): Meter {
  const times: number[] = [];
  const since = (now: number): number => Math.floor((now - phase) / windowMs) * windowMs + phase;
  const seen = (now: number): number => times.filter((time) => time >= since(now) && time <= now - gapMs).length;
  return {
    used: seen,
    add: (now, admitted) => {
      if (admitted) {
        times.push(now);
      }
    },
    resetAt: (now) => since(now) + windowMs,
  };
}

/** Several counters that do not know of each other, chosen at random for each call. */
export function sharded(shards: readonly SimulatedLimiter[], random: () => number): SimulatedLimiter {
  return { decide: (now, key) => (shards[Math.floor(random() * shards.length)] as SimulatedLimiter).decide(now, key) };
}
