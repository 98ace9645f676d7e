import { expect, test } from 'vitest';
import { judge } from '../../../../limits/judge/judge.ts';
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
    says: 'undecided: One window admitted the whole limit and another less, or its calls skipped values of Remaining',
  },
  {
    when: 'others call, but no window of six admits all calls',
    first: '0:2 6.5-7:0 7-7.5:5 7.5-8:4 8-8.5:3 8.5-9:2 9-9.5:1 9.5-10:0 10-10.5:0 10.5-11:0 11-11.5:0 11.5-12!0',
    second: '67.5:5 68-68.5:3 68.5-69:2 69-69.5:1 69.5-70:0 70-70.5!0',
    says: 'more: 11 calls were admitted within one minute',
  },
])('a window ends during the calls: $when', ({ first, second, says }) => {
  const { perMinute } = judge(samplesOf(`${first} ${refused} ${second}`, terms.limit), terms);
  expect(`${perMinute.verdict}: ${perMinute.says}`).toContain(says);
});
