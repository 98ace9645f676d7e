import { expect, test } from 'vitest';
import { judge } from '../../../../limits/judge/judge.ts';
import { admitsUnevenly, countsDownExactly, fillsAlike } from '../../../../limits/judge/others.ts';
import { callsOf } from '../../../../limits/judge/trace.ts';
import { samplesOf } from '../words.ts';

const terms = { limit: 6, windowMs: 60_000 };
const refused = '20!0 40!0 55!0 66!0';

// Fixed windows of which one ends while calls are made one after the other. Each call takes half a second.
test.each([
  {
    when: 'others call in both windows',
    first: '0:2 6-6.5:1 6.5-7:0 7-7.5:5 7.5-8:4 8-8.5:3 8.5-9:2 9-9.5:1 9.5-10!0',
    second: '67.5:5 68-68.5:3 68.5-69:2 69-69.5:1 69.5-70:0 70-70.5!0',
    says: 'undecided: Remaining shows 3 calls more than this run made: somebody else uses the key, or more calls',
  },
  {
    when: 'others call while calls of the run are under way',
    first: '0:5 5-5.5:4 5.5-6:3 6-6.5:2 6.5-7:1 7-7.5:5 7.5-8:3 8-8.5:2 8.5-9:1 9-9.5:0 9.5-10!0',
    second: '67.5:5 68-68.5:4 68.5-69:3 69-69.5:2 69.5-70:0 70-70.5!0',
    says: 'undecided: Remaining shows 1 call more than this run made',
  },
])('a window ends during the calls: $when', ({ first, second, says }) => {
  const { perMinute } = judge(samplesOf(`${first} ${refused} ${second}`, terms.limit), terms);
  expect(`${perMinute.verdict}: ${perMinute.says}`).toContain(says);
});

/** Calls a second apart, by their Remaining; `no` is a refused call. */
const callsWith = (values: string) =>
  callsOf(
    samplesOf(
      values
        .split(' ')
        .map((value, index) => (value === 'no' ? `${index}!` : `${index}:${value}`))
        .join(' '),
      terms.limit,
    ),
    'key',
  );

test.each([
  ['there is only one fill', '5 4 2 1 0 no', false, false],
  ['a fill of one call lies between them', '5 4 2 1 0 no 5 no 5 4 2 1 0 no', true, false],
  ['the whole limit, and then fewer', '5 4 3 2 1 0 no 5 4 3 2 no', false, true],
  ['the whole limit twice', '5 4 3 2 1 0 no 5 4 3 2 1 0 no', true, false],
])('fills: %s', (_, values, alike, uneven) => {
  const calls = callsWith(values);
  expect([fillsAlike(calls, terms.limit), admitsUnevenly(calls, terms.limit)]).toEqual([alike, uneven]);
});

test.each([
  ['Remaining before each call', '6 5 4 3 2 1 no', true],
  ['out of order, as with simultaneous calls', '4 5 3 1 2 0 no', true],
  ['one call too few', '5 4 3 2 1 no', false],
])('countsDownExactly: %s', (_, values, expected) => {
  expect(countsDownExactly(callsWith(values), terms.limit)).toBe(expected);
});
