import { type Explanation, type Family, isSpacing } from './explain.ts';
import { clockOffset } from './reset.ts';
import type { FitTerms, Timeline } from './timeline.ts';

const descriptions = {
  'fixed window':
    'The whole limit came back at once, at the end of a fixed window; when such windows begin is unknown.',
  'fixed window, clock-aligned': "The whole limit came back at once, at the server's full minute.",
  'fixed window from the first call': 'The whole limit came back at once, one window after the first call.',
  'fixed window, odd phase':
    'The whole limit came back at once, neither at the full minute nor one window after the first call.',
  'window in segments': 'The limit came back in parts, each when a segment of the window had passed.',
  'sliding log': 'Each call was freed one window after it was made.',
  'sliding log counting refusals': 'Refused calls were counted too: each delayed the return.',
  'renewed by each call':
    'Calls were admitted again only after a window without any call: refused calls restart the window.',
  'sliding counter':
    'The limit came back little by little from the end of a window on: calls of the window before weigh less and less.',
  'token bucket': 'The limit came back one call at a time from the start, as from a bucket that is refilled.',
  'spacing or small bucket': 'Few calls are admitted at once, and then one at a time.',
  'none met': 'Nothing was refused.',
  unknown: 'The admitted and refused calls fit more than one algorithm, or none that is known.',
} as const;

export type Algorithm = keyof typeof descriptions;

export interface WindowVerdict {
  readonly algorithm: Algorithm;
  /** The algorithm without the phase of its windows. */
  readonly family: Algorithm;
  readonly says: string;
}

const verdictOn = (algorithm: Algorithm, says: string = descriptions[algorithm]): WindowVerdict => ({
  algorithm,
  family: algorithm.startsWith('fixed window') ? 'fixed window' : algorithm,
  says,
});

/** Whether calls may come back one by one. */
export const mayRefill = ({ algorithm }: WindowVerdict): boolean =>
  ['sliding counter', 'token bucket', 'spacing or small bucket', 'unknown'].includes(algorithm);

/** How far an edge may be from the full minute, ms. */
const tolerance = 50;

/**
 * Whether a window of some explanation begins at the server's full minute; null if the server's clock is not known well
 * enough.
 */
function isAligned({ calls }: Timeline, explanations: readonly Explanation[], windowMs: number): boolean | null {
  const offset = clockOffset(calls.map((call) => call.sample));
  if (offset === null || windowMs !== 60_000) {
    return null;
  }
  return explanations.some(({ family, phase }) => {
    const [from, to] = [(phase?.from ?? 0) + offset.from - tolerance, (phase?.to ?? 0) + offset.to + tolerance];
    return family === 'fixed window' && Math.floor(to / windowMs) > Math.floor(from / windowMs);
  });
}

function fixedKind(timeline: Timeline, explanations: readonly Explanation[], windowMs: number): Algorithm {
  const onMinute = isAligned(timeline, explanations, windowMs);
  const onFirst = explanations.some(({ family }) => family === 'window from the first call on');
  if (onFirst && onMinute !== true) {
    return 'fixed window from the first call';
  }
  if (onFirst || onMinute === null) {
    return 'fixed window';
  }
  return onMinute ? 'fixed window, clock-aligned' : 'fixed window, odd phase';
}

/**
 * The families that are named if neither a fixed window nor a sliding log explains the trace, and only one of these
 * does.
 */
const others: Readonly<Partial<Record<Family, Algorithm>>> = {
  'sliding counter': 'sliding counter',
  'sliding log that counts refused calls': 'sliding log counting refusals',
  'window that each call renews': 'renewed by each call',
  'window in segments': 'window in segments',
};

function algorithmOf(timeline: Timeline, explanations: readonly Explanation[], terms: FitTerms): Algorithm {
  const families = new Set<Family>(explanations.map(({ family }) => family));
  const hasLog = families.has('sliding log');
  if (explanations.some((one) => isSpacing(one, terms.limit))) {
    return 'spacing or small bucket';
  }
  if (families.has('token bucket') && !hasLog && !families.has('fixed window')) {
    return 'token bucket';
  }
  if (families.has('fixed window') || families.has('window from the first call on')) {
    return hasLog ? 'unknown' : fixedKind(timeline, explanations, terms.windowMs);
  }
  if (hasLog) {
    return 'sliding log';
  }
  // Segments explain everything that a counter does, so they count only if nothing else explains the trace.
  const named = [...families].flatMap((family) =>
    family === 'window in segments' && families.size > 1 ? [] : (others[family] ?? []),
  );
  return named.length === 1 ? (named[0] ?? 'unknown') : 'unknown';
}

/** Names the algorithm that the explanations agree on, with a sentence about what was seen. */
export function nameAlgorithm(
  timeline: Timeline,
  explanations: readonly Explanation[],
  terms: FitTerms,
): WindowVerdict {
  const refusedAt = timeline.refusalAfter(-Infinity);
  if (refusedAt === Infinity) {
    return verdictOn('none met');
  }
  return timeline.admissionBefore(Infinity) > refusedAt
    ? verdictOn(algorithmOf(timeline, explanations, terms))
    : verdictOn('unknown', 'No call was admitted again while the run lasted.');
}
