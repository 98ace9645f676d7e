import { certainlyWithin, clockSlack, countBelow, possiblyWithin, type Spans, type Timeline } from './timeline.ts';
import type { Call, Range, Sample, Terms } from './trace.ts';

export interface RemainingTerms extends Terms {
  /** Nobody but this run has the key; what it enforces is not known. */
  readonly alone?: boolean;
  /** The number that the deployment was found to enforce: a Remaining that is true of it is true. */
  readonly enforced?: number | null;
  /** The limiter is known not to give calls back one by one within the window. */
  readonly refills?: boolean;
  /** All calls come back at once, at the end of a window that others' calls do not move. */
  readonly isFixed?: boolean;
}

/** A call that was refused for what it asks, and not for want of a key or of a budget: it is told the truth as well. */
export const isRejected = ({ status }: Sample): boolean => [400, 403, 404].includes(status);

/** A call, and the Remaining that it was told. */
interface Told {
  readonly call: Call;
  readonly value: number;
}

/** What every rule looks at: the calls that were told a Remaining of the minute's limit, in the order of sending. */
export interface Evidence {
  readonly terms: RemainingTerms;
  readonly timeline: Timeline;
  readonly told: readonly Told[];
  /** Calls without the key that were told of the same limit: they may draw on it, and are given back as well. */
  readonly others: Spans;
  /**
   * How many calls can have been counted when this one was answered: the run's, others' that were told of, and refused ones,
   * which may count, but none that was under way at once: it would have been refused first.
   */
  readonly countedUntil: (call: Call) => Counts;
  /** How many of each kind were over before a moment. */
  readonly countedBefore: (moment: number) => Counts;
}

type Counts = readonly number[];

const countedBetween = (before: Counts, until: Counts): number =>
  until.reduce((sum, count, kind) => sum + Math.max(0, count - (before[kind] ?? 0)), 0);

/** How many calls can have been counted when one was answered, of those made since a moment. */
const countedBy = ({ countedUntil, countedBefore }: Evidence, call: Call, since: number): number =>
  countedBetween(countedBefore(since), countedUntil(call));

/** What is wrong with a value, and the call that was told it. */
interface Wrong {
  readonly says: string;
  readonly sample: Sample;
}

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

/** How many of the values told before it each one is compared with. */
const lookBack = 150;

/** A call that was told a value, and the most that a later one can be told by what was let in since. */
interface Start extends Told {
  readonly most: number;
}

/**
 * Remaining falls by one with each call that was let in between two others. It may rise where a window ends (once in a
 * window's length), where a bucket refills, and where calls of half a window ago or more are given back.
 */
export function standsStill(evidence: Evidence): Wrong | null {
  const { told, timeline, terms } = evidence;
  const { limit, windowMs, refills = true } = terms;
  const { admitted, possible, span } = timeline;
  const rate = refills ? limit / windowMs : 0;
  const answered = told.filter(({ call }) => call.outcome !== 'refused');
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
  const startOf = ({ call, value }: Told, index: number): Start => {
    const made = countBelow(admitted.froms, call.to, true);
    return { call, value, most: value + oldOthers(index) + givenBack(call) + made - rate * (call.from - span.from) };
  };
  const byEnd = ended.map(startOf);
  let next = 0;
  let least: Start = { ...(byEnd[0] as Start), most: Infinity };
  let risen: Range = { from: -Infinity, to: -Infinity };
  for (const { call, value } of answered) {
    for (; next < byEnd.length && (byEnd[next] as Start).call.to < call.from; next += 1) {
      const start = byEnd[next] as Start;
      least = start.call.from > risen.to && start.most < least.most ? start : least;
    }
    const olderOf = (calls: Spans): number => possiblyWithin(calls, call.to - 2 * windowMs, call.from - windowMs / 2);
    const older = olderOf(possible) + olderOf(evidence.others);
    const made = countBelow(admitted.tos, call.from);
    const rise = value + made - rate * (call.to - span.from) - least.most - older - (refills ? 1 : 0);
    if (value === 0 || rise <= 0) {
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

/** Of a key that nobody else has, no call is told so much less than an earlier one that others must have called meanwhile. */
export function fallsTooFar(evidence: Evidence): Wrong | null {
  const { calls, earlier, later } = furthestFall(evidence);
  if (earlier === undefined || later === undefined) {
    return null;
  }
  const says = `Remaining was ${earlier.value}, and ${later.value} later: ${calls} less than calls were made meanwhile.`;
  // What refuses a call may write headers of its own.
  const { sample } = [earlier.call, later.call].find((call) => isRejected(call.sample)) ?? later.call;
  return { says, sample };
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
      const isLow = ({ call, value }: Told): boolean => value < limit - countedBy(evidence, call, start);
      const low = told.find((one) => one.call.from > start && one.call.to < end && isLow(one));
      if (low !== undefined) {
        const most = countedBy(evidence, low.call, start);
        const says = `Remaining was ${low.value} when at most ${most} calls had been made in a window that this run filled.`;
        return { says, sample: low.call.sample };
      }
    }
  }
  return null;
}

/** Calls that must have been counted and were not this run's. What is told when the run had made none shows a block as well. */
export function foreignIn(evidence: Evidence): number {
  const { told, timeline } = evidence;
  const { limit, windowMs } = evidence.terms;
  if (timeline.calls.some(({ sample }) => sample.phase === 'before')) {
    return furthestFall(evidence).calls;
  }
  return told.reduce((most, { call, value }) => {
    const since = call.from - windowMs - clockSlack(windowMs);
    return possiblyWithin(timeline.possible, since, call.to) === 0
      ? most
      : Math.max(most, limit - value - countedBy(evidence, call, since));
  }, 0);
}

/** A fall of Remaining between two calls that this run's calls do not explain. */
interface Fall {
  /** How many calls must have been somebody else's. */
  readonly calls: number;
  readonly earlier?: Told;
  readonly later?: Told;
}

/**
 * Where the trace goes on from earlier calls, what it began with is unknown, and so is how long those are counted: only what
 * Remaining fell between two calls tells of others.
 */
function furthestFall({ told, countedUntil, countedBefore }: Evidence): Fall {
  // Another route may have a budget of its own, or none.
  const plain = told.filter(({ call }) => call.sample.route === undefined);
  const befores = plain.map(({ call }) => countedBefore(call.from));
  let most: Fall = { calls: 0 };
  for (const [index, later] of plain.entries()) {
    const until = countedUntil(later.call);
    for (let back = Math.max(0, index - lookBack); back < index; back += 1) {
      const earlier = plain[back] as Told;
      // Most pairs fell less than what is known already: what was counted between them need not be.
      if (earlier.value - later.value > most.calls && earlier.call.to < later.call.from) {
        const calls = earlier.value - later.value - countedBetween(befores[back] as Counts, until);
        most = calls > most.calls ? { calls, earlier, later } : most;
      }
    }
  }
  return most;
}
