// A trace: every call of one run that may touch the judged key's budget, on the client's own clock.
// Pure TypeScript: no Node, no DOM, no k6. Runs in k6's Sobek and in Node alike.

/** One call as the client saw it. Header texts are kept as they came; null where the header is absent. */
export type Sample = {
  /** When the call left, in ms on the client's clock. The server decided between `sentAt` and `receivedAt`. */
  sentAt: number;
  /** When the answer was there, in ms on the same clock. */
  receivedAt: number;
  /** HTTP status, or 0 where no answer came. */
  status: number;
  limit: string | null;
  remaining: string | null;
  reset: string | null;
  retryAfter: string | null;
  date: string | null;
  /** Label of the key that was sent (a setting's name, never the key). Calls with another label are intruders. */
  key: string;
  /** What the call was for: opener, intrude, burst, probe, follow-up, … */
  phase: string;
  /** Text of the body, kept of refusals only. */
  body?: string;
};

/** What a limiter did with a call. `unknown`: no answer or a server error, so it may or may not have counted. */
export type Fate = 'admitted' | 'refused' | 'unknown';

/** A call as the judge uses it: `s` and `r` enclose the moment of decision. */
export type Call = { s: number; r: number; fate: Fate; sample: Sample };

const TOO_MANY = 429;

/**
 * The status that means refusal in this trace: 429, or, where no 429 came at all, the failure that calls began to get
 * after a success (a limiter that refuses with 403 or 503 still limits; the clause on 429 blames it for the status).
 */
export function refusalStatus(samples: readonly Sample[]): number {
  if (samples.some((sample) => sample.status === TOO_MANY)) {
    return TOO_MANY;
  }
  const first = samples.find((sample) => sample.status !== 0);
  if (first === undefined || first.status >= 400) {
    return TOO_MANY;
  }
  const failures = samples.filter((sample) => sample.status >= 400);
  const status = failures[0]?.status;
  const steady = failures.length > 1 && failures.every((sample) => sample.status === status);
  return steady && status !== undefined ? status : TOO_MANY;
}

function fateOf(status: number, refusal: number): Fate {
  if (status === refusal) {
    return 'refused';
  }
  return status === 0 || status >= 500 ? 'unknown' : 'admitted';
}

/** The calls of one key label, in the order in which they were sent. */
export function callsOf(samples: readonly Sample[], key: string): Call[] {
  const own = samples.filter((sample) => sample.key === key);
  const refusal = refusalStatus(own);
  return own
    .map((sample) => ({ s: sample.sentAt, r: sample.receivedAt, fate: fateOf(sample.status, refusal), sample }))
    .sort((a, b) => a.s - b.s);
}

/** Counts how many of the ascending `sorted` are below `x` (or, with `orEqual`, not above it). */
export function countBelow(sorted: readonly number[], x: number, orEqual = false): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const value = sorted[middle] as number;
    if (value < x || (orEqual && value === x)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** Ascending copy. */
export function ascending(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

/** The calls from the last opener on: what came before it only found out whether the key was idle. */
export function sinceOpener(samples: readonly Sample[]): readonly Sample[] {
  const opener = samples.findLastIndex((sample) => sample.phase === 'opener');
  return opener < 0 ? samples : samples.slice(opener);
}
