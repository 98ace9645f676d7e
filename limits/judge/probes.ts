import { possiblyWithin, type Spans } from './timeline.ts';
import { type Call, isAdmitted, type Sample } from './trace.ts';

/** What a call of another kind (or with another key) got while plain calls with the judged key were refused. */
export interface ProbeVerdict {
  readonly route: string;
  /** The label of the key that the probe was sent with. */
  readonly key: string;
  /**
   * `failed`: it got a 5xx each time, although the same call was accepted at another time. `undecided`: plain calls
   * were not refused both before and after it, or its response says nothing about the limit (a 400, or none).
   */
  readonly outcome: 'refused' | 'admitted' | 'failed' | 'undecided';
  /** Whether plain calls were refused just before and after it. If not, its own refusal may be chance. */
  readonly isBetweenRefusals: boolean;
  readonly sample: Sample;
}

/** The phase of probes. */
export const whileRefused = 'while refused';

/**
 * The refusals of plain calls just before and after the probe; null if one of them was not refused. `samples` must be
 * in order of arrival, since calls that are sent one after another may have the same time.
 */
function refusalsAround(
  samples: readonly Sample[],
  probe: Sample,
  { key, refusal }: ProbeTerms,
): readonly [before: Sample, after: Sample] | null {
  const at = samples.indexOf(probe);
  const isPlain = (sample: Sample): boolean => sample.key === key && sample.route === undefined;
  const before = samples.slice(0, at).findLast(isPlain);
  const after = samples.slice(at).find(isPlain);
  return before?.status === refusal && after?.status === refusal ? [before, after] : null;
}

/** How coarse clocks are, in ms: k6 rounds the end of a call up, so that the next may seem to begin before it. */
const tick = 1;

/** Whether plain calls were refused before and after the probe, and no call can have been freed in between. */
function isEnclosed(samples: readonly Sample[], probe: Sample, terms: ProbeTerms): boolean {
  const around = refusalsAround(samples, probe, terms);
  if (around === null) {
    return false;
  }
  const [before, after] = around;
  const { windowMs, possible } = terms;
  return (
    before.receivedAt <= probe.sentAt + tick &&
    probe.receivedAt <= after.sentAt + tick &&
    possiblyWithin(possible, before.sentAt - windowMs, after.receivedAt - windowMs) === 0
  );
}

interface ProbeTerms {
  /** The label of the judged key. */
  readonly key: string;
  readonly windowMs: number;
  /** The status with which plain calls with that key are refused. */
  readonly refusal: number;
  /** The calls with that key that may have been counted. */
  readonly possible: Spans;
}

function outcomeOf(samples: readonly Sample[], sample: Sample, terms: ProbeTerms): ProbeVerdict['outcome'] {
  if (sample.status === terms.refusal || sample.status === 429) {
    return 'refused';
  }
  const same = samples.filter(({ route, key }) => route === sample.route && key === sample.key);
  const tries = same.filter(({ phase, status }) => phase === whileRefused && status !== 0);
  // A single 5xx is an accident, and of two calls one may just have been freed. A second DELETE gets 404.
  const letThrough = tries.filter(({ status }) => status < 500 && status !== terms.refusal && status !== 429);
  const isFailure = same.some(isAdmitted) && tries.every(({ status }) => status >= 500);
  const isAdmission = isAdmitted(sample) && (tries.length === 1 || letThrough.length > 1);
  if ((!isFailure && !isAdmission) || !isEnclosed(samples, sample, terms)) {
    return 'undecided';
  }
  return isFailure ? 'failed' : 'admitted';
}

/**
 * Which outcome counts if a route was tried more than once. A route that was refused once draws on the same budget: if
 * it was admitted another time, a call may just have been freed.
 */
const rank: Readonly<Record<ProbeVerdict['outcome'], number>> = { refused: 0, failed: 1, admitted: 2, undecided: 3 };

/** Of several refusals, one between refusals of plain calls counts. */
const rankOf = ({ outcome, isBetweenRefusals }: ProbeVerdict): number => rank[outcome] + (isBetweenRefusals ? 0 : 0.5);

/** One verdict for each route and key that was probed. */
export function judgeProbes(samples: readonly Sample[], terms: ProbeTerms): ProbeVerdict[] {
  const verdicts = new Map<string, ProbeVerdict>();
  for (const sample of samples.filter(({ phase }) => phase === whileRefused)) {
    const { route = 'the same call', key } = sample;
    const isBetweenRefusals = refusalsAround(samples, sample, terms) !== null;
    const verdict = { route, key, outcome: outcomeOf(samples, sample, terms), isBetweenRefusals, sample };
    const known = verdicts.get(`${route} ${key}`);
    if (known === undefined || rankOf(verdict) < rankOf(known)) {
      verdicts.set(`${route} ${key}`, verdict);
    }
  }
  return [...verdicts.values()];
}

/** Whether calls over the limit get the right status. */
export interface ExceededVerdict {
  readonly verdict: 'holds' | 'fails' | 'undecided';
  readonly says: string;
  /**
   * The first call over the limit, or the one with a wrong status, with its body if the sample has it; null if there is
   * none.
   */
  readonly firstRefused: Sample | null;
}

/**
 * Judges the status of refusals, which must be 429. Their body and code differ by API; the clauses that know it judge
 * them. `excess`: how many calls were admitted in a minute, if they are certainly more than the limit.
 */
export function judgeExceeded(
  refused: readonly Call[],
  probes: readonly ProbeVerdict[],
  excess: number,
): ExceededVerdict {
  const first = refused[0]?.sample ?? null;
  if (first === null) {
    const says = `${excess} calls were admitted within one minute, and none was refused.`;
    return excess > 0
      ? { verdict: 'fails', says, firstRefused: null }
      : { verdict: 'undecided', says: 'No call was refused.', firstRefused: null };
  }
  if (first.status !== 429) {
    return { verdict: 'fails', says: `Calls over the limit got ${first.status}, not 429.`, firstRefused: first };
  }
  const failed = probes.find(({ outcome }) => outcome === 'failed');
  if (failed === undefined) {
    return { verdict: 'holds', says: 'Calls over the limit got 429.', firstRefused: first };
  }
  const { route, sample } = failed;
  return { verdict: 'fails', says: `Over the limit, ${route} got ${sample.status}, not 429.`, firstRefused: sample };
}
