import { expect, test } from 'vitest';
import { headersOfLimit } from '../../../../limits/judge/headers.ts';
import { describeHeaders, namesNextWindow } from '../../../../limits/judge/reset.ts';
import { callsOf, type Sample } from '../../../../limits/judge/trace.ts';

const start = Date.UTC(2026, 0, 1, 0, 0, 10);

const sample = (at: number, over: Partial<Sample> = {}): Sample => ({
  sentAt: start + at,
  receivedAt: start + at + 20,
  status: 200,
  key: 'key',
  phase: 'run',
  limit: '60',
  remaining: '59',
  reset: null,
  retryAfter: null,
  date: new Date(start + at + 10).toUTCString(),
  ...over,
});

const [minuteOne, minuteTwo] = ['Thu, 01 Jan 2026 00:01:00 GMT', 'Thu, 01 Jan 2026 00:02:00 GMT'];

test.each([
  ['60, 60', '59, 59', '42', ['60', '59', '42']],
  ['1000, 60', '999, 59', `${minuteOne}, ${minuteTwo}`, ['60', '59', minuteTwo]],
  ['60, 60;w=60, 10000;w=86400', '59', '42', ['60, 60;w=60, 10000;w=86400', '59', '42']],
  ['60, 60', '59, 999', '42, 60', null],
  ['60, 1000', '59', '42', null],
])("Kong/kong#14353: a gateway's limit beside the service's: %s; %s; %s", (limit, remaining, reset, expected) => {
  const found = headersOfLimit({ limit, remaining, reset }, 60);
  expect(found && [found.limit, found.remaining, found.reset]).toEqual(expected);
});

/** Calls are refused until second 49 with this Reset, and admitted from second 51 on with the end of the next window. */
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

const dateAt = (second: number): string => new Date(start + second * 1000).toUTCString();

test.each<[number, string | null, string | null, boolean, boolean | null]>([
  [50, '1', null, true, true],
  [40, '1', null, false, true],
  [50, '5', null, true, false],
  [50, '1', '50', true, true],
  // A date is as good (RFC 9110, 10.2.3).
  [50, dateAt(50), dateAt(50), true, true],
])(
  'Reset %j and Retry-After %j (at first %j), if calls succeed again at 50',
  (reset, last, early, ofReset, ofRetry) => {
    const calls = callsOf(returned(reset, last, 110, early), 'key');
    const expected = { resetUnit: 'epoch seconds', resetAgrees: ofReset, retryAfterAgrees: ofRetry };
    expect(describeHeaders(calls, 60_000)).toMatchObject(expected);
  },
);

test.each([
  ['seconds that count down', (at: number) => 50 - at / 1000, 'seconds left', true],
  ['a wrong number all along', () => 600, 'seconds left', false],
  // alisaifee/flask-limiter#56: it fits the last second of the wait alone.
  ['one below 0 all along', () => -1, 'seconds left', false],
  ['epoch milliseconds', () => start + 50_000, 'epoch milliseconds', true],
  ['a date', () => new Date(start + 50_000).toISOString(), 'date', true],
  ['no number', () => 'NaN', 'unknown', null],
])('Reset is %s', (_, resetAt, resetUnit, resetAgrees) => {
  const trace = [0, 50, 20_000, 49_000, 51_000].map((at, index) =>
    sample(at, { status: [0, 4].includes(index) ? 200 : 429, reset: `${resetAt(at)}` }),
  );
  expect(describeHeaders(callsOf(trace, 'key'), 60_000)).toMatchObject({ resetUnit, resetAgrees });
});

test('times are undecided if no call is admitted again, or the clock runs at another speed', () => {
  const calls = callsOf(returned(50, '1'), 'key');
  const open = { resetUnit: 'epoch seconds', resetAgrees: null, retryAfterAgrees: null };
  expect(describeHeaders(calls.slice(0, -1), 60_000)).toMatchObject(open);
  expect(describeHeaders(calls, 3000)).toMatchObject(open);
  expect(namesNextWindow(calls, 3000)).toBe(false);
  expect(describeHeaders([], 60_000)).toMatchObject({ resetUnit: 'absent', says: 'Reset is absent.' });
});

test.each([
  ['the end of the next window', returned(50, null), true],
  ['an end further away', returned(50, null, 170), false],
  ['the end of the next window, after a wrong Reset', returned(30, null), false],
])('Reset names %s', (_, trace, isNext) => {
  expect(namesNextWindow(callsOf(trace, 'key'), 60_000)).toBe(isNext);
});
