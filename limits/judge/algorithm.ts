// Which algorithm the explanations name, in words.
import { clockOffset } from './headers.ts';
import type { Explanation, Family } from './hypotheses.ts';
import type { Call } from './trace.ts';

export type Algorithm =
  | 'fixed window'
  | 'fixed window, clock-aligned'
  | 'fixed window from the first call'
  | 'fixed window, odd phase'
  | 'sliding log'
  | 'sliding log counting refusals'
  | 'sliding counter'
  | 'token bucket'
  | 'spacing or small bucket'
  | 'none met'
  | 'unknown';

export type WindowVerdict = { algorithm: Algorithm; says: string };

const SAYS: Record<Algorithm, string> = {
  'fixed window': 'All calls came back at once at the end of a fixed window; where its edges lie was not told apart.',
  'fixed window, clock-aligned': "All calls came back at once at the server's full minute.",
  'fixed window from the first call': 'All calls came back at once, one window after the first call.',
  'fixed window, odd phase':
    'All calls came back at once, at an edge tied neither to the full minute nor to the first call.',
  'sliding log': 'Each call came back one window after it was made.',
  'sliding log counting refusals': 'Refused calls were counted too: they put off the return.',
  'sliding counter': 'Calls came back little by little from an edge on: the window before is weighed.',
  'token bucket': 'Calls came back one by one from the start: a bucket that refills.',
  'spacing or small bucket': 'Few calls are admitted at once, and they come back one by one.',
  'none met': 'Nothing was refused.',
  unknown: 'What was admitted and refused fits more than one algorithm, or none that is known.',
};

const name = (algorithm: Algorithm): WindowVerdict => ({ algorithm, says: SAYS[algorithm] });

/** True, false, or null where the server's clock is not known well enough: does some explaining phase end at :00? */
function aligned(
  calls: readonly Call[],
  phases: readonly { from: number; to: number }[],
  windowMs: number,
): boolean | null {
  const offset = clockOffset(calls.map((call) => call.sample));
  if (offset === null || windowMs !== 60_000) {
    return null;
  }
  const tolerance = 50;
  return phases.some((phase) => {
    const from = phase.from + offset.from - tolerance;
    const to = phase.to + offset.to + tolerance;
    return Math.floor(to / windowMs) > Math.floor(from / windowMs);
  });
}

function fixedKind(calls: readonly Call[], explanations: readonly Explanation[], windowMs: number): Algorithm {
  const phases = explanations.flatMap((one) => (one.phase === null || one.family !== 'grid' ? [] : [one.phase]));
  const onMinute = aligned(calls, phases, windowMs);
  const onFirst = explanations.some((one) => one.family === 'anchored');
  if (onFirst && onMinute !== true) {
    return 'fixed window from the first call';
  }
  if (onFirst || onMinute === null) {
    return 'fixed window';
  }
  return onMinute ? 'fixed window, clock-aligned' : 'fixed window, odd phase';
}

/** Names the algorithm that the explanations agree on. */
export function nameAlgorithm(
  calls: readonly Call[],
  explanations: readonly Explanation[],
  windowMs: number,
): WindowVerdict {
  if (!calls.some((call) => call.fate === 'refused')) {
    return name('none met');
  }
  const families = new Set<Family>(explanations.map((one) => one.family));
  if (families.has('small bucket')) {
    return name('spacing or small bucket');
  }
  if (families.has('token bucket') && !families.has('log') && !families.has('grid')) {
    return name('token bucket');
  }
  if (families.has('grid') || families.has('anchored')) {
    return name(families.has('log') ? 'unknown' : fixedKind(calls, explanations, windowMs));
  }
  if (families.has('log')) {
    return name('sliding log');
  }
  if (families.has('counter')) {
    return name(families.has('counting log') ? 'unknown' : 'sliding counter');
  }
  return name(families.has('counting log') ? 'sliding log counting refusals' : 'unknown');
}
