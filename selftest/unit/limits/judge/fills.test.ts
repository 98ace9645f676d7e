import { expect, test } from 'vitest';
import {
  admitsAtZero,
  admitsUnevenly,
  countsDownExactly,
  freesGradually,
  leavesRoomForOthers,
  skipsSameValues,
} from '../../../../limits/judge/fills.ts';
import { type Call, callsOf, sampleOf } from '../../../../limits/judge/trace.ts';

const limit = 6;

/** Calls one after the other, by their Remaining; `no` is a refused call, `-` a response without Remaining. */
function callsWith(trace: string): Call[] {
  const samples = trace.split(/\s+/).map((value, index) => {
    const isShown = !Number.isNaN(Number(value));
    const headers: Readonly<Record<string, string | null>> = {
      'X-RateLimit-Limit': isShown ? String(limit) : null,
      'X-RateLimit-Remaining': isShown ? value : null,
    };
    const call = { sentAt: 10 * index, receivedAt: 10 * index + 5, status: value === 'no' ? 429 : 200 };
    return sampleOf({ ...call, key: 'key', phase: 'burst' }, (name) => headers[name] ?? null);
  });
  return callsOf(samples, 'key');
}

test.each([
  ['each window leaves out the same value', '5 4 2 1 0 no 5 4 2 1 0 no', true],
  ['each window leaves out another value, as when somebody else uses the key', '5 4 2 1 0 no 5 3 2 1 0 no', false],
  ['a window of few calls lies between two that leave out the same value', '5 4 2 1 0 no 5 no 5 4 2 1 0 no', true],
  ['there is only one window', '5 4 2 1 0 no', false],
  ['no value is left out', '5 4 3 2 1 0 no 5 4 3 2 1 0 no', false],
  ['no response has Remaining', '- - - no - - - no', false],
])('skipsSameValues: %s', (_, trace, expected) => {
  expect(skipsSameValues(callsWith(trace), limit)).toBe(expected);
});

test.each([
  ['the whole limit, and fewer calls in the next window', '5 4 3 2 1 0 no 5 4 3 2 no', true],
  ['the whole limit in both windows', '5 4 3 2 1 0 no 5 4 3 2 1 0 no', false],
  ['the whole limit, and one call in the next window', '5 4 3 2 1 0 no 5 no', false],
  ['fewer than the limit in both windows', '5 4 3 2 no 5 4 3 2 no', false],
])('admitsUnevenly: %s', (_, trace, expected) => {
  expect(admitsUnevenly(callsWith(trace), limit)).toBe(expected);
});

test.each([
  ['a value is left out in the middle of a window', '5 4 2 1 0 no', true, false],
  ['a new window begins below the limit less one', '2 1 0 no 4 3 2 1 0 no', true, true],
  ['a sliding window frees some calls', '2 1 0 no 4 3 2 1 0 no', false, false],
  ['the first window, into which earlier calls fall', '4 3 2 1 0 no', false, true],
  ['the values count down to 0 from the limit less one', '2 1 0 no 5 4 3 2 1 0 no', false, true],
  ['a window that had the whole limit', '5 4 3 2 1 1 no', false, true],
  ['two calls with the same value', '5 4 2 2 0 no', false, true],
  ['few values', '5 no', false, true],
])('leavesRoomForOthers: %s', (_, trace, expected, isFixed) => {
  expect(leavesRoomForOthers(callsWith(trace), limit, isFixed)).toBe(expected);
});

test.each([
  ['Remaining after each call', '5 4 3 2 1 0 no', true],
  ['Remaining before each call', '6 5 4 3 2 1 no', true],
  ['out of order, as with simultaneous calls', '4 5 3 1 2 0 no', true],
  ['two calls with the same value', '5 4 4 2 1 0 no', false],
  ['one call too few', '5 4 3 2 1 no', false],
  ['one call too many', '5 4 3 2 1 0 0 no', false],
  ['one call without a value', '5 4 - 2 1 0 no', false],
  ['the last call without a value', '5 4 3 2 1 - no', false],
  ['an extra call without a value', '5 4 3 - 2 1 0 no', false],
  ['values above the limit', '8 7 6 5 4 3 no', false],
])('countsDownExactly: %s', (_, trace, expected) => {
  expect(countsDownExactly(callsWith(trace), limit)).toBe(expected);
});

test.each([
  ['a call is admitted after Remaining was 0', '1 0 0 no', true],
  ['the call with Remaining 0 is the last admitted', '1 0 no', false],
  ['a call is refused in between', '1 0 no 0', true],
])('admitsAtZero: %s', (_, trace, expected) => {
  expect(admitsAtZero(callsWith(trace), limit)).toBe(expected);
});

test.each([
  ['the first call admitted again has Remaining 2', '1 0 no no 2', true],
  ['it has the whole limit left', '1 0 no no 5', false],
  ['it has all but the calls made meanwhile', '1 0 no no 4', false],
  ['it has no Remaining', '1 0 no no -', false],
  ['no call is admitted again', '1 0 no no', false],
])('freesGradually: %s', (_, trace, expected) => {
  expect(freesGradually(callsWith(trace), limit)).toBe(expected);
});
