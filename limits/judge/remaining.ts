// Remaining: falls as calls are made, is 0 when the first 429 comes; its gaps show a foreign user of the key.
import { firstNumber, showsMinute } from './headers.ts';
import type { Call } from './trace.ts';

export type RemainingVerdict = {
  /** `not judged`: Limit shows another number than the minute's, or the headers are absent. */
  verdict: 'holds' | 'fails' | 'undecided' | 'not judged';
  says: string;
  /** Calls that were told a Remaining which another call of the same burst was told too. */
  duplicates: number;
  /** Calls missing in the sequence: somebody else used the key. */
  foreignCalls: number;
};

type Told = { call: Call; value: number };

function told(calls: readonly Call[]): Told[] {
  return calls.flatMap((call) => {
    const value = firstNumber(call.sample.remaining);
    return value === null ? [] : [{ call, value }];
  });
}

/** The burst that met the first refusal: calls in a chain with no gap of `gapMs` before it, and what came before. */
export function firstBurst(calls: readonly Call[], gapMs: number): { burst: Call[]; before: Call[] } {
  const refusal = calls.findIndex((call) => call.fate === 'refused');
  const end = refusal < 0 ? calls.length - 1 : refusal;
  let start = end;
  while (start > 0 && (calls[start] as Call).s - (calls[start - 1] as Call).r < gapMs) {
    start -= 1;
  }
  let stop = end;
  while (stop + 1 < calls.length && (calls[stop + 1] as Call).s <= (calls[end] as Call).r) {
    stop += 1;
  }
  return { burst: calls.slice(start, stop + 1), before: calls.slice(0, start) };
}

const steady = (values: readonly number[]): boolean => {
  const steps = new Set(values.slice(1).map((value, index) => (values[index] as number) - value));
  return steps.size === 1;
};

/**
 * How many values the sequence lacks that nobody of ours was told. From the highest ever told down to the burst's lowest
 * each value is one call, ours or a stranger's; a deployment that counts each call twice makes even steps instead.
 */
function missing(burst: readonly Told[], before: readonly Told[]): number {
  const values = [...new Set(burst.map((one) => one.value))].sort((a, b) => b - a);
  const lowest = values.at(-1);
  if (lowest === undefined) {
    return 0;
  }
  const step = values.length > 2 && steady(values) ? (values[0] as number) - (values[1] as number) : 1;
  const highest = Math.max(...before.map((one) => one.value), values[0] as number);
  return Math.max(0, Math.round((highest - lowest) / step) + 1 - burst.length - before.length);
}

/**
 * How far below the limit the highest value lies that an idle key was told: calls of a stranger that came first in the
 * window. One is allowed for, since a deployment may count before it tells.
 */
function shortage(burst: readonly Told[], before: readonly Told[], limit: number): number {
  const highest = Math.max(...before.map((one) => one.value), ...burst.map((one) => one.value));
  return highest > 1 && highest < limit - 2 ? limit - 1 - highest : 0;
}

/**
 * Judges Remaining over the first burst that met a refusal.
 * `refill` is how many calls a bucket may have given back during it (0 for fixed windows and logs); `split` says that a
 * window's edge may lie inside the burst, so that equal values prove nothing.
 */
export function judgeRemaining(
  calls: readonly Call[],
  terms: { limit: number; gapMs: number; refill: number; split: boolean },
): RemainingVerdict {
  const silent = { duplicates: 0, foreignCalls: 0 };
  const shown = calls.filter((call) => call.sample.limit !== null);
  if (shown.length === 0 || calls.every((call) => call.sample.remaining === null)) {
    return { verdict: 'not judged', says: 'The headers are absent.', ...silent };
  }
  const mine = shown.filter((call) => showsMinute(call.sample, terms.limit));
  if (mine.length < shown.length / 2) {
    const limit = shown[0]?.sample.limit;
    return { verdict: 'not judged', says: `Limit shows ${limit}, not the minute's ${terms.limit}.`, ...silent };
  }
  return judgeTold(mine, terms);
}

function judgeTold(
  calls: readonly Call[],
  terms: { limit: number; gapMs: number; refill: number; split: boolean },
): RemainingVerdict {
  const { burst, before } = firstBurst(calls, terms.gapMs);
  const admitted = told(burst.filter((call) => call.fate === 'admitted'));
  const refused = told(calls.filter((call) => call.fate === 'refused'));
  const earlier = told(before.filter((call) => call.fate === 'admitted'));
  const duplicates = terms.split ? 0 : admitted.length - new Set(admitted.map((one) => one.value)).size;
  const foreignCalls = Math.max(missing(admitted, earlier), shortage(admitted, earlier, terms.limit));
  const answer = (verdict: RemainingVerdict['verdict'], says: string): RemainingVerdict => ({
    verdict,
    says,
    duplicates,
    foreignCalls,
  });

  const odd = calls.find(
    (call) => call.sample.remaining !== null && !/^\d+$/.test(call.sample.remaining.split(/[,;]/)[0]?.trim() ?? ''),
  );
  if (odd !== undefined) {
    return answer('fails', `Remaining is no whole number: ${odd.sample.remaining}.`);
  }
  const high = refused.find((one) => one.value !== 0);
  if (high !== undefined) {
    return answer('fails', `Remaining is ${high.value} on a refused call; 0 was expected.`);
  }
  if (admitted.length > 1 && duplicates === admitted.length - 1) {
    return answer('fails', `Remaining stays at ${admitted[0]?.value} over ${admitted.length} calls.`);
  }
  // Told 0 again and still let in: that is the limit's trouble, not the countdown's.
  const beyond = terms.split ? 0 : Math.max(0, admitted.filter((one) => one.value === 0).length - 1);
  const repeated = duplicates - beyond;
  if (repeated > terms.refill) {
    return answer(
      'fails',
      `${repeated} calls were told a Remaining that another call had been told: the counter is not read and written at once, or there is more than one.`,
    );
  }
  if (refused.length === 0 || admitted.length < 2) {
    return answer('undecided', 'The limit was not reached.');
  }
  return answer('holds', 'Remaining fell with each call and was 0 on the first refusal.');
}

/** Whether the first `limit` admissions were told `limit` distinct values that follow each other: nobody else's, no gap. */
export function toldExactly(calls: readonly Call[], limit: number, gapMs: number): boolean {
  const { burst, before } = firstBurst(calls, gapMs);
  const admitted = [...before, ...burst].filter((call) => call.fate === 'admitted');
  if (admitted.length !== limit || !admitted.every((call) => showsMinute(call.sample, limit))) {
    return false;
  }
  const values = told(admitted)
    .map((one) => one.value)
    .sort((a, b) => b - a);
  const top = values[0];
  return (
    values.length === limit &&
    (top === limit || top === limit - 1) &&
    values.every((value, index) => value === top - index)
  );
}
