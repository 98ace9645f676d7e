import { fitBucket } from './bucket.ts';
import { fitCounter } from './counter.ts';
import { fitCountingLog, fitLog, fitRenewed } from './log.ts';
import { fitGrid, type PhaseFit } from './phases.ts';
import { rangeOf, stretchesOf, type Timeline } from './timeline.ts';
import type { Call, Range } from './trace.ts';
import { anchoredWindows, type Fit, fitWindows } from './windows.ts';

/** The limiters that the judge knows. `segments`: a window that moves on by a part of itself at a time. */
export type Family =
  | 'grid'
  | 'anchored'
  | 'log'
  | 'segments'
  | 'counter'
  | 'counting log'
  | 'renewed'
  | 'token bucket'
  | 'small bucket';

/** The families as sentences name them. */
export const familyWords: Readonly<Record<Family, string>> = {
  grid: 'fixed window',
  anchored: 'window from the first call on',
  log: 'sliding log',
  segments: 'window in segments',
  counter: 'sliding counter',
  'counting log': 'sliding log that counts refused calls',
  renewed: 'window that each call renews',
  'token bucket': 'token bucket',
  'small bucket': 'small token bucket',
};

/** One limiter that explains the trace, with the range of its grid's phases where it has a grid. */
export interface Explanation extends Fit {
  readonly family: Family;
  readonly phase: Range | null;
}

/** How the limits of an explanation compare with the documented one. */
export type Comparison = 'holds' | 'fewer' | 'more';

/** Parts of a window that are tried; a window that moves on in smaller steps is a sliding log to within such a step. */
const segmentCounts = [2, 3, 4, 5, 6, 10, 12] as const;
/** From so many parts on a window may hold each until all of it is a minute old: one part more. */
const leastWhole = 6;
/** The part of a window by which some hold a call longer than its length. */
export const heldLonger = 1 / leastWhole;
const finestSegment = 1 / 12;

const single = (family: Family, fit: Fit | null): Explanation[] =>
  fit === null ? [] : [{ ...fit, family, phase: null }];
const onGrid = (family: Family, fits: readonly PhaseFit[]): Explanation[] =>
  fits.map(({ low, high, from, to }) => ({ family, low, high, phase: { from, to } }));

function segmented(timeline: Timeline, windowMs: number, slack: number): Explanation[] {
  const fine = fitLog(timeline, windowMs, slack + windowMs * finestSegment);
  const fits = [
    ...(fine ? [fine] : []),
    ...segmentCounts.flatMap((count) => fitGrid(timeline, windowMs, slack, count)),
    ...segmentCounts
      .filter((count) => count >= leastWhole)
      .flatMap((count) => fitGrid(timeline, windowMs * (1 + 1 / count), slack, count + 1)),
  ];
  // Where a segment ends among the calls of a burst makes no difference: what it frees is older.
  const low = Math.min(...fits.map((fit) => fit.low));
  const high = Math.max(...fits.map((fit) => fit.high));
  return single('segments', fits.length === 0 ? null : { low, high });
}

/** Every limiter that explains the trace. */
export function explain(timeline: Timeline, limit: number, windowMs: number, slack: number): Explanation[] {
  const plain = [
    ...onGrid('grid', fitGrid(timeline, windowMs, slack)),
    ...single('anchored', fitWindows(timeline, anchoredWindows(timeline, windowMs, slack))),
    ...single('log', fitLog(timeline, windowMs, slack)),
  ];
  // The rest is needed only where nothing plainer says exactly what the documents say.
  const exact = plain.some(({ low, high }) => low === limit && high === limit);
  const bucket = fitBucket(timeline, limit / windowMs, windowMs / 200);
  return [
    ...plain,
    ...(exact ? [] : segmented(timeline, windowMs, slack)),
    ...(exact ? [] : onGrid('counter', fitCounter(timeline, windowMs, slack))),
    ...single('counting log', fitCountingLog(timeline, windowMs, slack)),
    ...single('renewed', fitRenewed(timeline, windowMs)),
    ...single(bucket !== null && bucket.high <= limit / 2 ? 'small bucket' : 'token bucket', bucket),
  ];
}

/**
 * What an explanation says of the documented limit. A bucket is `more`, since its refill comes on top within the minute;
 * a small one is `fewer`, since it refuses calls that a quiet minute allows.
 */
export function compare({ family, low, high }: Explanation, limit: number): Comparison[] {
  if (family === 'token bucket') {
    return ['more'];
  }
  if (family === 'small bucket') {
    return ['fewer'];
  }
  return [
    ...(low < limit ? ['fewer' as const] : []),
    ...(low <= limit && limit <= high ? ['holds' as const] : []),
    ...(high > limit ? ['more' as const] : []),
  ];
}

/** A call that takes this many times as long as nine in ten do is slow by itself. */
const slowFactor = 5;

/** The calls without those that were slow by themselves: a burst is over though one of its calls is not answered yet. */
function withoutSlow(calls: readonly Call[], slack: number): readonly Call[] {
  const durations = calls.map(({ from, to }) => to - from).sort((one, other) => one - other);
  const usual = durations[Math.floor(durations.length * 0.9)] ?? 0;
  return calls.filter(({ from, to }) => to - from <= Math.max(slack, slowFactor * usual));
}

/** Stretches in which many calls were under way at once. */
const burstsOf = (calls: readonly Call[], slack: number): Range[] =>
  stretchesOf(withoutSlow(calls, slack), slack)
    .filter(({ length }) => length >= 5)
    .map(rangeOf);

/** Whether the explanation needs a window's edge to have fallen right into one of the bursts. */
const isCoincidental = ({ phase }: Explanation, bursts: readonly Range[], windowMs: number): boolean =>
  phase !== null &&
  bursts.some(({ from, to }) => phase.from + Math.ceil((from - phase.to) / windowMs) * windowMs <= to);

/** Bursts that take more than this share of the window make an edge inside them no coincidence. */
const rareShare = 0.25;

/** Bursts that take more than this share leave a sliding counter's number in doubt: it may then be the documented one. */
const coarseShare = 0.02;

/** Fixed windows and the sliding log: what most deployments have, and what a trace tells most exactly. */
export const isPlain = ({ family }: Explanation): boolean =>
  family === 'grid' || family === 'anchored' || family === 'log';

const refusalsCount: readonly Family[] = ['counting log', 'renewed'];

/**
 * The explanations worth most: those that need no coincidence, and among them those that need no sliding counter and no
 * counting of refusals of another than the documented size, as long as there are any.
 */
export function likeliest(
  all: readonly Explanation[],
  { calls }: Timeline,
  { limit, windowMs, slack }: { readonly limit: number; readonly windowMs: number; readonly slack: number },
): readonly Explanation[] {
  const bursts = burstsOf(calls, slack);
  const share = bursts.reduce((sum, { from, to }) => sum + to - from, 0) / windowMs;
  const plain = share > rareShare ? all : all.filter((one) => !isCoincidental(one, bursts, windowMs));
  // A counter weighs what was called before the drive.
  const isBusy = calls.some(({ sample }) => sample.phase === 'before');
  const isExact = ({ low, high }: Fit): boolean => low === limit && high === limit;
  const hasExact = plain.some(isExact);
  const isDoubtful = !hasExact && (isBusy || share > coarseShare || !plain.some(isPlain));
  const holdsLimit = ({ low, high }: Fit): boolean => low <= limit && limit <= high;
  const isDocumented = (one: Fit): boolean => isExact(one) || (isDoubtful && holdsLimit(one));
  // A bucket of another size than the limit that refills at its rate is less likely than any limiter of just that size.
  const isUsual = (one: Explanation): boolean =>
    one.family === 'token bucket'
      ? !hasExact || holdsLimit(one)
      : one.family !== 'counter' && !refusalsCount.includes(one.family);
  const usual = plain.filter((one) => isDocumented(one) || isUsual(one));
  const unusual = plain.filter(({ family }) => !refusalsCount.includes(family));
  // That an edge fell into a burst is a lesser wonder than a limiter that counts refusals and is of another size.
  const coincidental = all.filter((one) => isExact(one) && isPlain(one));
  const found = [usual, unusual, coincidental, plain].find((tier) => tier.length > 0) ?? all;
  // What a bucket gives back, a counter gives back too once its window has ended: in a slow burst that may well be so.
  const isBucket = share > coarseShare && found.every(({ family }) => family === 'token bucket');
  return isBucket ? [...found, ...all.filter((one) => one.family === 'counter' && holdsLimit(one))] : found;
}
