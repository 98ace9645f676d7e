import { expect, test } from 'vitest';
import { compare, type Explanation, type Family, likeliest } from '../../../../limits/judge/explain.ts';
import { timelineOf } from '../../../../limits/judge/timeline.ts';
import { callsOf, sampleOf } from '../../../../limits/judge/trace.ts';

const limit = 60;
const windowMs = 60_000;

const families: Readonly<Record<string, Family>> = {
  grid: 'fixed window',
  anchored: 'window from the first call on',
  log: 'sliding log',
  segments: 'window in segments',
  counter: 'sliding counter',
  counting: 'sliding log that counts refused calls',
  renewed: 'window that each call renews',
  bucket: 'token bucket',
};

/** `log 58-59` has the possible limits; `grid 60-60 in` says that a window ends during the burst. */
function explanation(text: string): Explanation {
  const [, family = '', low, high, edge] = /^(\w+) (\d+)-(\d+)( in)?$/.exec(text) ?? [];
  const at = edge === undefined ? 30_000 : 1010;
  const phase = ['grid', 'counter'].includes(family) ? { phase: { from: at, to: at } } : {};
  return { family: families[family] as Family, low: Number(low), high: Number(high), ...phase };
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

/** Explanations of a trace; those behind a minus are dropped. */
test.each<[string, string, { burstMs: number; phase?: string; lasts?: number }?]>([
  ['a sliding log is preferred to a counter', 'log 58-59, -counter 55-65'],
  ['after a slow burst a counter stays possible', 'log 58-59, counter 55-65', slow],
  ['one slow call does not make a slow burst', 'log 58-59, -counter 55-65', { ...quick, lasts: 3000 }],
  ['without a simple explanation a counter stays possible', 'segments 50-55, counter 55-65'],
  ['an exact explanation with the documented limit is the only one left', 'log 60-60, -counter 55-65', slow],
  ['a counter with more calls than documented is dropped', 'log 55-60, -counter 61-65', slow],
  ['a bucket of another size stays possible beside an inexact log', 'log 58-59, bucket 40-45'],
  ['an exact log is preferred to a bucket of another size', 'log 60-60, -bucket 40-45'],
  ['an exact log is not preferred to a bucket that can have the documented size', 'log 60-60, bucket 55-65'],
  ['a log that counts refusals, of another size, is dropped', 'log 58-59, -counting 30-31'],
  ['families that count refusals are kept if nothing else explains the trace', 'counting 30-31, renewed 30-31'],
  ['a window that ends during a short burst is an unlikely coincidence', '-grid 60-60 in, grid 58-59'],
  ['a window that ends during a burst of 20 seconds is not', 'grid 60-60 in, grid 58-59', wide],
  ['a coincidence with the documented limit is preferred to counting refusals', 'grid 60-60 in, -renewed 30-31'],
  ['coincidences are kept if nothing else explains the trace', 'grid 58-59 in, counter 50-55 in'],
  ['after a slow burst a counter stays possible beside a bucket', 'bucket 40-45, counter 55-65 in', slow],
  ['but not after a quick burst', 'bucket 40-45, -counter 55-65 in'],
])('%s: of %s', (_, marked, { burstMs, ...more } = quick) => {
  const all = marked.split(', ');
  const given = all.map((text) => explanation(text.replace(/^-/, '')));
  const found = likeliest(given, timeline(burstMs, more), { limit, windowMs, slack: 12 });
  expect(found).toEqual(given.filter((_, at) => !all[at]?.startsWith('-')));
});

test.each([
  ['log 60-60', 'holds'],
  ['log 55-65', 'fewer holds more'],
  ['log 55-59', 'fewer'],
  ['log 61-65', 'more'],
  ['log 60-65', 'holds more'],
  ['bucket 55-60', 'more'],
  ['bucket 20-25', 'fewer'],
])('%s is %s', (text, expected) => {
  expect(compare(explanation(text), limit).join(' ')).toBe(expected);
});
