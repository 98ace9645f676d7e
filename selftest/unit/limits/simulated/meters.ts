// Ways to count calls: one counter each, on the server's clock.

export interface Meter {
  readonly used: (now: number) => number;
  readonly add: (now: number, isAdmitted: boolean) => void;
  readonly resetAt: (now: number) => number;
}

/** Windows that begin at a phase of the clock. */
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
    add: (now, isAdmitted) => {
      roll(now);
      count += isAdmitted ? 1 : 0;
    },
    resetAt: (now) => (roll(now), (window + 1) * windowMs + phase),
  };
}

/** Windows that begin with the first call. With `renewed`, each refused call, or each call, starts the window again. */
export function anchoredMeter(windowMs: number, renewed: 'never' | 'by refusals' | 'by calls' = 'never'): Meter {
  let began = -Infinity;
  let count = 0;
  const roll = (now: number): void => {
    if (now >= began + windowMs) {
      [began, count] = [now, 0];
    }
  };
  return {
    used: (now) => (roll(now), count),
    add(now, isAdmitted) {
      roll(now);
      count += isAdmitted ? 1 : 0;
      if (renewed === 'by calls' || (renewed === 'by refusals' && !isAdmitted)) {
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
    add: (now, isAdmitted) => {
      if (isAdmitted || refusedToo) {
        times.push(now);
      }
    },
    resetAt: (now) => (times[0] ?? now) + windowMs,
  };
}

/** A window that moves in segments: calls are freed together with their segment. */
export function segmentMeter(windowMs: number, segments: number, phase: number): Meter {
  const length = windowMs / segments;
  const counts = new Map<number, number>();
  const at = (now: number): number => Math.floor((now - phase) / length);
  const held = (now: number): [number, number][] => [...counts].filter(([segment]) => segment > at(now) - segments);
  return {
    used: (now) => held(now).reduce((sum, [, count]) => sum + count, 0),
    add: (now, isAdmitted) => {
      if (isAdmitted) {
        counts.set(at(now), (counts.get(at(now)) ?? 0) + 1);
      }
    },
    resetAt: (now) => ((held(now)[0]?.[0] ?? at(now)) + segments) * length + phase,
  };
}

export function counterMeter(windowMs: number, phase: number, isRounded: boolean, refusedToo = false): Meter {
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
      return count + (isRounded ? Math.floor(weighed(now)) : weighed(now));
    },
    add: (now, isAdmitted) => {
      roll(now);
      count += isAdmitted || refusedToo ? 1 : 0;
    },
    resetAt: (now) => (roll(now), (window + 1) * windowMs + phase),
  };
}

/** `used` is what the bucket lacks to be full. GCRA computes the same. */
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
    add: (now, isAdmitted) => {
      refill(now);
      missing += isAdmitted ? 1 : 0;
    },
    resetAt: (now) => now + (missing * windowMs) / perWindow,
  };
}

/** Checks, and counts `gapMs` later, so that calls in between see the old count. */
export function racyMeter(windowMs: number, phase: number, gapMs: number): Meter {
  const times: number[] = [];
  const since = (now: number): number => Math.floor((now - phase) / windowMs) * windowMs + phase;
  return {
    used: (now) => times.filter((time) => time >= since(now) && time <= now - gapMs).length,
    add: (now, isAdmitted) => {
      if (isAdmitted) {
        times.push(now);
      }
    },
    resetAt: (now) => since(now) + windowMs,
  };
}
