import { firstNumber } from './headers.ts';
import { heldLonger } from './hypotheses.ts';
import {
  countedBetween,
  countedBy,
  type Evidence,
  isRejected,
  lookBack,
  type Reading,
  returnsIn,
  type WrongReading,
} from './remaining-evidence.ts';
import { clockSlack, possiblyWithin, type Spans, type Timeline, timelineOf } from './timeline.ts';
import { type Call, continues } from './trace.ts';

/** If nobody else has the key, Remaining must not fall further between two calls than calls were made meanwhile. */
export function fallsTooFar(evidence: Evidence): WrongReading | null {
  const { calls: uncounted, earlier, later } = furthestFall(evidence);
  // The earlier call may have been counted only after its headers were written.
  const calls = uncounted - 1;
  if (earlier === undefined || later === undefined || calls === 0) {
    return null;
  }
  const says = `Remaining was ${earlier.value}, and ${later.value} later: it fell by ${calls} more than calls were made meanwhile.`;
  // A rejected call is shown first: another part of the deployment may have written its headers.
  const { sample } = [earlier.call, later.call].find(isRejected) ?? later.call;
  return { says, sample };
}

/** How many calls by others must have been counted. */
export const foreignIn = (evidence: Evidence): number => Math.max(foreignSoFar(evidence), foreignInLog(evidence));

/**
 * How many calls by others Remaining shows, whatever the limiter is. Where all calls of the run are known that can
 * still count, Remaining itself shows them, else only how it falls.
 */
function foreignSoFar(evidence: Evidence): number {
  const { readings, timeline, terms } = evidence;
  const { limit, windowMs, mayWeigh = true } = terms;
  const isContinued = continues(timeline.calls, windowMs);
  const longestMs = windowMs * (mayWeigh ? 2 : 1 + heldLonger) + clockSlack(windowMs);
  const knownFrom = isContinued ? timeline.span.from + longestMs : -Infinity;
  const missing = readings
    .filter(({ call }) => call.from >= knownFrom)
    .map(({ call, value }) => {
      const since = call.from - windowMs - clockSlack(windowMs);
      const counted = countedBy(evidence, call, call.from - longestMs);
      return possiblyWithin(timeline.possible, since, call.to) === 0 ? 0 : limit - value - counted;
    });
  return Math.max(0, ...missing, isContinued ? furthestFall(evidence).calls : 0);
}

/** How many calls besides this run's a sliding log holds when it admits a call after a refusal. */
function foreignInLog({ terms, readings, timeline: { calls, possible } }: Evidence): number {
  const { limit, windowMs, isLog = false } = terms;
  const returns = returnsIn(calls);
  const held = readings
    .filter(({ call }) => isLog && returns.has(call))
    .map(({ call: { from, to }, value }) => {
      return limit - value - possiblyWithin(possible, from - windowMs - clockSlack(windowMs), to);
    });
  return Math.max(0, ...held);
}

/** A call whose headers describe a longer window than the minute's. */
interface LongReading extends Call {
  readonly value: number;
}

/**
 * How many calls by others headers of a longer window show, such as the day's: Remaining fell further between two calls
 * than this run called meanwhile. `others`: calls with other keys that may draw on the same budget.
 */
export function foreignInLongerWindow({ calls, possible, refused }: Timeline, others: Spans, limit: number): number {
  const readings = calls.flatMap((call): LongReading[] => {
    const value = firstNumber(call.sample.remaining);
    return value === null || (firstNumber(call.sample.limit) ?? 0) <= limit ? [] : [{ ...call, value }];
  });
  if (countsCallsSeveralTimes(readings, limit)) {
    return 0;
  }
  const withRefused = countsRefusals(readings);
  const counted = [possible, others, ...(withRefused ? [timelineOf(refused).all] : [])];
  /** How many calls may have been counted after an earlier call, by the time a later one was answered. */
  const countedBetween = (earlier: Call, later: Call): number => {
    const isCounted = withRefused || earlier.outcome !== 'refused';
    return counted.reduce((sum, spans) => sum + possiblyWithin(spans, earlier.from, later.to), isCounted ? -1 : 0);
  };
  return readings.reduce((most, later, index) => {
    const falls = readings
      .slice(Math.max(0, index - lookBack), index)
      // A cheap test first: most pairs fall by less than the furthest fall so far, whatever was counted between them.
      .filter(({ value, to, sample }) => {
        return value - later.value > most && to < later.from && sample.limit === later.sample.limit;
      })
      .map((earlier) => earlier.value - later.value - countedBetween(earlier, later));
    return Math.max(most, ...falls);
  }, 0);
}

/** Whether no two of many values are neighbours: then the deployment itself counts each call for more than one. */
function countsCallsSeveralTimes(readings: readonly LongReading[], limit: number): boolean {
  const values = new Set(readings.map(({ value }) => value));
  return values.size >= limit / 2 && ![...values].some((value) => values.has(value - 1));
}

/** Whether refused calls may count: Remaining fell from each refusal to the next. */
const countsRefusals = (readings: readonly LongReading[]): boolean =>
  !readings.some((call, index) => {
    const before = readings[index - 1];
    const areRefusals = before?.outcome === 'refused' && call.outcome === 'refused';
    return areRefusals && before.to < call.from && before.value === call.value;
  });

/** A fall of Remaining between two calls, and by how much it exceeds this run's calls. */
interface Fall {
  /** How many calls must have been made by others. */
  readonly calls: number;
  readonly earlier?: Reading;
  readonly later?: Reading;
}

/**
 * The fall that calls by others must explain most of. If the trace continues from earlier calls, it is the only sign of
 * others: how many calls were counted at its beginning is unknown, and so is how long they count.
 */
function furthestFall({ readings, countedUntil, countedBefore }: Evidence): Fall {
  // Other routes may have a budget of their own, or none.
  const plain = readings
    .filter(({ call }) => call.sample.route === undefined)
    .map((one) => ({ ...one, counted: countedBefore(one.call.from) }));
  let most: Fall = { calls: 0 };
  for (const [index, later] of plain.entries()) {
    const until = countedUntil(later.call);
    for (let back = Math.max(0, index - lookBack); back < index; back += 1) {
      const earlier = plain[back] as (typeof plain)[number];
      // A cheap test first: most pairs fall by less than the furthest fall so far, whatever was counted between them.
      if (earlier.value - later.value > most.calls && earlier.call.to < later.call.from) {
        // The earlier call is among those counted, but its own Remaining includes it.
        const calls = earlier.value - later.value - countedBetween(earlier.counted, until) + 1;
        most = calls > most.calls ? { calls, earlier, later } : most;
      }
    }
  }
  return most;
}
