import { fallsTooFar, foreignIn, foreignInLongerWindow } from './foreign-calls.ts';
import { firstNumber, hasSeveralLimits, headersOfLimit, minuteRemaining, showsMinute } from './headers.ts';
import { type Evidence, isRejected, type RemainingTerms } from './remaining-evidence.ts';
import { failsToFall, tooHighAtRefusal, tooLow, tooLowInFilledWindow } from './remaining-rules.ts';
import { ascending, countBelow, type Spans, timelineOf } from './timeline.ts';
import { type Call, callsOf, type Sample } from './trace.ts';

export interface RemainingVerdict {
  /** `not judged`: the headers are absent, or Limit shows another number than the minute's. */
  readonly verdict: 'holds' | 'fails' | 'undecided' | 'not judged';
  readonly says: string;
  /** Why it was not judged: the headers are absent, or the value of Limit is another. */
  readonly blames?: 'headers' | 'limit-value';
  /** How many of the calls that must have been counted were not made by this run. */
  readonly foreignCalls: number;
  /** The call with the wrong Remaining, if it fails. */
  readonly sample?: Sample;
}

/** A whole number. Languages without integers write `119.0`. */
const whole = /^\d+(\.0+)?$/;
/** The first number as it is written: `119` of `119;w=60` and of `minute=119; day=49999`. */
const writtenNumber = (text: string): string => /(?:^|[\s,;=])(-?\d[^\s,;]*)/.exec(text)?.[1] ?? '';

/** By how much Remaining fell over the trace; 0 if fewer than three calls were admitted. */
function fallOf({ readings, timeline }: Evidence): number {
  const successes = readings.filter(({ call }) => call.outcome === 'admitted');
  const values = successes.map(({ value }) => value);
  return timeline.admitted.froms.length < 3 ? 0 : Math.max(0, Math.max(...values) - Math.min(...values));
}

/**
 * Judges Remaining over all calls of one key, whatever they were made for. It must be right for some moment between a
 * call's sending and its response, so two calls under way may get the same value. Throws nothing.
 */
export function judgeRemaining(samples: readonly Sample[], terms: RemainingTerms): RemainingVerdict {
  const { limit, own = false, alone = own } = terms;
  const key = terms.key ?? samples[0]?.key ?? '';
  const calls = callsOf(samples, key);
  const withLimit = calls.filter(({ sample }) => sample.limit !== null);
  const readable = withLimit.filter(({ sample }) => showsMinute(sample, limit) && sample.remaining !== null);
  if (readable.length === 0 && withLimit.every(({ sample }) => sample.remaining === null)) {
    return { verdict: 'not judged', says: 'The headers are absent.', blames: 'headers', foreignCalls: 0 };
  }
  if (readable.length < withLimit.length / 2) {
    const unread = withLimit.find((call) => !readable.includes(call))?.sample;
    const other = unread?.limit;
    const isMixed = withLimit.some(({ sample }) => hasSeveralLimits(sample));
    const says = isMixed
      ? `Remaining cannot be judged: two limits in one header (X-RateLimit-Limit: ${other}; X-RateLimit-Remaining: ${unread?.remaining}), and nothing tells which is the minute's ${limit}.`
      : `Remaining cannot be judged: X-RateLimit-Limit is ${other}, not the minute's ${limit}.`;
    const others = samples.filter((sample) => sample.key !== key && sample.limit === other && isUsed(sample));
    const foreignCalls = alone ? 0 : foreignInLongerWindow(timelineOf(calls), spansOfKeys(others), limit);
    return { verdict: 'not judged', says, blames: 'limit-value', foreignCalls };
  }
  const odd = readable.find(({ sample }) => !whole.test(writtenNumber(headersOfLimit(sample, limit)?.remaining ?? '')));
  if (odd !== undefined) {
    return { verdict: 'fails', says: `Remaining is not a whole number: ${odd.sample.remaining}.`, foreignCalls: 0 };
  }
  const others = samples.filter((sample) => sample.key !== key && showsMinute(sample, limit));
  const evidence = evidenceOf({ calls, readable, others, terms });
  const foreignCalls = alone ? 0 : foreignIn(evidence);
  const wrong =
    tooHighAtRefusal(evidence) ??
    failsToFall(evidence) ??
    (own ? tooLow(evidence) : tooLowInFilledWindow(evidence)) ??
    (alone ? fallsTooFar(evidence) : null);
  if (wrong !== null) {
    return { verdict: 'fails', says: wrong.says, foreignCalls, sample: wrong.sample };
  }
  return { ...unlessWrong(evidence, foreignCalls), foreignCalls };
}

/** Whether the headers say that calls were counted. */
const isUsed = ({ limit, remaining }: Sample): boolean =>
  (firstNumber(remaining) ?? Infinity) < (firstNumber(limit) ?? 0);

/** When calls with several keys were made. */
const spansOfKeys = (samples: readonly Sample[]): Spans =>
  timelineOf(samples.flatMap((sample) => callsOf([sample], sample.key)).sort((a, b) => a.from - b.from)).all;

interface Parts {
  readonly calls: readonly Call[];
  /** Those of the calls that have a Remaining of the minute's limit. */
  readonly readable: readonly Call[];
  /** Calls with other keys that show the same limit. */
  readonly others: readonly Sample[];
  readonly terms: RemainingTerms;
}

function evidenceOf({ calls, readable, others, terms }: Parts): Evidence {
  const timeline = timelineOf(calls);
  const otherCalls = spansOfKeys(others);
  const refusedTos = ascending(timeline.refused.map(({ to }) => to));
  return {
    terms,
    timeline,
    others: otherCalls,
    readings: readable.flatMap((call) => {
      const value = minuteRemaining(call.sample, terms.limit);
      const mustBeRight = call.outcome !== 'unknown' || isRejected(call);
      return value === null || !mustBeRight ? [] : [{ call, value }];
    }),
    countedUntil: (call) => [
      countBelow(timeline.possible.froms, call.to, true),
      countBelow(otherCalls.froms, call.to, true),
      countBelow(refusedTos, call.from),
    ],
    countedBefore: (moment) => [
      countBelow(timeline.possible.tos, moment),
      countBelow(otherCalls.tos, moment),
      countBelow(refusedTos, moment),
    ],
  };
}

function unlessWrong(evidence: Evidence, foreignCalls: number): Pick<RemainingVerdict, 'verdict' | 'says'> {
  if (foreignCalls > 0) {
    return {
      verdict: 'undecided',
      says: `Remaining is ${foreignCalls} lower than the calls of this run explain: others, or an earlier run, used the key.`,
    };
  }
  const fall = fallOf(evidence);
  const refused = evidence.readings.filter(({ call }) => call.outcome === 'refused');
  if (fall === 0) {
    return { verdict: 'undecided', says: 'Too few calls were made to see Remaining fall.' };
  }
  if (refused.length === 0) {
    return { verdict: 'holds', says: `Remaining fell by ${fall} as calls were made; none got a 429.` };
  }
  return refused.some(({ value }) => value === 0)
    ? { verdict: 'holds', says: 'Remaining fell with the calls, and was 0 when a call was refused.' }
    : { verdict: 'undecided', says: 'No refused call got a Remaining while nothing else was under way.' };
}
