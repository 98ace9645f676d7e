/** One call as the client saw it. Headers are kept as they came; null if absent. */
export interface Sample {
  /** When the call was sent, in ms on the client's clock. The deployment decided between `sentAt` and `receivedAt`. */
  readonly sentAt: number;
  /** When the response was complete, in ms on the same clock. */
  readonly receivedAt: number;
  /** The HTTP status; 0 if no response came. */
  readonly status: number;
  readonly limit: string | null;
  readonly remaining: string | null;
  readonly reset: string | null;
  readonly retryAfter: string | null;
  readonly date: string | null;
  /** The label of the key that was sent: a setting's name, never the key itself. */
  readonly key: string;
  /** What the call was for: before, opener, intruder, burst, probe, follow-up, … */
  readonly phase: string;
  /** What was called, if not the drive's plain read: another endpoint, a write, query mode. */
  readonly route?: string;
  /** The text of the body; kept only for refusals. */
  readonly body?: string;
}

/** What the documents promise for the judged key. */
export interface Terms {
  /** Calls a minute. */
  readonly limit: number;
  /** The deployment's minute in ms of real time: less than 60,000 if its windows pass faster (CLOCK_SPEED). */
  readonly windowMs: number;
  /** The label of the judged key; by default the first sample's. */
  readonly key?: string;
  /** Whether nobody but this run has the key, so that no calls by others are counted. */
  readonly own?: boolean;
}

/** A sample from a call and the headers of its response, which `header` gives by name. */
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

/** What a limiter did with a call. `unknown`: there is no response, or it leaves open whether the call was counted. */
type Outcome = 'admitted' | 'refused' | 'unknown';

/** From one moment (or phase) to another, in ms on the client's clock. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A call as the judge sees it. The range is from its sending to its response: the limiter decided somewhere in it. */
export interface Call extends Range {
  readonly outcome: Outcome;
  readonly sample: Sample;
}

const tooMany = 429;

/** Whether the limiter let a call through, even if the deployment then rejected it. */
export const isLetThrough = ({ status }: Pick<Sample, 'status'>): boolean =>
  status !== 0 && status !== tooMany && status < 500;

/** A redirect may come before the limiter, and is no success (clauses.md, A redirect). */
export const isAdmitted = ({ status }: Pick<Sample, 'status'>): boolean =>
  (status > 0 && status < 300) || status === 304;

/**
 * The status of refusals in this trace. It is 429, unless all failures of plain calls have one other status and came
 * after a success: a limiter that refuses with 403 or 503 still limits. The clause on 429 fails for that status.
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
  // An earlier call may have been refused by another limit, such as one endpoint's cooldown.
  const refused = sample.status === refusal || sample.status === tooMany;
  return refused && sample.phase !== 'before' ? 'refused' : 'unknown';
}

/** The calls with one key, by its label, in the order of sending. */
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

/** A return: the last refusal, and the first call that was admitted after it. The window moved on between the two. */
export type Return = NonNullable<ReturnType<typeof returnIn>>;

/** The first return among calls in the order of sending; null if there is none. */
export function returnIn(calls: readonly Call[]) {
  const first = calls.find(({ outcome }) => outcome === 'refused');
  const back = first && calls.find(({ outcome, from }) => outcome === 'admitted' && from > first.to);
  const last = back && calls.findLast(({ outcome, to }) => outcome === 'refused' && to < back.from);
  return back && last ? { last, back } : null;
}
