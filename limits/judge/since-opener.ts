import { showsMinute } from './headers.ts';
import type { Sample } from './trace.ts';

/**
 * The last answer with the same key before a drive, if its headers describe a longer window than the minute's: they
 * show whether others call until the drive begins.
 */
export function readingBefore(samples: readonly Sample[], key: string, limit: number): Sample[] {
  const last = samples.findLast((sample) => sample.key === key && sample.remaining !== null);
  return last === undefined || showsMinute(last, limit) ? [] : [{ ...last, phase: 'before' }];
}

/**
 * The samples from the last opener on, and the reading before it. Those before only served to find out whether the key
 * was idle.
 */
export function sinceOpener(samples: readonly Sample[], limit: number): readonly Sample[] {
  const opener = samples.findLastIndex((sample) => sample.phase === 'opener');
  const { key = '' } = samples[opener] ?? {};
  return opener < 0 ? samples : [...readingBefore(samples.slice(0, opener), key, limit), ...samples.slice(opener)];
}
