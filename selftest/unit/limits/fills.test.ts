import { expect, test } from 'vitest';
import {
  admitsAtZero,
  admitsUnevenly,
  countsDownExactly,
  freesGradually,
  skipsSameValues,
} from '../../../limits/judge/fills.ts';
import { type Call, callsOf, sampleOf } from '../../../limits/judge/trace.ts';

const limit = 6;

/** Calls one after the other, by their Remaining; `no` is a refused call, `-` a response without Remaining. */
function told(trace: string): Call[] {
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
  ['each window leaves out another, as with a stranger', '5 4 2 1 0 no 5 3 2 1 0 no', false],
  ['another window of a few calls', '5 4 2 1 0 no 5 no 5 4 2 1 0 no', true],
  ['one window', '5 4 2 1 0 no', false],
  ['no value is left out', '5 4 3 2 1 0 no 5 4 3 2 1 0 no', false],
  ['nothing is told', '- - - no - - - no', false],
])('skips alike: %s', (_, trace, expected) => {
  expect(skipsSameValues(told(trace), limit)).toBe(expected);
});

test.each([
  ['the whole limit, and then less', '5 4 3 2 1 0 no 5 4 3 2 no', true],
  ['the whole limit each time', '5 4 3 2 1 0 no 5 4 3 2 1 0 no', false],
  ['the whole limit, and a few calls', '5 4 3 2 1 0 no 5 no', false],
  ['less each time', '5 4 3 2 no 5 4 3 2 no', false],
])('gives unevenly: %s', (_, trace, expected) => {
  expect(admitsUnevenly(told(trace), limit)).toBe(expected);
});

test.each([
  ['Remaining after each call', '5 4 3 2 1 0 no', true],
  ['Remaining before each call', '6 5 4 3 2 1 no', true],
  ['out of order, as calls at once are', '4 5 3 1 2 0 no', true],
  ['two calls the same', '5 4 4 2 1 0 no', false],
  ['a call too few', '5 4 3 2 1 no', false],
  ['a call too many', '5 4 3 2 1 0 0 no', false],
  ['one call nothing', '5 4 - 2 1 0 no', false],
  ['one call nothing, as the last 0', '5 4 3 2 1 - no', false],
  ['one call more nothing', '5 4 3 - 2 1 0 no', false],
  ['more than the limit', '8 7 6 5 4 3 no', false],
])('told exactly: %s', (_, trace, expected) => {
  expect(countsDownExactly(told(trace), limit)).toBe(expected);
});

test.each([
  ['a call after the one with Remaining 0', '1 0 0 no', true],
  ['the one with Remaining 0 is the last', '1 0 no', false],
  ['the next one is refused', '1 0 no 0', true],
])('lets in at zero: %s', (_, trace, expected) => {
  expect(admitsAtZero(told(trace), limit)).toBe(expected);
});

test.each([
  ['one after the other', '1 0 no no 2', true],
  ['the whole limit', '1 0 no no 5', false],
  ['all but the calls made meanwhile', '1 0 no no 4', false],
  ['not told', '1 0 no no -', false],
  ['nothing', '1 0 no no', false],
])('gives back slowly: %s', (_, trace, expected) => {
  expect(freesGradually(told(trace), limit)).toBe(expected);
});
