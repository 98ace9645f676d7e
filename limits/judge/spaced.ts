import { minuteRemaining } from './headers.ts';
import { isAdmitted, type Sample } from './trace.ts';

/** The first call that was admitted after a refusal, and the refusal that soon followed. */
interface RefusedAgain {
  readonly back: Sample;
  readonly again: Sample;
}

/**
 * How a driven key was refused, admitted and soon refused again, with no call with an unknown key in between; else
 * undefined.
 */
function refusedAgain(samples: readonly Sample[], limit: number): RefusedAgain | undefined {
  const afterIntruders = samples.slice(samples.findLastIndex(({ phase }) => phase === 'intruder') + 1);
  const plain = afterIntruders.filter(({ phase, route }) => phase !== 'before' && route === undefined);
  const refused = plain.find(isRefused);
  const back = refused && plain.find((one) => isAdmitted(one) && one.sentAt > refused.receivedAt);
  const again = back && plain.find((one) => isRefused(one) && one.sentAt > back.receivedAt);
  if (back === undefined || again === undefined) {
    return undefined;
  }
  const admitted = plain.filter((one) => isAdmitted(one) && one.sentAt >= back.sentAt && one.sentAt < again.sentAt);
  return admitted.length < limit / 2 ? { back, again } : undefined;
}

/**
 * Whether the limiter spaces calls out, whatever was called before. It refuses, admits and refuses again, which no
 * lockout does; and at every refusal Remaining shows that calls are left, or too few were made in two windows for a
 * sliding counter, which may count refused calls, too.
 */
export function isSpaced(
  samples: readonly Sample[],
  { limit, windowMs }: { limit: number; windowMs: number },
): boolean {
  const refusal = refusedAgain(samples, limit);
  if (refusal === undefined) {
    return false;
  }
  const since = refusal.again.sentAt - 2 * windowMs;
  const counted = samples.filter(({ phase, sentAt }) => phase !== 'intruder' && sentAt > since);
  const hasRoom = (sample: Sample): boolean => (minuteRemaining(sample, limit) ?? 0) > limit / 10;
  return counted.length < limit || samples.filter(isRefused).every(hasRoom);
}

const isRefused = ({ status }: Sample): boolean => status === 429;
