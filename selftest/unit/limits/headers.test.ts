import { describe, expect, it } from 'vitest';
import { describeHeaders, namesNextWindow } from '../../../limits/judge/describe.ts';
import { headerTroubles, judgeLimitValue } from '../../../limits/judge/header-values.ts';
import { clockOffset, firstNumber, readReset } from '../../../limits/judge/headers.ts';
import { ontoServerClock } from '../../../limits/judge/merge.ts';
import { callsOf, type Sample } from '../../../limits/judge/trace.ts';

const start = Date.UTC(2026, 0, 1, 0, 0, 10);

const sample = (at: number, over: Partial<Sample> = {}): Sample => ({
  sentAt: start + at,
  receivedAt: start + at + 20,
  status: 200,
  limit: '60',
  remaining: '59',
  reset: null,
  retryAfter: null,
  date: new Date(start + at + 10).toUTCString(),
  key: 'key',
  phase: 'run',
  ...over,
});

describe('numbers in headers', () => {
  it.each([
    ['60', 60],
    ['60, 60;w=60', 60],
    ['"permin";r=12', 12],
    ['100, 100;window=60, 10000;window=86400', 100],
    ['-1', -1],
    ['59.5', 59.5],
    ['NaN', null],
    ['', null],
    [null, null],
  ])('%j reads as %j', (text, number) => {
    expect(firstNumber(text)).toBe(number);
  });
});

describe('Reset', () => {
  const offset = clockOffset([sample(0), sample(40_000)]);
  const end = start + 50_000;
  it.each([
    ['epoch seconds', 'fixed', () => String(end / 1000)],
    ['epoch milliseconds', 'fixed', () => String(end)],
    ['seconds left', 'counts down', (now: number) => String(Math.ceil((end - now) / 1000))],
    ['milliseconds left', 'counts down', (now: number) => String(end - now)],
    ['date', 'fixed', () => new Date(end).toUTCString()],
    ['date', 'fixed', () => new Date(end).toISOString()],
    ['seconds left', 'moves ahead', () => '60'],
  ])('reads as %s that %s', (unit, motion, write) => {
    const [first, last] = [0, 40_000].map((at) => sample(at, { reset: write(start + at) })) as [Sample, Sample];
    expect(readReset(first, last, offset)).toMatchObject({ unit, motion });
  });

  it('names the return, and the end of the next window', () => {
    const resetAt = (at: number): string => String((start + at) / 1000);
    const trace = [
      sample(0, { reset: resetAt(50_000) }),
      sample(100, { status: 429, reset: resetAt(50_000) }),
      sample(49_000, { status: 429, reset: resetAt(50_000) }),
      sample(51_000, { reset: resetAt(110_000) }),
    ];
    const calls = callsOf(trace, 'key');
    expect(describeHeaders(calls, 60_000)).toMatchObject({ resetUnit: 'epoch seconds', resetAgrees: true });
    expect(namesNextWindow(calls, 60_000)).toBe(true);
    const longer = [...trace.slice(0, 3), sample(51_000, { reset: resetAt(170_000) })];
    expect(namesNextWindow(callsOf(longer, 'key'), 60_000)).toBe(false);
    expect(namesNextWindow(calls, 3000)).toBe(false);
  });

  it('is absent where no call was answered', () => {
    expect(describeHeaders([], 60_000)).toMatchObject({ resetUnit: 'absent', says: 'No call was answered.' });
  });
});

describe('what the headers say', () => {
  const good = { limit: '60', remaining: '59', reset: '1760000000' };
  it.each([
    [{}, []],
    [{ reset: 'Thu, 01 Jan 2026 00:01:00 GMT' }, []],
    [{ reset: 'NaN' }, ['X-RateLimit-Reset: NaN']],
    [{ limit: 'undefined' }, ['X-RateLimit-Limit: undefined']],
    [{ remaining: '-' }, ['X-RateLimit-Remaining: -']],
    [{ remaining: '' }, ['X-RateLimit-Remaining absent']],
    [{ limit: null, reset: null }, ['X-RateLimit-Limit absent', 'X-RateLimit-Reset absent']],
  ])('%j: %j', (over, troubles) => {
    expect(headerTroubles({ ...good, ...over })).toEqual(troubles);
  });

  const limits = { perMinute: 60, perDay: 10_000 };
  it.each([
    ['60', limits, 'holds'],
    ['10000', limits, 'holds'],
    ['60, 10000;window=86400', limits, 'holds'],
    ['100', limits, 'fails'],
    ['45;w=60', limits, 'fails'],
    ['NaN', limits, 'fails'],
    ['1500', null, 'holds'],
    ['unlimited', null, 'fails'],
    [null, limits, 'undecided'],
  ])('Limit %j of %j %s', (limit, documented, verdict) => {
    expect(judgeLimitValue([sample(0, { limit })], documented).verdict).toBe(verdict);
  });

  it('a Limit that is wrong now and then is wrong', () => {
    const verdict = judgeLimitValue([sample(0), sample(1, { limit: '61' })], limits);
    expect(verdict).toMatchObject({ verdict: 'fails', says: 'X-RateLimit-Limit shows 61; 60 or 10000 was expected.' });
  });
});

describe('traces of several machines', () => {
  it('are brought onto the clock of the deployment, as wide as that is known', () => {
    const behind = [0, 400, 700].map((at) => sample(at, { sentAt: start + at - 5000, receivedAt: start + at - 4980 }));
    const merged = ontoServerClock([[sample(0), sample(400), sample(700)], behind]) ?? [];
    expect(merged.length).toBe(6);
    const truth = [0, 0, 400, 400, 700, 700].map((at) => start + at + 10);
    for (const { sentAt, receivedAt } of merged) {
      expect(truth.some((at) => sentAt <= at && at <= receivedAt)).toBe(true);
    }
    expect(merged.map(({ sentAt }) => sentAt)).toEqual(merged.map(({ sentAt }) => sentAt).toSorted((a, b) => a - b));
  });

  it('cannot be where a machine got no Date', () => {
    expect(ontoServerClock([[sample(0)], [sample(0, { date: null })]])).toBe(null);
  });
});
