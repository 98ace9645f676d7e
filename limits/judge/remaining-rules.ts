import { countedBy, type Evidence, lookBack, type Told, type Wrong } from './remaining-evidence.ts';
import { certainlyWithin, clockSlack, countBelow, possiblyWithin, type Spans } from './timeline.ts';
import type { Call, Range } from './trace.ts';

/**
 * A refused call is told 0, unless calls were let in or given back while it was under way, or a window ended then, which does
 * not happen twice in a row. (Where fewer calls are let in than Limit says, the rest is still told.)
 */
export function tooHighAtRefusal({ told, timeline: { possible }, terms }: Evidence): Wrong | null {
  const { limit, windowMs, enforced } = terms;
  const most = Math.max(0, limit - (enforced ?? limit));
  const slack = clockSlack(windowMs);
  const high = told.filter(
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

/** A call that was told a value, and the most that a later one can be told by what was let in since. */
interface Start extends Told {
  readonly most: number;
}

/** What each of these calls bounds, in the order in which they were answered. `rate`: what a bucket refills, in calls a ms. */
function startsOf(evidence: Evidence, answered: readonly Told[], rate: number): Start[] {
  const { limit, windowMs } = evidence.terms;
  const { admitted, possible, span } = evidence.timeline;
  const ended = answered.toSorted((a, b) => a.call.to - b.call.to);
  const others = ended.map(({ call, value }) =>
    Math.max(0, limit - value - countedBy(evidence, call, call.from - windowMs)),
  );
  /** What others called since an earlier call of this window is not given back yet. */
  const oldOthers = (index: number): number => {
    const { from } = (ended[index] as Told).call;
    let least = others[index] as number;
    for (let back = index - 1; back >= Math.max(0, index - lookBack); back -= 1) {
      const { call } = ended[back] as Told;
      least = call.to < from && call.from > from - windowMs ? Math.min(least, others[back] as number) : least;
    }
    return least;
  };
  /** Calls under way at once that may be counted at first, and given back when they turn out to be wrong. */
  const givenBack = ({ from, to }: Call): number =>
    possiblyWithin(possible, from, to) - possiblyWithin(admitted, from, to);
  return ended.map(({ call, value }, index) => {
    const made = countBelow(admitted.froms, call.to, true);
    return { call, value, most: value + oldOthers(index) + givenBack(call) + made - rate * (call.from - span.from) };
  });
}

/**
 * Remaining falls by one with each call that was let in between two others. It may rise where a window ends (once in a
 * window's length), where a bucket refills, and where calls of half a window ago or more are given back.
 */
export function standsStill(evidence: Evidence): Wrong | null {
  const { limit, windowMs, refills = true } = evidence.terms;
  const { admitted, possible, span } = evidence.timeline;
  const rate = refills ? limit / windowMs : 0;
  const answered = evidence.told.filter(({ call }) => call.outcome !== 'refused');
  const starts = startsOf(evidence, answered, rate);
  /** By how much a call was told more than an earlier one allows. */
  const riseSince = (start: Start, { call, value }: Told): number => {
    const olderOf = (calls: Spans): number => possiblyWithin(calls, call.to - 2 * windowMs, call.from - windowMs / 2);
    const older = olderOf(possible) + olderOf(evidence.others) + (refills ? 1 : 0);
    return value + countBelow(admitted.tos, call.from) - rate * (call.to - span.from) - start.most - older;
  };
  let next = 0;
  let least: Start = { ...(starts[0] as Start), most: Infinity };
  let risen: Range = { from: -Infinity, to: -Infinity };
  for (const told of answered) {
    const { call, value } = told;
    for (; next < starts.length && (starts[next] as Start).call.to < call.from; next += 1) {
      const start = starts[next] as Start;
      least = start.call.from > risen.to && start.most < least.most ? start : least;
    }
    if (value === 0 || riseSince(least, told) <= 0) {
      continue;
    }
    if (call.to - risen.from < windowMs - clockSlack(windowMs)) {
      const says = `Remaining was ${least.value}, and ${value} later, although calls were let in between.`;
      return { says, sample: call.sample };
    }
    // One window's end explains every rise that held it; the next end is a window's length away.
    risen = { from: least.call.from, to: call.to };
    least = { ...least, most: Infinity };
  }
  return null;
}

/** No call is told less than the limit less everything that can have been counted by then. */
export function tooLow(evidence: Evidence): Wrong | null {
  const { told, terms } = evidence;
  const least = Math.min(terms.limit, terms.enforced ?? terms.limit);
  const low = told.find(({ call, value }) => value < least - countedBy(evidence, call, -Infinity));
  return low === undefined
    ? null
    : {
        says: `Remaining was ${low.value} when at most ${countedBy(evidence, low.call, -Infinity)} calls had been made.`,
        sample: low.call.sample,
      };
}

/**
 * In a fixed window that this run filled by itself nobody else called: there no call is told less than what it had left. Such a
 * window began between a call that was refused and the next, which was let in.
 */
export function tooLowWhereFilled(evidence: Evidence): Wrong | null {
  const { told, timeline, terms } = evidence;
  const { limit, windowMs, enforced, isFixed = false } = terms;
  const starts = timeline.calls.flatMap((call, index) => {
    const before = timeline.calls[index - 1];
    return call.outcome === 'admitted' && before?.outcome === 'refused' && before.to < call.from ? [before.from] : [];
  });
  for (const start of isFixed && enforced === limit ? starts : []) {
    const end = start + windowMs - clockSlack(windowMs);
    if (certainlyWithin(timeline.admitted, start, end) >= limit) {
      const low = told.find(({ call, value }) => call.from > start && value < limit - countedBy(evidence, call, start));
      if (low !== undefined) {
        const most = countedBy(evidence, low.call, start);
        const says = `Remaining was ${low.value} when at most ${most} calls had been made in a window that this run filled.`;
        return { says, sample: low.call.sample };
      }
    }
  }
  return null;
}
