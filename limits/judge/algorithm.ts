import { clockOffset } from './headers.ts';
import type { Explanation, Family } from './hypotheses.ts';
import type { Timeline } from './timeline.ts';
import type { Range } from './trace.ts';

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

/** The algorithm without the phase of its windows. */
type AlgorithmFamily = Exclude<Algorithm, `fixed window${' ' | ', '}${string}`>;

const fixedWindows: readonly Algorithm[] = [
  'fixed window',
  'fixed window, clock-aligned',
  'fixed window from the first call',
  'fixed window, odd phase',
];

const familyOf = (algorithm: Algorithm): AlgorithmFamily =>
  fixedWindows.includes(algorithm) ? 'fixed window' : (algorithm as AlgorithmFamily);

/** The algorithms that free calls one by one, and what may be one of them. */
const refilling: readonly Algorithm[] = ['sliding counter', 'token bucket', 'spacing or small bucket', 'unknown'];

/** Whether calls may come back one by one. */
export const mayRefill = ({ algorithm }: WindowVerdict): boolean => refilling.includes(algorithm);

export interface WindowVerdict {
  readonly algorithm: Algorithm;
  readonly family: AlgorithmFamily;
  readonly says: string;
}

/**
 * Whether a window of some explanation begins at the server's full minute; null if the server's clock is not known well
 * enough.
 */
function isAligned({ calls }: Timeline, phases: readonly Range[], windowMs: number): boolean | null {
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

function fixedKind(timeline: Timeline, explanations: readonly Explanation[], windowMs: number): Algorithm {
  const phases = explanations.flatMap(({ family, phase }) => (phase === null || family !== 'grid' ? [] : [phase]));
  const onMinute = isAligned(timeline, phases, windowMs);
  const onFirst = explanations.some(({ family }) => family === 'anchored');
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
const others: readonly (readonly [Family, Algorithm])[] = [
  ['counter', 'sliding counter'],
  ['counting log', 'sliding log counting refusals'],
  ['renewed', 'renewed by each call'],
  ['segments', 'window in segments'],
];

function algorithmOf(timeline: Timeline, explanations: readonly Explanation[], windowMs: number): Algorithm {
  const families = new Set<Family>(explanations.map(({ family }) => family));
  if (families.has('small bucket')) {
    return 'spacing or small bucket';
  }
  if (families.has('token bucket') && !families.has('log') && !families.has('grid')) {
    return 'token bucket';
  }
  if (families.has('grid') || families.has('anchored')) {
    return families.has('log') ? 'unknown' : fixedKind(timeline, explanations, windowMs);
  }
  if (families.has('log')) {
    return 'sliding log';
  }
  // Fine segments explain everything that a counter does, so they count only if nothing else explains the trace.
  const candidates = others.filter(
    ([family]) => families.has(family) && (family !== 'segments' || families.size === 1),
  );
  return candidates.length === 1 ? (candidates[0]?.[1] ?? 'unknown') : 'unknown';
}

/** Names the algorithm that the explanations agree on, with a sentence about what was seen. */
export function nameAlgorithm(
  timeline: Timeline,
  explanations: readonly Explanation[],
  windowMs: number,
): WindowVerdict {
  const refusedAt = timeline.refusalAfter(-Infinity);
  if (refusedAt === Infinity) {
    return verdictOn('none met');
  }
  if (!(timeline.admissionBefore(Infinity) > refusedAt)) {
    return verdictOn('unknown', 'No call was admitted again while the run lasted.');
  }
  return verdictOn(algorithmOf(timeline, explanations, windowMs));
}

const verdictOn = (algorithm: Algorithm, says: string = descriptions[algorithm]): WindowVerdict => ({
  algorithm,
  family: familyOf(algorithm),
  says,
});
