// The rules that Remaining must keep. Each gives the first reading that breaks it, or null.
import { firstNumber } from './headers.ts';
import {
  countedBy,
  type Evidence,
  lookBack,
  type Reading,
  returnsIn,
  type WrongReading,
} from './remaining-evidence.ts';
import { certainlyWithin, clockSlack, countBelow, possiblyWithin, type Spans } from './timeline.ts';
import type { Call, Range } from './trace.ts';

/**
 * A refused call gets Remaining 0. It may get more if calls were admitted or freed while it was under way, or if a
 * window ended then, which does not happen to several refusals in a row. If fewer calls are admitted than Limit says,
 * the difference may still remain.
 */
export function tooHighAtRefusal({ readings, timeline: { possible }, terms }: Evidence): WrongReading | null {
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

/** A reading, and the highest Remaining that later calls can get, before the calls admitted since are subtracted. */
interface Bound extends Reading {
  readonly most: number;
}

/** The bounds that readings set, in the order of responses. `rate` is how many calls a bucket frees a ms. */
function boundsOf(evidence: Evidence, answered: readonly Reading[], rate: number): Bound[] {
  const { limit, windowMs } = evidence.terms;
  const { admitted, possible, span } = evidence.timeline;
  const ended = answered.toSorted((a, b) => a.call.to - b.call.to);
  const others = ended.map(({ call, value }) =>
    Math.max(0, limit - value - countedBy(evidence, call, call.from - windowMs)),
  );
  /** How many calls by others may be freed: not those made since an earlier reading of the same window. */
  const oldOthers = (index: number): number => {
    const { from } = (ended[index] as Reading).call;
    let least = others[index] as number;
    for (let back = index - 1; back >= Math.max(0, index - lookBack); back -= 1) {
      const { call } = ended[back] as Reading;
      least = call.to < from && call.from > from - windowMs ? Math.min(least, others[back] as number) : least;
    }
    return least;
  };
  /**
   * How many calls under way at the same time may have been counted at first, and freed when they turned out to be
   * wrong.
   */
  const freedAtOnce = ({ from, to }: Call): number =>
    possiblyWithin(possible, from, to) - possiblyWithin(admitted, from, to);
  return ended.map(({ call, value }, index) => {
    const made = countBelow(admitted.froms, call.to, true);
    return { call, value, most: value + oldOthers(index) + freedAtOnce(call) + made - rate * (call.from - span.from) };
  });
}

/**
 * The end of a call's window, where Reset tells windows apart: it names moments that follow each other by at least a
 * window. null: it does not, as if it moves with each call, counts down, names the end of the day, or counts seconds
 * where windows last a few of them: then all that is rounded to seconds looks like windows.
 */
function windowEnds(readings: readonly Reading[], windowMs: number): (call: Call) => number | null {
  const endOf = ({ sample: { reset } }: Call): number | null => {
    const number = firstNumber(reset) ?? 0;
    const unit = number > 1e12 ? 1 : 1_000;
    return number > 1e9 && 10 * unit <= windowMs ? number * unit : null;
  };
  const ends = [...new Set(readings.flatMap(({ call }) => endOf(call) ?? []))].sort((a, b) => a - b);
  const areApart = ends.every((end, index) => end - (ends[index - 1] ?? -Infinity) >= windowMs - clockSlack(windowMs));
  return ends.length > 1 && areApart ? endOf : () => null;
}

/**
 * Between two calls, Remaining falls by one for each call that was admitted between them. It may rise when a window
 * ends (once in a window's length, and not while Reset names the same end), when a bucket refills, and when calls of at
 * least half a window ago are freed.
 */
export function failsToFall(evidence: Evidence): WrongReading | null {
  const { limit, windowMs, refills = true } = evidence.terms;
  const { admitted, possible, span } = evidence.timeline;
  const rate = refills ? limit / windowMs : 0;
  const answered = evidence.readings.filter(({ call }) => call.outcome !== 'refused');
  const bounds = boundsOf(evidence, answered, rate);
  /** By how much a reading exceeds what an earlier one allows. */
  const riseSince = (bound: Bound, { call, value }: Reading): number => {
    const olderOf = (calls: Spans): number => possiblyWithin(calls, call.to - 2 * windowMs, call.from - windowMs / 2);
    const older = olderOf(possible) + olderOf(evidence.others) + (refills ? 1 : 0);
    return value + countBelow(admitted.tos, call.from) - rate * (call.to - span.from) - bound.most - older;
  };
  const windowEnd = windowEnds(answered, windowMs);
  let next = 0;
  let lowest: Bound = { ...(bounds[0] as Bound), most: Infinity };
  let lastRise: Range = { from: -Infinity, to: -Infinity };
  for (const reading of answered) {
    const { call, value } = reading;
    for (; next < bounds.length && (bounds[next] as Bound).call.to < call.from; next += 1) {
      const bound = bounds[next] as Bound;
      lowest = bound.call.from > lastRise.to && bound.most < lowest.most ? bound : lowest;
    }
    if (value === 0 || riseSince(lowest, reading) <= 0) {
      continue;
    }
    const isSameWindow = windowEnd(call) !== null && windowEnd(call) === windowEnd(lowest.call);
    if (isSameWindow || call.to - lastRise.from < windowMs - clockSlack(windowMs)) {
      const says = `Remaining was ${lowest.value}, and ${value} later, although calls were admitted in between.`;
      return { says, sample: call.sample };
    }
    // The end of a window explains all rises around it. The next window ends a whole length later.
    lastRise = { from: lowest.call.from, to: call.to };
    lowest = { ...lowest, most: Infinity };
  }
  return null;
}

/** Remaining is never lower than the limit less all calls that can have been counted by then. */
export function tooLow(evidence: Evidence): WrongReading | null {
  const { readings, terms } = evidence;
  const least = Math.min(terms.limit, terms.enforced ?? terms.limit);
  const low = readings.find(({ call, value }) => value < least - countedBy(evidence, call, -Infinity));
  return low === undefined
    ? null
    : {
        says: `Remaining was ${low.value} when at most ${countedBy(evidence, low.call, -Infinity)} calls had been made.`,
        sample: low.call.sample,
      };
}

/**
 * Like `tooLow`, if others may have the key: then only fixed windows count that this run's calls filled completely,
 * since nobody else can have been admitted in them. Such a window began between a refused call and the next one, which
 * was admitted.
 */
export function tooLowInFilledWindow(evidence: Evidence): WrongReading | null {
  const { readings, timeline, terms } = evidence;
  const { limit, windowMs, enforced, isFixed = false } = terms;
  const starts = isFixed && enforced === limit ? [...returnsIn(timeline.calls).values()].map(({ from }) => from) : [];
  for (const start of starts) {
    const end = start + windowMs - clockSlack(windowMs);
    if (certainlyWithin(timeline.admitted, start, end) >= limit) {
      const low = readings.find(
        ({ call, value }) => call.from > start && value < limit - countedBy(evidence, call, start),
      );
      if (low !== undefined) {
        const most = countedBy(evidence, low.call, start);
        const says = `Remaining was ${low.value} when at most ${most} calls had been made in a window that this run filled.`;
        return { says, sample: low.call.sample };
      }
    }
  }
  return null;
}
