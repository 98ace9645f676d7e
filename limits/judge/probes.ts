import { possiblyWithin, type Spans } from './timeline.ts';
import { isAdmitted, type Sample } from './trace.ts';

/** What a call of another kind (or with another key) got while the judged key's plain call was refused. */
export interface ProbeVerdict {
  readonly route: string;
  /** Label of the key that the probe was sent with. */
  readonly key: string;
  /**
   * `undecided`: the plain call was not refused both before and after it, or the response says nothing of the limit (a 400,
   * none). `failed`: it got a 5xx, and the same call was accepted at another time.
   */
  readonly outcome: 'refused' | 'admitted' | 'failed' | 'undecided';
  readonly sample: Sample;
}

/** The phase of calls that are made while the key is refused. */
export const whileRefused = 'while refused';

/**
 * Whether the plain call was refused before the probe and after it, with nothing given back in between. `samples` are in order of
 * arrival: what is sent one after the other may bear the same time.
 */
function isEnclosed(
  samples: readonly Sample[],
  probe: Sample,
  { key, windowMs, refusal, possible }: ProbeTerms,
): boolean {
  const at = samples.indexOf(probe);
  const isPlain = (sample: Sample): boolean => sample.key === key && sample.route === undefined;
  const before = samples.slice(0, at).findLast(isPlain);
  const later = samples.slice(at).find(isPlain);
  if (before?.status !== refusal || later?.status !== refusal) {
    return false;
  }
  return (
    before.receivedAt <= probe.sentAt &&
    probe.receivedAt <= later.sentAt &&
    possiblyWithin(possible, before.sentAt - windowMs, later.receivedAt - windowMs) === 0
  );
}

interface ProbeTerms {
  /** Label of the judged key. */
  readonly key: string;
  readonly windowMs: number;
  /** The status with which its plain calls are refused. */
  readonly refusal: number;
  /** Its calls that may have been counted. */
  readonly possible: Spans;
}

function outcomeOf(samples: readonly Sample[], sample: Sample, terms: ProbeTerms): ProbeVerdict['outcome'] {
  if (sample.status === terms.refusal || sample.status === 429) {
    return 'refused';
  }
  const isAccepted = (twin: Sample): boolean =>
    twin.route === sample.route && twin.key === sample.key && isAdmitted(twin);
  const isFailure = sample.status >= 500 && samples.some(isAccepted);
  if ((!isFailure && !isAdmitted(sample)) || !isEnclosed(samples, sample, terms)) {
    return 'undecided';
  }
  return isFailure ? 'failed' : 'admitted';
}

/**
 * A route that was refused once draws on the same budget, and is refused as it should be: where it was let in another time a call may
 * just have been given back, and one 5xx is an accident.
 */
const rank: Readonly<Record<ProbeVerdict['outcome'], number>> = { refused: 0, failed: 1, admitted: 2, undecided: 3 };

/** One verdict for each route and key; where a route was tried more than once, what tells most. */
export function judgeProbes(samples: readonly Sample[], terms: ProbeTerms): ProbeVerdict[] {
  const verdicts = new Map<string, ProbeVerdict>();
  for (const sample of samples.filter(({ phase }) => phase === whileRefused)) {
    const { route = 'the same call', key } = sample;
    const verdict = { route, key, outcome: outcomeOf(samples, sample, terms), sample };
    const known = verdicts.get(`${route} ${key}`);
    if (known === undefined || rank[verdict.outcome] < rank[known.outcome]) {
      verdicts.set(`${route} ${key}`, verdict);
    }
  }
  return [...verdicts.values()];
}
