import { firstNumber, showsMinute } from './headers.ts';
import { ascending, clockSlack, countBelow, possiblyWithin, type Timeline, timelineOf } from './timeline.ts';
import { type Call, callsOf, type Range, type Sample } from './trace.ts';

export interface RemainingVerdict {
  /** `not judged`: Limit shows another number than the minute's, or the headers are absent. */
  readonly verdict: 'holds' | 'fails' | 'undecided' | 'not judged';
  readonly says: string;
  /** So many calls more than this run made must have been counted: somebody else's. */
  readonly foreignCalls: number;
}

export interface RemainingTerms {
  readonly limit: number;
  readonly windowMs: number;
  /** Label of the judged key; the first sample's by default. */
  readonly key?: string;
  /** Nobody but this run has the key. */
  readonly own?: boolean;
  /** The number that the deployment was found to enforce: a Remaining that is true of it is true. */
  readonly enforced?: number | null;
  /** The limiter is known not to give calls back one by one within the window. */
  readonly refills?: boolean;
}

interface Told {
  readonly call: Call;
  readonly value: number;
}

/** What every rule looks at: the calls that were told a Remaining of the minute's limit, in the order of sending. */
interface Evidence {
  readonly terms: RemainingTerms;
  readonly timeline: Timeline;
  readonly told: readonly Told[];
  /**
   * How many calls can have been counted when this one was answered, of those made since a moment. Refused calls may count,
   * but none that was under way at once: it would have been refused first.
   */
  readonly countedBy: (call: Call, since: number) => number;
}

const whole = /^\d+$/;
const firstPart = (text: string): string => text.split(/[,;]/)[0]?.trim() ?? '';

/**
 * A refused call is told 0, unless calls were let in or given back while it was under way, or a window ended then, which does
 * not happen twice in a row. (Where fewer calls are let in than Limit says, the rest is still told.)
 */
function tooHighAtRefusal({ told, timeline: { possible }, terms }: Evidence): string | null {
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
  return first === undefined || high.every(({ call }) => call.from <= first.call.to)
    ? null
    : `Remaining is ${first.value} on ${high.length === 1 ? 'a refused call' : `${high.length} refused calls`}; 0 was expected.`;
}

/** A call that was told a value, and the most that a later one can be told by what was let in since. */
interface Start extends Told {
  readonly most: number;
}

/**
 * Remaining falls by one with each call that was let in between two others. It may rise where a window ends (once in a
 * window's length), where a bucket refills, and where calls of half a window ago or more are given back.
 */
function standsStill({ told, timeline, terms, countedBy }: Evidence): string | null {
  const { limit, windowMs, refills = true } = terms;
  const { admitted, possible, span } = timeline;
  const rate = refills ? limit / windowMs : 0;
  const startOf = ({ call, value }: Told): Start => {
    const others = Math.max(0, limit - value - countedBy(call, call.from - windowMs));
    const made = countBelow(admitted.froms, call.to, true);
    return { call, value, most: value + others + made - rate * (call.from - span.from) };
  };
  const successes = told.filter(({ call }) => call.outcome === 'admitted');
  const byEnd = [...successes].sort((a, b) => a.call.to - b.call.to).map(startOf);
  let next = 0;
  let least: Start = { ...(byEnd[0] as Start), most: Infinity };
  let risen: Range = { from: -Infinity, to: -Infinity };
  for (const { call, value } of successes) {
    for (; next < byEnd.length && (byEnd[next] as Start).call.to < call.from; next += 1) {
      const start = byEnd[next] as Start;
      least = start.call.from > risen.to && start.most < least.most ? start : least;
    }
    const older = possiblyWithin(possible, call.to - 2 * windowMs, call.from - windowMs / 2);
    const made = countBelow(admitted.tos, call.from);
    const rise = value + made - rate * (call.to - span.from) - least.most - older - (refills ? 1 : 0);
    if (value === 0 || rise <= 0) {
      continue;
    }
    if (call.to - risen.from < windowMs - clockSlack(windowMs)) {
      return `Remaining was ${least.value}, and ${value} later, although calls were let in between.`;
    }
    // One window's end explains every rise that held it; the next end is a window's length away.
    risen = { from: least.call.from, to: call.to };
    least = { ...least, most: Infinity };
  }
  return null;
}

/** No call is told less than the limit less everything that can have been counted by then. */
function tooLow({ told, terms, countedBy }: Evidence): string | null {
  const least = Math.min(terms.limit, terms.enforced ?? terms.limit);
  const low = told.find(({ call, value }) => value < least - countedBy(call, -Infinity));
  return low === undefined
    ? null
    : `Remaining was ${low.value} when at most ${countedBy(low.call, -Infinity)} calls had been made.`;
}

/** Calls that must have been counted and were not this run's. What is told when the run had made none shows a block as well. */
function foreignIn(evidence: Evidence): number {
  const { told, timeline, countedBy } = evidence;
  const { limit, windowMs } = evidence.terms;
  if (timeline.calls.some(({ sample }) => sample.phase === 'before')) {
    return foreignBetween(evidence);
  }
  return told.reduce((most, { call, value }) => {
    const since = call.from - windowMs - clockSlack(windowMs);
    return possiblyWithin(timeline.possible, since, call.to) === 0
      ? most
      : Math.max(most, limit - value - countedBy(call, since));
  }, 0);
}

/** So many of the values told before one are held against it. */
const lookBack = 150;

/**
 * Where the trace goes on from earlier calls, what it began with is unknown, and so is how long those are counted: only what
 * Remaining fell between two calls tells of others.
 */
function foreignBetween({ told, countedBy }: Evidence): number {
  // Another route may have a budget of its own, or none.
  const plain = told.filter(({ call }) => call.sample.route === undefined);
  return plain.reduce((most, { call, value }, index) => {
    const falls = plain
      .slice(Math.max(0, index - lookBack), index)
      .filter((earlier) => earlier.value > value && earlier.call.to < call.from)
      .map((earlier) => earlier.value - value - countedBy(call, earlier.call.from));
    return Math.max(most, ...falls);
  }, 0);
}

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
  const { limit, own = false } = terms;
  const key = terms.key ?? samples[0]?.key ?? '';
  const calls = callsOf(samples, key);
  const shown = calls.filter(({ sample }) => sample.limit !== null);
  const mine = shown.filter(({ sample }) => showsMinute(sample, limit) && sample.remaining !== null);
  if (mine.length === 0 && shown.every(({ sample }) => sample.remaining === null)) {
    return { verdict: 'not judged', says: 'The headers are absent.', foreignCalls: 0 };
  }
  if (mine.length < shown.length / 2) {
    const other = shown[0]?.sample.limit;
    return { verdict: 'not judged', says: `Limit shows ${other}, not the minute's ${limit}.`, foreignCalls: 0 };
  }
  const odd = mine.find(({ sample }) => !whole.test(firstPart(sample.remaining ?? '')));
  if (odd !== undefined) {
    return { verdict: 'fails', says: `Remaining is no whole number: ${odd.sample.remaining}.`, foreignCalls: 0 };
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
    told: mine.flatMap((call) => {
      const value = firstNumber(call.sample.remaining);
      return value === null || call.outcome === 'unknown' ? [] : [{ call, value }];
    }),
    countedBy: (call, since) =>
      possiblyWithin(timeline.possible, since, call.to) +
      possiblyWithin(others.all, since, call.to) +
      Math.max(0, countBelow(refusedTos, call.from, true) - countBelow(refusedTos, since)),
  };
  const foreignCalls = own ? 0 : foreignIn(evidence);
  const wrong = tooHighAtRefusal(evidence) ?? standsStill(evidence) ?? (own ? tooLow(evidence) : null);
  if (wrong !== null) {
    return { verdict: 'fails', says: wrong, foreignCalls };
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
