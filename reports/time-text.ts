import { thousands } from '../common/words.ts';
import type { Timing } from '../results/timing.ts';
import type { Run } from '../results/verdict.ts';
import { duration, oneLine } from './text.ts';

/** How many waits are named; the others are counted. */
const mostWaits = 2;

/** `took 2 min 22 s; the documented limits ask for 2 min 0 s (…); waited 1 min 1 s for the workspace's minute`. */
export function timeText({ durationMs, timing, embedded }: Run): string {
  const took = `took ${duration(durationMs)}`;
  if (timing === null) {
    return took;
  }
  const parts = [leastText(timing), ...waitsText(timing)].join('; ');
  return embedded ? `${took}, since the reference's clock skips waits; on that clock: ${parts}` : `${took}; ${parts}`;
}

/** The time that the documented limits require, and the budget that requires it. */
export function leastText({ leastMs, slowest }: Timing): string {
  if (slowest === null) {
    return 'the documented limits ask for no wait';
  }
  const why = `${oneLine(slowest.label, 80)}: ${thousands(slowest.paced)} calls at ${thousands(slowest.perMinute)} a minute`;
  return `the documented limits ask for ${duration(leastMs)} (${why})`;
}

function waitsText({ waits }: Timing): string[] {
  if (waits.length === 0) {
    return [];
  }
  const named = waits.slice(0, mostWaits).map(({ what, ms }) => `${duration(ms)} for ${oneLine(what, 80)}`);
  const left = waits.length - named.length;
  return [`waited ${named.join(', ')}${left > 0 ? `, and for ${left} more` : ''}`];
}
