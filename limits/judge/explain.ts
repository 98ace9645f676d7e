import { fitBucket } from './bucket.ts';
import { fitCounter } from './counter.ts';
import { fitFixed } from './fixed.ts';
import { fitCountingLog, fitLog, fitRenewed, fitSegments } from './log.ts';
import { type Fit, type FitTerms, rangeOf, stretchesOf, type Timeline, withoutRefusals } from './timeline.ts';
import type { Call, Range } from './trace.ts';

/** Fixed windows and the sliding log, which most deployments have, and whose limits a trace shows most exactly. */
const plain = { 'fixed window': fitFixed, 'sliding log': fitLog } as const;

/** Those that are tried only if no plain limiter of exactly the documented size explains the trace. */
const inexact = { 'window in segments': fitSegments, 'sliding counter': fitCounter } as const;

const countingRefusals = {
  'sliding log counting refusals': fitCountingLog,
  'renewed by each call': fitRenewed,
} as const;

const bucket = { 'token bucket': fitBucket } as const;

/** The kinds of limiters that the judge knows. In segments, the window moves on by a part of itself at a time. */
export type Family = keyof typeof plain | keyof typeof inexact | keyof typeof countingRefusals | keyof typeof bucket;

/** A kind of limiter that explains the trace, with the limits at which it does, and the range of its phases if it has any. */
export interface Explanation extends Fit {
  readonly family: Family;
}

export const isPlain = ({ family }: Explanation): boolean => family in plain;

const isExactly = ({ low, high }: Fit, limit: number): boolean => low === limit && high === limit;
const includes = ({ low, high }: Fit, limit: number): boolean => low <= limit && limit <= high;

/** All limiters that explain the trace. */
export function explain(timeline: Timeline, terms: FitTerms): Explanation[] {
  const fitAll = (limiters: Readonly<Partial<Record<Family, (...given: [Timeline, FitTerms]) => Fit[]>>>) =>
    Object.entries(limiters).flatMap(([family, explains]) =>
      explains(timeline, terms).map((found): Explanation => ({ ...found, family: family as Family })),
    );
  const simple = fitAll(plain);
  const hasExact = simple.some((one) => isExactly(one, terms.limit));
  return [...simple, ...(hasExact ? [] : fitAll(inexact)), ...fitAll(countingRefusals), ...fitAll(bucket)];
}

/** A bucket so small that it spaces calls out, however long the key was idle. */
export const isSpacing = ({ family, high }: Explanation, limit: number): boolean =>
  family in bucket && high <= limit / 2;

/**
 * Compares an explanation with the documented limit. A bucket is `more`, since its refill comes on top within the
 * minute; a small one is `fewer`, since after a quiet minute it refuses calls that are allowed.
 */
export function compare(one: Explanation, limit: number): ('holds' | 'fewer' | 'more')[] {
  if (one.family in bucket) {
    return [isSpacing(one, limit) ? 'fewer' : 'more'];
  }
  return [
    ...(one.low < limit ? ['fewer' as const] : []),
    ...(includes(one, limit) ? ['holds' as const] : []),
    ...(one.high > limit ? ['more' as const] : []),
  ];
}

/**
 * Whether a limiter of the documented size can have admitted all these calls, if calls by other clients may be why it
 * refused some.
 */
export const mayAdmit = (timeline: Timeline, terms: FitTerms): boolean =>
  explain(withoutRefusals(timeline), terms).some((one) => compare(one, terms.limit).includes('holds'));

/** The stretches of time in which many calls were under way at once. */
const burstsOf = (calls: readonly Call[], slack: number): Range[] =>
  stretchesOf(calls, slack)
    .filter(({ length }) => length >= 5)
    .map(rangeOf);

/** Whether the explanation needs a window to have ended during one of the bursts. */
const isCoincidental = ({ phase }: Explanation, bursts: readonly Range[], windowMs: number): boolean =>
  phase !== undefined &&
  bursts.some(({ from, to }) => phase.from + Math.ceil((from - phase.to) / windowMs) * windowMs <= to);

/** If bursts take more than this share of the window, an edge in one of them is no coincidence. */
const rareShare = 0.25;

/**
 * If bursts take more than this share, a sliding counter's limit cannot be determined, and may be the documented one.
 */
const coarseShare = 0.02;

/**
 * The most likely explanations. Those that need a coincidence are left out, and so are sliding counters and limiters
 * that count refusals, unless they have the documented size; each only as long as others remain.
 */
export function likeliest(
  all: readonly Explanation[],
  { calls }: Timeline,
  { limit, windowMs, slack }: FitTerms,
): readonly Explanation[] {
  const bursts = burstsOf(calls, slack);
  const share = bursts.reduce((sum, { from, to }) => sum + to - from, 0) / windowMs;
  const candidates = share > rareShare ? all : all.filter((one) => !isCoincidental(one, bursts, windowMs));
  const hasExact = candidates.some((one) => isExactly(one, limit));
  const isDoubtful = !hasExact && (share > coarseShare || !candidates.some(isPlain));
  const isUsual = (one: Explanation): boolean => {
    if (isExactly(one, limit) || (isDoubtful && includes(one, limit))) {
      return true;
    }
    // The bucket that is tried refills at the documented rate. With another size than the limit it is less likely than
    // any limiter of exactly that size.
    return one.family in bucket
      ? isSpacing(one, limit) || !hasExact || includes(one, limit)
      : one.family !== 'sliding counter' && !(one.family in countingRefusals);
  };
  const usual = candidates.filter(isUsual);
  return [usual, candidates].find((tier) => tier.length > 0) ?? all;
}
