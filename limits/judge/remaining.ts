import { fallsTooFar, foreignIn } from './foreign-calls.ts';
import { firstNumber, showsMinute } from './headers.ts';
import { type Evidence, isRejected, type RemainingTerms } from './remaining-evidence.ts';
import { standsStill, tooHighAtRefusal, tooLow, tooLowWhereFilled } from './remaining-rules.ts';
import { ascending, countBelow, timelineOf } from './timeline.ts';
import { callsOf, type Sample } from './trace.ts';

export interface RemainingVerdict {
  /** `not judged`: Limit shows another number than the minute's, or the headers are absent. */
  readonly verdict: 'holds' | 'fails' | 'undecided' | 'not judged';
  readonly says: string;
  /** The headers to which it is due that nothing could be judged. */
  readonly blames?: 'headers' | 'limit-value';
  /** How many of the calls that must have been counted are not this run's. */
  readonly foreignCalls: number;
  /** What failed: a call that was told a wrong value. */
  readonly sample?: Sample;
}

/** `119.0` is one, as languages write it that know no integers. */
const whole = /^\d+(\.0+)?$/;
const firstPart = (text: string): string => text.split(/[,;]/)[0]?.trim() ?? '';

/** Over how many calls Remaining was seen to fall. */
function fallOf({ told, timeline }: Evidence): number {
  const successes = told.filter(({ call }) => call.outcome === 'admitted');
  const values = successes.map(({ value }) => value);
  return timeline.admitted.froms.length < 3 ? 0 : Math.max(0, Math.max(...values) - Math.min(...values));
}

/**
 * Judges Remaining over all calls of one key, whatever they were made for: it names what was true at some moment between a
 * call's sending and its response, so two calls under way may be told the same. Throws nothing.
 */
export function judgeRemaining(samples: readonly Sample[], terms: RemainingTerms): RemainingVerdict {
  const { limit, own = false, alone = own } = terms;
  const key = terms.key ?? samples[0]?.key ?? '';
  const calls = callsOf(samples, key);
  const shown = calls.filter(({ sample }) => sample.limit !== null);
  const mine = shown.filter(({ sample }) => showsMinute(sample, limit) && sample.remaining !== null);
  if (mine.length === 0 && shown.every(({ sample }) => sample.remaining === null)) {
    return { verdict: 'not judged', says: 'The headers are absent.', blames: 'headers', foreignCalls: 0 };
  }
  if (mine.length < shown.length / 2) {
    const other = shown[0]?.sample.limit;
    const says = `Limit shows ${other}, not the minute's ${limit}.`;
    return { verdict: 'not judged', says, blames: 'limit-value', foreignCalls: 0 };
  }
  const odd = mine.find(({ sample }) => !whole.test(firstPart(sample.remaining ?? '')));
  if (odd !== undefined) {
    return { verdict: 'fails', says: `Remaining is not a whole number: ${odd.sample.remaining}.`, foreignCalls: 0 };
  }
  const intruders = samples.filter((sample) => sample.key !== key && showsMinute(sample, limit));
  const timeline = timelineOf(calls);
  const others = timelineOf(
    intruders.flatMap((sample) => callsOf([sample], sample.key)).sort((a, b) => a.from - b.from),
  );
  const refusedTos = ascending(timeline.refused.map(({ to }) => to));
  const evidence: Evidence = {
    terms,
    timeline,
    others: others.all,
    told: mine.flatMap((call) => {
      const value = firstNumber(call.sample.remaining);
      const isTold = call.outcome !== 'unknown' || isRejected(call.sample);
      return value === null || !isTold ? [] : [{ call, value }];
    }),
    countedUntil: (call) => [
      countBelow(timeline.possible.froms, call.to, true),
      countBelow(others.all.froms, call.to, true),
      countBelow(refusedTos, call.from, true),
    ],
    countedBefore: (moment) => [
      countBelow(timeline.possible.tos, moment),
      countBelow(others.all.tos, moment),
      countBelow(refusedTos, moment),
    ],
  };
  const foreignCalls = alone ? 0 : foreignIn(evidence);
  const wrong =
    tooHighAtRefusal(evidence) ??
    standsStill(evidence) ??
    (own ? tooLow(evidence) : tooLowWhereFilled(evidence)) ??
    (alone ? fallsTooFar(evidence) : null);
  if (wrong !== null) {
    return { verdict: 'fails', says: wrong.says, foreignCalls, sample: wrong.sample };
  }
  return { ...hold(evidence, foreignCalls), foreignCalls };
}

function hold(evidence: Evidence, foreignCalls: number): Pick<RemainingVerdict, 'verdict' | 'says'> {
  if (foreignCalls > 0) {
    return {
      verdict: 'undecided',
      says: `Remaining fell by ${foreignCalls} more than this run called: others may use the key.`,
    };
  }
  const fall = fallOf(evidence);
  const refused = evidence.told.filter(({ call }) => call.outcome === 'refused');
  if (fall === 0) {
    return { verdict: 'undecided', says: 'Too few calls were made to see Remaining fall.' };
  }
  if (refused.length === 0) {
    return { verdict: 'holds', says: `Remaining fell by ${fall} as calls were made; none met a 429.` };
  }
  return refused.some(({ value }) => value === 0)
    ? { verdict: 'holds', says: 'Remaining fell with the calls, and was 0 when a call was refused.' }
    : { verdict: 'undecided', says: 'No refused call was told a Remaining while nothing else was under way.' };
}
