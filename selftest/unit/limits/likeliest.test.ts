import { expect, test } from 'vitest';
import { compare, type Explanation, type Family, likeliest } from '../../../limits/judge/hypotheses.ts';
import { timelineOf } from '../../../limits/judge/timeline.ts';
import { callsOf, sampleOf } from '../../../limits/judge/trace.ts';

const limit = 60;
const windowMs = 60_000;

/** `log 58-59` has the possible limits; `grid 60-60 in` says that a window ends during the burst. */
function explanation(text: string): Explanation {
  const [, family = '', low, high, edge] = /^(\D+) (\d+)-(\d+)( in)?$/.exec(text) ?? [];
  const at = edge === undefined ? 30_000 : 1010;
  const phase = ['grid', 'counter'].includes(family) ? { from: at, to: at } : null;
  return { family: family as Family, low: Number(low), high: Number(high), phase };
}

/** A burst of ten calls in second 1 that takes `burstMs`, and one more call. */
function timeline(
  burstMs: number,
  more: { readonly phase?: string; readonly lasts?: number },
): ReturnType<typeof timelineOf> {
  const { phase = 'burst', lasts = 20 } = more;
  const calls = [
    ...Array.from({ length: 10 }, () => ({ sentAt: 1000, receivedAt: 1000 + burstMs, phase: 'burst' })),
    { sentAt: phase === 'burst' ? 1000 : 0, receivedAt: (phase === 'burst' ? 1000 : 0) + lasts, phase },
  ];
  const samples = calls.map((call) => sampleOf({ ...call, status: 200, key: 'key' }, () => null));
  return timelineOf(callsOf(samples, 'key'));
}

const quick = { burstMs: 20 };
const slow = { burstMs: 3000 };
const wide = { burstMs: 20_000 };

test.each<[string, string, string, { burstMs: number; phase?: string; lasts?: number }?]>([
  ['a log goes before a counter', 'log 58-59, counter 55-65', 'log 58-59'],
  ['a slow burst leaves the counter open', 'log 58-59, counter 55-65', 'log 58-59, counter 55-65', slow],
  ['one slow call does not make a slow burst', 'log 58-59, counter 55-65', 'log 58-59', { ...quick, lasts: 3000 }],
  ['so do earlier calls', 'log 58-59, counter 55-65', 'log 58-59, counter 55-65', { ...quick, phase: 'before' }],
  ['so does a trace that nothing plain explains', 'segments 50-55, counter 55-65', 'segments 50-55, counter 55-65'],
  ['but not a counter of another size', 'log 58-59, counter 50-55', 'log 58-59', slow],
  ['the exact one leaves nothing open', 'log 60-60, counter 55-65', 'log 60-60', slow],
  ['a counter can be the exact one', 'log 58-59, counter 60-60', 'log 58-59, counter 60-60'],
  ['a range that begins with it is not exact', 'log 60-65, counter 55-65', 'log 60-65, counter 55-65', slow],
  ['nor is one that ends with it', 'log 55-60, counter 55-65', 'log 55-60, counter 55-65', slow],
  ['a larger counter is of another size, too', 'log 55-60, counter 61-65', 'log 55-60', slow],
  ['a window from the first call on is as plain', 'anchored 58-59, counter 55-65', 'anchored 58-59'],
  ['a bucket of another size', 'log 58-59, token bucket 40-45', 'log 58-59, token bucket 40-45'],
  ['the exact one precedes it', 'log 60-60, token bucket 40-45', 'log 60-60'],
  ['but not before one that can be as large', 'log 60-60, token bucket 55-65', 'log 60-60, token bucket 55-65'],
  ['counting refusals, of another size', 'log 58-59, counting log 30-31', 'log 58-59'],
  ['counting refusals, of the documented size', 'log 58-59, renewed 60-60', 'log 58-59, renewed 60-60'],
  ['a counter of another size goes before those', 'counter 40-45, renewed 30-31', 'counter 40-45'],
  ['nothing else explains it', 'counting log 30-31, renewed 30-31', 'counting log 30-31, renewed 30-31'],
  ['an edge in the burst', 'grid 60-60 in, grid 58-59', 'grid 58-59'],
  ['an edge in a burst of half a minute', 'grid 60-60 in, grid 58-59', 'grid 60-60 in, grid 58-59', wide],
  ['a lesser wonder', 'grid 60-60 in, renewed 30-31', 'grid 60-60 in'],
  ['not of another size', 'grid 58-59 in, renewed 30-31', 'renewed 30-31'],
  ['not a counter', 'counter 60-60 in, renewed 30-31', 'renewed 30-31'],
  ['nothing but coincidences', 'grid 58-59 in, counter 50-55 in', 'grid 58-59 in, counter 50-55 in'],
  ['a bucket or a counter', 'token bucket 40-45, counter 55-65 in', 'token bucket 40-45, counter 55-65 in', slow],
  ['not if the burst was quick', 'token bucket 40-45, counter 55-65 in', 'token bucket 40-45'],
  ['not of another size', 'token bucket 40-45, counter 50-55 in', 'token bucket 40-45', slow],
  ['not a fixed window', 'token bucket 40-45, grid 55-65 in', 'token bucket 40-45', slow],
  [
    'not if a log explains it',
    'log 50-51, token bucket 40-45, counter 55-65 in',
    'log 50-51, token bucket 40-45',
    slow,
  ],
])('%s: of %s', (_, all, expected, { burstMs, ...more } = quick) => {
  const found = likeliest(all.split(', ').map(explanation), timeline(burstMs, more), { limit, windowMs, slack: 12 });
  expect(found).toEqual(expected.split(', ').map(explanation));
});

test.each([
  ['log 60-60', 'holds'],
  ['log 55-65', 'fewer holds more'],
  ['log 55-59', 'fewer'],
  ['log 61-65', 'more'],
  ['log 60-65', 'holds more'],
  ['token bucket 55-60', 'more'],
  ['small bucket 20-25', 'fewer'],
])('%s is %s', (text, expected) => {
  expect(compare(explanation(text), limit).join(' ')).toBe(expected);
});
