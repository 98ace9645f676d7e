// Ways to count calls that no deployment of the reference has.
import type { Meter } from '../../../../fixtures/reference/limiter.ts';

/** A window that moves in segments: calls are freed together with their segment. */
export function segmentMeter(windowMs: number, segments: number, phase: number): Meter {
  const length = windowMs / segments;
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
}

/** Checks, and counts `gapMs` later, so that calls in between see the old count. */
export function racyMeter(windowMs: number, phase: number, gapMs: number): Meter {
  const times: number[] = [];
  const since = (now: number): number => Math.floor((now - phase) / windowMs) * windowMs + phase;
  return {
    used: (now) => times.filter((time) => time >= since(now) && time <= now - gapMs).length,
    add: (now, calls) => {
      if (calls === 1) {
        times.push(now);
      }
    },
    resetAt: (now) => since(now) + windowMs,
  };
}
