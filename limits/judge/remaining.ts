// Remaining: three rules that it must keep, and what it shows of calls by others.
import { firstNumber, hasSeveralLimits, headersOfLimit, minuteRemaining, showsMinute } from './headers.ts';
import {
  furthestBelow,
  furthestFall,
  type Reading,
  type RemainingEvidence,
  type RemainingTerms,
  uncounted,
} from './others.ts';
import { clockSlack, countBelow, possiblyWithin, type Spans, timelineOf } from './timeline.ts';
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

/** What is wrong with a Remaining, and the call that got it. */
type WrongReading = Pick<Required<RemainingVerdict>, 'says' | 'sample'>;

/** A whole number. Languages without integers write `119.0`. */
const whole = /^\d+(\.0+)?$/;
/** The first number as it is written: `119` of `119;w=60` and of `minute=119; day=49999`. */
const writtenNumber = (text: string): string => /(?:^|[\s,;=])(-?\d[^\s,;]*)/.exec(text)?.[1] ?? '';

/**
 * Judges Remaining over all calls of one key, whatever they were made for. It must be right for some moment between a
 * call's sending and its response, so two calls under way may get the same value. Throws nothing.
 */
export function judgeRemaining(samples: readonly Sample[], terms: RemainingTerms): RemainingVerdict {
  const { limit, own = false } = terms;
  const key = terms.key ?? samples[0]?.key ?? '';
  const calls = callsOf(samples, key);
  const withLimit = calls.filter(({ sample }) => sample.limit !== null);
  const readable = withLimit.filter(({ sample }) => showsMinute(sample, limit) && sample.remaining !== null);
  if (readable.length === 0 && withLimit.every(({ sample }) => sample.remaining === null)) {
    return { verdict: 'not judged', says: 'The headers are absent.', blames: 'headers', foreignCalls: 0 };
  }
  const isOther = (sample: Sample, shown: string | null): boolean => sample.key !== key && sample.limit === shown;
  const evidence = (used: readonly Call[], shown: string | null, valueIn: (sample: Sample) => number | null) => ({
    terms,
    timeline: timelineOf(calls),
    others: spansOfKeys(samples.filter((sample) => isOther(sample, shown))),
    readings: used.flatMap((call) => {
      const value = valueIn(call.sample);
      return value === null ? [] : [{ call, value }];
    }),
  });
  if (readable.length < withLimit.length / 2) {
    const unread = withLimit.find((call) => !readable.includes(call))?.sample;
    const shown = unread?.limit ?? null;
    const says = withLimit.some(({ sample }) => hasSeveralLimits(sample))
      ? `Remaining cannot be judged: two limits in one header (X-RateLimit-Limit: ${shown}; X-RateLimit-Remaining: ${unread?.remaining}), and nothing tells which is the minute's ${limit}.`
      : `Remaining cannot be judged: X-RateLimit-Limit is ${shown}, not the minute's ${limit}.`;
    const longer = withLimit.filter(({ sample }) => sample.limit === shown && (firstNumber(shown) ?? 0) > limit);
    const ofLonger = evidence(longer, shown, ({ remaining }) => firstNumber(remaining));
    const foreignCalls = own ? 0 : Math.max(0, furthestFall(ofLonger)?.calls ?? 0);
    return { verdict: 'not judged', says, blames: 'limit-value', foreignCalls };
  }
  const odd = readable.find(({ sample }) => !whole.test(writtenNumber(headersOfLimit(sample, limit)?.remaining ?? '')));
  if (odd !== undefined) {
    return { verdict: 'fails', says: `Remaining is not a whole number: ${odd.sample.remaining}.`, foreignCalls: 0 };
  }
  const shown = readable[0]?.sample.limit ?? null;
  const ofMinute = evidence(readable.filter(isCertain), shown, (sample) => minuteRemaining(sample, limit));
  const wrong = aboveZeroAtRefusal(ofMinute) ?? tooHigh(ofMinute) ?? tooLow(ofMinute);
  const foreignCalls = own ? 0 : uncounted(ofMinute);
  return wrong === null
    ? { ...unlessWrong(ofMinute, foreignCalls), foreignCalls }
    : { verdict: 'fails', ...wrong, foreignCalls };
}

/** Whether Remaining must be right: a call with a 5xx, or one refused for its key, may not have been counted. */
const isCertain = ({ outcome, sample }: Call): boolean =>
  outcome !== 'unknown' || [400, 403, 404].includes(sample.status);

/** When calls with several keys were made. */
const spansOfKeys = (samples: readonly Sample[]): Spans =>
  timelineOf(samples.flatMap((sample) => callsOf([sample], sample.key)).sort((a, b) => a.from - b.from)).all;

/**
 * Remaining is 0 on a refused call. It may be more if calls were admitted or freed while it was under way, or if a
 * window ended then, which does not happen to several refusals in a row. If fewer calls are admitted than Limit says,
 * the difference may still remain.
 */
function aboveZeroAtRefusal({ readings, timeline: { possible }, terms }: RemainingEvidence): WrongReading | null {
  const { limit, windowMs, enforced } = terms;
  const most = Math.max(0, limit - (enforced ?? limit));
  const slack = clockSlack(windowMs);
  const high = readings.filter(
    ({ call: { from, to, outcome }, value }) =>
      outcome === 'refused' &&
      value > most &&
      possiblyWithin(possible, from, to) === 0 &&
      possiblyWithin(possible, from - windowMs - slack, to - windowMs + slack) === 0,
  );
  const [first] = high;
  if (first === undefined || high.every(({ call }) => call.from <= first.call.to)) {
    return null;
  }
  const calls = high.length === 1 ? 'a refused call' : `${high.length} refused calls`;
  return { says: `Remaining is ${first.value} on ${calls}; 0 was expected.`, sample: first.call.sample };
}

/**
 * Remaining is never above the limit less the calls that certainly count. A window that ended since the first of them
 * may be why it is, and every limiter holds a call for half a window otherwise; but two windows end a whole length apart.
 */
function tooHigh({ readings, timeline: { calls }, terms }: RemainingEvidence): WrongReading | null {
  const { limit, windowMs, refills = true } = terms;
  const rate = refills ? limit / windowMs : 0;
  const admitted = calls.filter(({ outcome }) => outcome === 'admitted').sort((a, b) => a.to - b.to);
  const tos = admitted.map(({ to }) => to);
  /** The latest moment since when so many calls certainly count that a window must have ended; null if there is none. */
  const endedSince = ({ call, value }: Reading): number | null => {
    const answered = countBelow(tos, call.from);
    for (let needed = limit - value + 1; needed <= answered; ) {
      const counted = admitted.slice(answered - needed, answered);
      const since = counted.reduce((least, { from }) => Math.min(least, from), Infinity);
      const refilled = refills ? Math.ceil(rate * (call.to - since)) + 1 : 0;
      if (since < call.to - windowMs / 2) {
        return null;
      }
      if (limit - value + 1 + refilled <= needed) {
        return since;
      }
      needed = limit - value + 1 + refilled;
    }
    return null;
  };
  let ended = { from: -Infinity, to: -Infinity };
  for (const reading of readings.filter(({ call }) => call.outcome !== 'refused')) {
    const since = endedSince(reading);
    const { to, sample } = reading.call;
    if (since === null || since < ended.to) {
      continue;
    }
    if (to - ended.from < windowMs - clockSlack(windowMs)) {
      const why =
        reading.value > limit
          ? `more than the limit of ${limit}`
          : `when at least ${limit - reading.value + 1} calls had been admitted, although the last window had not ended`;
      const says = `Remaining is ${reading.value}, ${why}.`;
      return { says, sample };
    }
    ended = { from: since, to };
  }
  return null;
}

/**
 * Remaining is never below the limit less the calls that may count. That holds if nobody else has the key, or nobody
 * can have called: the run itself was admitted as often as the limit allows before its first refusal.
 */
function tooLow(evidence: RemainingEvidence): WrongReading | null {
  const { terms, timeline, readings } = evidence;
  const { limit, enforced, own = false } = terms;
  const until = timeline.refusalAfter(-Infinity);
  const filled = countBelow(timeline.admitted.froms, until, true) === limit && enforced === limit;
  if (!own && !filled) {
    return null;
  }
  const alone = own ? evidence : { ...evidence, readings: readings.filter(({ call }) => call.from <= until) };
  const least = Math.min(limit, enforced ?? limit);
  const below = furthestBelow(alone, least);
  if (below !== null && below.calls > 0) {
    const made = least - below.later.value - below.calls;
    const says = `Remaining was ${below.later.value} when at most ${made} calls had been made.`;
    return { says, sample: below.later.call.sample };
  }
  const fall = furthestFall(alone);
  // The earlier call may have been counted only after its headers were written.
  if (fall === null || fall.calls <= 1) {
    return null;
  }
  const { earlier, later, calls } = { ...fall, calls: fall.calls - 1 };
  const says = `Remaining was ${earlier.value}, and ${later.value} later: it fell by ${calls} more than calls were made meanwhile.`;
  return { says, sample: later.call.sample };
}

function unlessWrong(
  { readings }: RemainingEvidence,
  foreignCalls: number,
): Pick<RemainingVerdict, 'verdict' | 'says'> {
  if (foreignCalls > 0) {
    const says = `Remaining is ${foreignCalls} lower than the calls of this run explain: others, an earlier run, or its calls with other keys drew on the limit.`;
    return { verdict: 'undecided', says };
  }
  const values = readings.filter(({ call }) => call.outcome === 'admitted').map(({ value }) => value);
  const fall = values.length < 3 ? 0 : Math.max(...values) - Math.min(...values);
  const refused = readings.filter(({ call }) => call.outcome === 'refused');
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
