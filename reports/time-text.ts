import type { Timing } from '../results/timing.ts';
import type { Run } from '../results/verdict.ts';
import { counted, duration, oneLine, thousands } from './text.ts';

/** Waits that are told of; the others are counted. */
const mostWaits = 3;

/** `took 2 min 22 s; at least 2 min 0 s by the documented limits (…); waited 61.2 s for the workspace's minute`. */
export function timeText({ durationMs, timing, embedded }: Run): string {
  const took = `took ${duration(durationMs)}`;
  if (timing === null) {
    return took;
  }
  const leapt = embedded ? " (the reference's clock leaps over waits; at real speed:)" : '';
  return [`${took}${leapt}`, leastText(timing), ...waitsText(timing)].join('; ');
}

/** What the documented limits ask for, and whose budget does. */
export function leastText({ leastMs, slowest }: Timing): string {
  if (slowest === null) {
    return 'no wait by the documented limits';
  }
  const why = `${oneLine(slowest.label, 80)}: ${thousands(slowest.admitted)} calls at ${thousands(slowest.perMinute)} a minute`;
  return `at least ${duration(leastMs)} by the documented limits (${why})`;
}

function waitsText({ waits }: Timing): string[] {
  if (waits.length === 0) {
    return [];
  }
  const told = waits.slice(0, mostWaits).map(({ what, ms }) => `${duration(ms)} for ${oneLine(what, 80)}`);
  const left = waits.length - told.length;
  return [`waited ${told.join(', ')}${left > 0 ? `, and for ${counted(left, 'other thing')}` : ''}`];
}
