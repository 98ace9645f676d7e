import { describe, expect, it } from 'vitest';
import { describeHeaders, namesNextWindow } from '../../../../limits/judge/describe.ts';
import { headerTroubles, judgeLimitValue } from '../../../../limits/judge/header-values.ts';
import {
  clockOffset,
  firstNumber,
  hasSeveralLimits,
  headersOfLimit,
  readReset,
} from '../../../../limits/judge/headers.ts';
import { callsOf, type Sample } from '../../../../limits/judge/trace.ts';

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

describe("Kong/kong#14353: a gateway's limit beside the service's", () => {
  it.each([
    ['1000, 60', '999, 59', '60, 42', ['60', '59', '42']],
    ['60, 1000', '59, 999', '42, 60', ['60', '59', '42']],
    ['60, 60', '59, 59', '42', ['60', '59', '42']],
    [
      '1000, 60',
      '999, 59',
      'Thu, 01 Jan 2026 00:01:00 GMT, Thu, 01 Jan 2026 00:02:00 GMT',
      ['60', '59', 'Thu, 01 Jan 2026 00:02:00 GMT'],
    ],
    ['60', '59', '42', ['60', '59', '42']],
    ['60, 60;w=60, 10000;w=86400', '59', '42', ['60, 60;w=60, 10000;w=86400', '59', '42']],
    ['60, 60', '59, 999', '42, 60', null],
    ['1000, 60', '59', '42', null],
    ['60, 1000', '59', '42', null],
    ['60', '999, 59', '42', null],
    ['1000, 500', '999, 499', '42, 60', null],
  ])('%s; %s; %s', (limit, remaining, reset, expected) => {
    const found = headersOfLimit({ limit, remaining, reset }, 60);
    expect(found && [found.limit, found.remaining, found.reset]).toEqual(expected);
  });

  it('is told from one limit and its policies', () => {
    expect(hasSeveralLimits({ limit: '1000, 60', remaining: '59', reset: null })).toBe(true);
    expect(hasSeveralLimits({ limit: '60, 60;w=60', remaining: '59', reset: null })).toBe(false);
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

  /**
   * Calls are refused until second 49 with this Reset, and admitted from second 51 on with the end of the next window.
   */
  const returned = (reset: number, retryAfter: string | null, next = 110, early: string | null = null): Sample[] => {
    const headersWith = (at: number): Partial<Sample> => ({ reset: String(start / 1000 + at) });
    return [
      sample(0, headersWith(reset)),
      sample(50, { status: 429 }),
      sample(100, { status: 429, ...headersWith(reset), retryAfter: early }),
      sample(49_000, { status: 429, ...headersWith(reset), retryAfter }),
      sample(51_000, headersWith(next)),
    ];
  };

  it.each<[number, string | null, boolean, boolean | null]>([
    [50, '1', true, true],
    [51, '3', true, true],
    [40, '1', false, true],
    [60, '1', false, true],
    [50, '-5', true, false],
    [50, '5', true, false],
    [50, '1760000000', true, null],
    [50, null, true, null],
  ])('%j and a Retry-After of %j, if calls succeed again at 50', (reset, retryAfter, resetAgrees, retryAfterAgrees) => {
    const expected = { resetUnit: 'epoch seconds', resetAgrees, retryAfterAgrees };
    expect(describeHeaders(callsOf(returned(reset, retryAfter), 'key'), 60_000)).toMatchObject(expected);
  });

  it.each([
    ['50', '1', true],
    ['1', '1', false],
    ['1', null, false],
  ])('a Retry-After of %s at first and %s at last, if calls succeed again at 50, agrees: %j', (early, last, agrees) => {
    const calls = callsOf(returned(50, last, 110, early), 'key');
    expect(describeHeaders(calls, 60_000)).toMatchObject({ retryAfterAgrees: agrees });
  });

  it('leaves times undecided if no call is admitted again, or the clock runs at another speed', () => {
    const calls = callsOf(returned(50, '1'), 'key');
    const open = { resetUnit: 'epoch seconds', resetAgrees: null, retryAfterAgrees: null };
    expect(describeHeaders(calls.slice(0, -1), 60_000)).toMatchObject(open);
    expect(describeHeaders(calls, 3000)).toMatchObject(open);
  });

  it.each([
    ['the end of the next window', returned(50, null), true],
    ['an end further away', returned(50, null, 170), false],
    ['the end of the window before', returned(50, null, 50), false],
    ['the end of the next window, after a wrong Reset', returned(30, null), false],
    ['nothing if no call was admitted again', returned(50, null).slice(0, -1), false],
  ])('names %s', (_, trace, isNext) => {
    expect(namesNextWindow(callsOf(trace, 'key'), 60_000)).toBe(isNext);
  });

  it('names no window of a clock that runs at another speed', () => {
    expect(namesNextWindow(callsOf(returned(50, null, 53), 'key'), 3000)).toBe(false);
  });

  it('is absent if no call was answered', () => {
    expect(describeHeaders([], 60_000)).toMatchObject({ resetUnit: 'absent', says: 'No call was answered.' });
  });
});

describe('the headers', () => {
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
    expect(verdict).toMatchObject({
      verdict: 'fails',
      says: 'X-RateLimit-Limit is 61, not 60 (a minute) or 10,000 (a day).',
    });
  });
});
