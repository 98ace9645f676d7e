import { counted, thousands } from '../common/words.ts';
import type { Timing } from '../results/timing.ts';
import type { Run } from '../results/verdict.ts';
import { duration, oneLine } from './text.ts';

/** How many waits are named; the others are counted. */
const mostWaits = 2;

/** `took 2 min 22 s; at least 2 min 0 s to stay within the documented limits (…); longest waits: …`. */
export function timeText({ durationMs, timing, embedded }: Run): string {
  const took = `took ${duration(durationMs)}`;
  if (timing === null) {
    return took;
  }
  const parts = [leastText(timing), ...waitsText(timing)].join('; ');
  return embedded ? `${took}, because the reference's clock skips waits; in real time: ${parts}` : `${took}; ${parts}`;
}

/** The time that the documented limits require, and the budget that requires it. */
export function leastText({ leastMs, slowest }: Timing): string {
  if (slowest === null) {
    return 'the documented limits require no waiting for the calls that were sent';
  }
  const why = `${oneLine(slowest.label, 80)}: ${thousands(slowest.paced)} calls at ${thousands(slowest.perMinute)} a minute`;
  return `at least ${duration(leastMs)} to stay within the documented limits (${why})`;
}

function waitsText({ waits }: Timing): string[] {
  if (waits.length === 0) {
    return [];
  }
  const named = waits.slice(0, mostWaits).map(({ what, ms }) => `${duration(ms)} for ${oneLine(what, 80)}`);
  const left = waits.length - named.length;
  return [`longest waits: ${named.join(', ')}${left > 0 ? ` and ${counted(left, 'shorter one')}` : ''}`];
}
