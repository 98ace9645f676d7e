/** One call as the client saw it. Header texts are kept as they came; null where the header is absent. */
export interface Sample {
  /** When the call was sent, in ms on the client's clock. The deployment decided between `sentAt` and `receivedAt`. */
  readonly sentAt: number;
  /** When the response was complete, in ms on the same clock. */
  readonly receivedAt: number;
  /** HTTP status, or 0 where no response came. */
  readonly status: number;
  readonly limit: string | null;
  readonly remaining: string | null;
  readonly reset: string | null;
  readonly retryAfter: string | null;
  readonly date: string | null;
  /** Label of the key that was sent (a setting's name, never the key). */
  readonly key: string;
  /** What the call was for: before, opener, intruder, burst, probe, follow-up, … */
  readonly phase: string;
  /** What was called, where it is not the drive's own read: another endpoint, a write, query mode. */
  readonly route?: string;
  /** Text of the body, kept of refusals only. */
  readonly body?: string;
}

/** What the documents promise the key that is judged. */
export interface Terms {
  readonly limit: number;
  /** A minute, in ms of the deployment's clock. */
  readonly windowMs: number;
  /** Label of the judged key; the first sample's by default. */
  readonly key?: string;
  /** Nobody but this run has the key, so what is missing was not used by others. */
  readonly own?: boolean;
}

/** A sample with what the headers of its response say, as `header` reads them. */
export const sampleOf = (
  call: Pick<Sample, 'sentAt' | 'receivedAt' | 'status' | 'key' | 'phase'>,
  header: (name: string) => string | null,
): Sample => ({
  ...call,
  limit: header('X-RateLimit-Limit'),
  remaining: header('X-RateLimit-Remaining'),
  reset: header('X-RateLimit-Reset'),
  retryAfter: header('Retry-After'),
  date: header('Date'),
});

/** What a limiter did with a call. `unknown`: no response, or one that leaves open whether the call was counted. */
type Outcome = 'admitted' | 'refused' | 'unknown';

/** From one moment (or phase) to another, in ms on the client's clock. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A call as the judge uses it: the decision was made in this range. */
export interface Call extends Range {
  readonly outcome: Outcome;
  readonly sample: Sample;
}

const tooMany = 429;

/** Whether the limiter let a call through, whatever the deployment made of it then. */
export const isLetThrough = ({ status }: Pick<Sample, 'status'>): boolean =>
  status !== 0 && status !== tooMany && status < 500;

export const isAdmitted = ({ status }: Pick<Sample, 'status'>): boolean => status !== 0 && status < 400;

/**
 * The status that means refusal in this trace: 429, or, where no 429 came at all, the failure that plain calls began to
 * get after a success (a limiter that refuses with 403 or 503 still limits; the clause on 429 blames it for the status).
 */
export function refusalStatus(samples: readonly Sample[]): number {
  const plain = samples.filter(({ route, phase, status }) => route === undefined && phase !== 'before' && status !== 0);
  const failures = plain.filter(({ status }) => status >= 400);
  const [first] = plain;
  const [failure] = failures;
  if (first === undefined || failure === undefined || first.status >= 400 || failures.length < 2) {
    return tooMany;
  }
  return failures.every(({ status }) => status === failure.status) ? failure.status : tooMany;
}

function outcomeOf(sample: Sample, refusal: number): Outcome {
  if (isAdmitted(sample)) {
    return 'admitted';
  }
  // What refused an earlier call may be another limit, such as one endpoint's cooldown.
  const refused = sample.status === refusal || sample.status === tooMany;
  return refused && sample.phase !== 'before' ? 'refused' : 'unknown';
}

/** The calls of one key label, in the order in which they were sent. */
export function callsOf(samples: readonly Sample[], key: string): Call[] {
  const own = samples.filter((sample) => sample.key === key);
  const refusal = refusalStatus(own);
  return own
    .map((sample) => ({
      from: sample.sentAt,
      to: sample.receivedAt,
      outcome: outcomeOf(sample, refusal),
      sample,
    }))
    .sort((a, b) => a.from - b.from);
}

/** The last refusal before calls came back and the first call that came back: the edge lies between. */
export interface Return {
  readonly last: Call;
  readonly back: Call;
}

/** The first return among calls in the order of sending; null where nothing was refused, or nothing came back. */
export function returnIn(calls: readonly Call[]): Return | null {
  const first = calls.find(({ outcome }) => outcome === 'refused');
  const back = first && calls.find(({ outcome, from }) => outcome === 'admitted' && from > first.to);
  const last = back && calls.findLast(({ outcome, to }) => outcome === 'refused' && to < back.from);
  return back && last ? { last, back } : null;
}

/** The calls from the last opener on: what came before it only found out whether the key was idle. */
export function sinceOpener(samples: readonly Sample[]): readonly Sample[] {
  const opener = samples.findLastIndex((sample) => sample.phase === 'opener');
  return opener < 0 ? samples : samples.slice(opener);
}
