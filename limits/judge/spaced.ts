import { firstNumber, showsMinute } from './headers.ts';
import { isAdmitted, type Sample } from './trace.ts';

/** A call that was let in after the key's first refusal, and the refusal that soon followed it. */
interface RefusedAnew {
  readonly back: Sample;
  readonly again: Sample;
}

/** Where a driven key was refused, let in and soon refused once more, with no bad key in between; undefined: nowhere. */
export function refusedAnew(samples: readonly Sample[], limit: number): RefusedAnew | undefined {
  const afterIntruders = samples.slice(samples.findLastIndex(({ phase }) => phase === 'intruder') + 1);
  const plain = afterIntruders.filter(({ phase, route }) => phase !== 'before' && route === undefined);
  const refused = plain.find(isRefused);
  const back = refused && plain.find((one) => isAdmitted(one) && one.sentAt > refused.receivedAt);
  const again = back && plain.find((one) => isRefused(one) && one.sentAt > back.receivedAt);
  if (back === undefined || again === undefined) {
    return undefined;
  }
  const letIn = plain.filter((one) => isAdmitted(one) && one.sentAt >= back.sentAt && one.sentAt < again.sentAt);
  return letIn.length < limit / 2 ? { back, again } : undefined;
}

/**
 * Whether a limiter spaces calls out, whatever was called before: it refuses, lets in and refuses anew, which no lockout does, and
 * tells that calls remain, or has admitted too few in two windows for a counter that weighs both.
 */
export function isSpaced(
  samples: readonly Sample[],
  { limit, windowMs }: { limit: number; windowMs: number },
): boolean {
  const anew = refusedAnew(samples, limit);
  if (anew === undefined) {
    return false;
  }
  const since = anew.again.sentAt - 2 * windowMs;
  const counted = samples.filter((one) => one.phase !== 'intruder' && !isRefused(one) && one.sentAt > since);
  const hasRoom = (sample: Sample): boolean =>
    showsMinute(sample, limit) && (firstNumber(sample.remaining) ?? 0) > limit / 10;
  return counted.length < limit || samples.filter(isRefused).every(hasRoom);
}

const isRefused = ({ status }: Sample): boolean => status === 429;
