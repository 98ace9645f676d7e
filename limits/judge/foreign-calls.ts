import {
  countedBetween,
  countedBy,
  type Evidence,
  isRejected,
  lookBack,
  type Told,
  type Wrong,
} from './remaining-evidence.ts';
import { clockSlack, possiblyWithin } from './timeline.ts';

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
  const plain = told
    .filter(({ call }) => call.sample.route === undefined)
    .map((one) => ({ ...one, counted: countedBefore(one.call.from) }));
  let most: Fall = { calls: 0 };
  for (const [index, later] of plain.entries()) {
    const until = countedUntil(later.call);
    for (let back = Math.max(0, index - lookBack); back < index; back += 1) {
      const earlier = plain[back] as (typeof plain)[number];
      // Most pairs fell less than what is known already: what was counted between them need not be.
      if (earlier.value - later.value > most.calls && earlier.call.to < later.call.from) {
        const calls = earlier.value - later.value - countedBetween(earlier.counted, until);
        most = calls > most.calls ? { calls, earlier, later } : most;
      }
    }
  }
  return most;
}
