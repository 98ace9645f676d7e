import { expect, test } from 'vitest';
import { judgeRemaining, type RemainingVerdict } from '../../../../limits/judge/remaining.ts';
import { samplesOf } from '../words.ts';

type RemainingTerms = Parameters<typeof judgeRemaining>[1];

const limit = 6;
const windowMs = 60_000;
const judged = (trace: string, terms: Partial<RemainingTerms> = {}): RemainingVerdict =>
  judgeRemaining(samplesOf(trace, limit), { limit, windowMs, ...terms });

const filled = '0:5 1:4 2:3 3:2 4:1 5:0';
const ended = 'although the last window had not ended';
const steady = { refills: false };

test.each<[string, string, string | null, Partial<RemainingTerms>?]>([
  ['above 0 on two refused calls', `${filled} 6!1 7!1`, 'Remaining is 1 on 2 refused calls; 0 was expected.'],
  ['above 0 on one refused call of three', `${filled} 6!1 7!0 8!0`, null],
  ['calls of a minute ago are freed meanwhile', `${filled} 60!1 61!1`, null],

  ['rises when a window ends', '0:5 1:4 2:3 3:2 4:5 5:4 6:3 7:2', null, steady],
  ['a bucket refills', '0:5 0.1:4 10:4 20:4 30:4', null],
  ['a bucket refills slower than that', '0:5 0.1:4 0.2:3 0.3:5 0.4:5 0.5:5 0.6:5 0.7:5 0.8:5 0.9:5 1:5 1.1:5', ended],
  ['calls that another limit refuses show 0', '0:5 1:4 2!0 3:3 4!0 5:2 6!0 7:1', null, steady],

  [
    'is too low from the first call on',
    '0:3 1:2',
    'Remaining was 3 when at most 1 calls had been made.',
    { own: true },
  ],
  [
    'falls too far in a later window',
    `${filled} 6!0 70:5 71:1`,
    'it fell by 2 more than calls were made',
    { own: true },
  ],
  ['is low in a window that the run filled', '0:3 1:2 2:1 3:0 4:0 5:0 6!0', 'Remaining was', { enforced: limit }],
])('Remaining: %s', (_, trace, says, terms) => {
  const { verdict, says: actual } = judged(trace, terms);
  expect([verdict === 'fails', actual]).toEqual([says !== null, expect.stringContaining(says ?? '')]);
});

test.each([
  ['before the first call', '0:2 1:1', 3],
  ['none where calls are simultaneous', '0:5 1-3:3 2-3:4 4:2', 0],
  ['of a minute that is full when calls of the run are still sent', '0:5 1-1:2 1-1!0 1-1:0 2!0', 3],
])("others' calls: %s", (_, trace, foreignCalls) => {
  expect(judged(trace).foreignCalls).toBe(foreignCalls);
});

test.each([
  ['by more than the calls since', '0:90 1!90 60:89 61:88 62:86', 1],
  ['while calls are simultaneous', '0:90 1!90 60-62:88 60-62:89', 0],
])("others' calls by the day's Remaining, which falls %s", (_, trace, calls) => {
  const samples = samplesOf(trace, 1000);
  expect(judgeRemaining(samples, { limit, windowMs })).toMatchObject({ verdict: 'not judged', foreignCalls: calls });
});

test("the day's Remaining falls while calls with other keys are made, which draw on the budget, too", () => {
  const own = samplesOf('0:90 4:86 5:85', 100);
  const others = samplesOf('1 2 3', 100).map((one) => ({ ...one, key: 'other', limit: '100', remaining: '87' }));
  expect(judgeRemaining([...own, ...others], { limit, windowMs, key: 'key' })).toMatchObject({ foreignCalls: 0 });
});
