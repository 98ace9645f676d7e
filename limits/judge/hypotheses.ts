import { fitBucket } from './bucket.ts';
import { fitCounter } from './counter.ts';
import { fitCountingLog, fitLog, fitRenewed } from './log.ts';
import { fitGrid, type PhaseFit } from './phases.ts';
import { rangeOf, stretchesOf, type Timeline, withoutRefusals } from './timeline.ts';
import { type Call, continues, type Range } from './trace.ts';
import { anchoredWindows, type Fit, fitWindows } from './windows.ts';

/** The kinds of limiters that the judge knows. In `segments`, the window moves on by a part of itself at a time. */
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

/** The names of the families in sentences. */
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

/**
 * A kind of limiter that explains the trace, with the limits at which it does, and for a grid the range of its phases.
 */
export interface Explanation extends Fit {
  readonly family: Family;
  readonly phase: Range | null;
}

/** How the limits of an explanation compare with the documented limit. */
type Comparison = 'holds' | 'fewer' | 'more';

/**
 * The numbers of segments that are tried. A window with more segments is taken for a sliding log, with one segment of
 * tolerance.
 */
const segmentCounts = [2, 3, 4, 5, 6, 10, 12] as const;
/** With this many segments or more, a window may hold a segment until all of it is a minute old: one segment longer. */
const leastWhole = 6;
/** For this share of a window beyond its length, a window in segments may hold a call. */
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
  // The phases do not matter: a segment that ends during a burst frees older calls.
  const low = Math.min(...fits.map((fit) => fit.low));
  const high = Math.max(...fits.map((fit) => fit.high));
  return single('segments', fits.length === 0 ? null : { low, high });
}

/** All limiters that explain the trace. `slack` is how far clocks may be off, in ms. */
export function explain(timeline: Timeline, limit: number, windowMs: number, slack: number): Explanation[] {
  const plain = [
    ...onGrid('grid', fitGrid(timeline, windowMs, slack)),
    ...single('anchored', fitWindows(timeline, anchoredWindows(timeline, windowMs, slack))),
    ...single('log', fitLog(timeline, windowMs, slack)),
  ];
  // Segments and counters are tried only if no plain limiter of exactly the documented size explains the trace.
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
 * Compares an explanation with the documented limit. A bucket is `more`, since its refill comes on top within the
 * minute; a small bucket is `fewer`, since after a quiet minute it refuses calls that are allowed.
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

/**
 * Whether a limiter of the documented size can have admitted all these calls, if calls by other clients may be why it
 * refused some.
 */
export const mayAdmit = (timeline: Timeline, limit: number, windowMs: number, slack: number): boolean =>
  explain(withoutRefusals(timeline), limit, windowMs, slack).some((one) => compare(one, limit).includes('holds'));

/** A call is slow if it takes this many times as long as nine in ten calls. */
const slowFactor = 5;

/** The calls without slow ones: a burst counts as over even if one of its calls is not answered yet. */
function withoutSlow(calls: readonly Call[], slack: number): readonly Call[] {
  const durations = calls.map(({ from, to }) => to - from).sort((one, other) => one - other);
  const usual = durations[Math.floor(durations.length * 0.9)] ?? 0;
  return calls.filter(({ from, to }) => to - from <= Math.max(slack, slowFactor * usual));
}

/** The stretches of time in which many calls were under way at once. */
const burstsOf = (calls: readonly Call[], slack: number): Range[] =>
  stretchesOf(withoutSlow(calls, slack), slack)
    .filter(({ length }) => length >= 5)
    .map(rangeOf);

/** Whether the explanation needs a window to have ended during one of the bursts. */
const isCoincidental = ({ phase }: Explanation, bursts: readonly Range[], windowMs: number): boolean =>
  phase !== null &&
  bursts.some(({ from, to }) => phase.from + Math.ceil((from - phase.to) / windowMs) * windowMs <= to);

/** If bursts take more than this share of the window, an edge in one of them is no coincidence. */
const rareShare = 0.25;

/**
 * If bursts take more than this share, a sliding counter's limit cannot be determined, and may be the documented one.
 */
const coarseShare = 0.02;

/** Fixed windows and the sliding log, which most deployments have, and whose limits a trace shows most exactly. */
export const isPlain = ({ family }: Explanation): boolean =>
  family === 'grid' || family === 'anchored' || family === 'log';

/** The families that count refused calls. */
const countRefusals: readonly Family[] = ['counting log', 'renewed'];

/**
 * The most likely explanations. Those that need a coincidence are left out, and so are sliding counters and limiters
 * that count refusals, unless they have the documented size; each only as long as others remain.
 */
export function likeliest(
  all: readonly Explanation[],
  { calls }: Timeline,
  { limit, windowMs, slack }: { readonly limit: number; readonly windowMs: number; readonly slack: number },
): readonly Explanation[] {
  const bursts = burstsOf(calls, slack);
  const share = bursts.reduce((sum, { from, to }) => sum + to - from, 0) / windowMs;
  const candidates = share > rareShare ? all : all.filter((one) => !isCoincidental(one, bursts, windowMs));
  // A sliding counter weighs the calls that were made before the drive.
  const isBusy = continues(calls, windowMs);
  const isExact = ({ low, high }: Fit): boolean => low === limit && high === limit;
  const hasExact = candidates.some(isExact);
  const isDoubtful = !hasExact && (isBusy || share > coarseShare || !candidates.some(isPlain));
  const includesLimit = ({ low, high }: Fit): boolean => low <= limit && limit <= high;
  const isDocumented = (one: Fit): boolean => isExact(one) || (isDoubtful && includesLimit(one));
  // The bucket that is tried refills at the documented rate. With another size than the limit it is less likely than
  // any limiter of exactly that size.
  const isUsual = (one: Explanation): boolean =>
    one.family === 'token bucket'
      ? !hasExact || includesLimit(one)
      : one.family !== 'counter' && !countRefusals.includes(one.family);
  const usual = candidates.filter((one) => isDocumented(one) || isUsual(one));
  const unusual = candidates.filter(({ family }) => !countRefusals.includes(family));
  // A window's edge in a burst is less surprising than a limiter of another size that counts refusals.
  const coincidental = all.filter((one) => isExact(one) && isPlain(one));
  const found = [usual, unusual, coincidental, candidates].find((tier) => tier.length > 0) ?? all;
  // A counter whose window ended during the burst frees calls just like a bucket. In a slow burst that is quite
  // possible.
  const isBucket = share > coarseShare && found.every(({ family }) => family === 'token bucket');
  return isBucket ? [...found, ...all.filter((one) => one.family === 'counter' && includesLimit(one))] : found;
}
