import { thousands } from '../common/words.ts';
import type { Timing } from '../results/timing.ts';
import type { Run } from '../results/verdict.ts';
import { duration, oneLine } from './text.ts';

/** `took 2 min 22 s; at least 2 min 0 s to stay within the documented limits (…)`. */
export function timeText({ durationMs, timing, embedded }: Run): string {
  const took = `took ${duration(durationMs)}`;
  if (timing === null) {
    return took;
  }
  const least = leastText(timing);
  return embedded ? `${took}, because the reference's clock skips waits; in real time: ${least}` : `${took}; ${least}`;
}

/** The time that the documented limits require, and the budget that requires it. */
export function leastText({ leastMs, slowest }: Timing): string {
  if (slowest === null) {
    return 'the documented limits require no waiting for the calls that were sent';
  }
  const why = `${oneLine(slowest.label, 80)}: ${thousands(slowest.paced)} calls at ${thousands(slowest.perMinute)} a minute`;
  return `at least ${duration(leastMs)} to stay within the documented limits (${why})`;
}
