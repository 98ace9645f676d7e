import { expect, test } from 'vitest';
import { judgeRecovery } from '../../../limits/judge/recovery.ts';
import { timelineOf } from '../../../limits/judge/timeline.ts';
import { callsOf } from '../../../limits/judge/trace.ts';
import { samplesOf } from './words.ts';

const terms = { limit: 4, windowMs: 60_000, slack: 12 };

function judged(trace: string): string {
  const { verdict, says } = judgeRecovery(timelineOf(callsOf(samplesOf(trace, terms.limit), 'key')), terms);
  return `${verdict}: ${says}`;
}

const again = 'holds: Calls succeeded again';
const never = 'undecided: No call was admitted again';
const given = 'fails: A call was refused although no call with the key had been admitted for a whole minute.';
const used = 'fails: A call was refused although the key had not been used for a whole minute.';

test.each([
  ['nothing is refused', '0 1 2 3', 'undecided: Nothing was refused.'],
  ['calls come back', '0 1 2 3 4! 61', again],
  ['nothing comes back within the minute', '0 1 2 3 4! 50!', never],
  ['nothing comes back, and the key was not used', '0 1 2 3 4! 130!', used],
  ['earlier calls are unknown', '0! 90', again],
  ['each refused call starts the minute again', '0 1 2 3 4! 60! 119! 190', again],
  ['so it does after calls came back', '0 1 2 3 4! 70 71! 126! 180!', again],
  ['refused calls do not: calls were freed meanwhile', '0 1 2 3 4! 50! 61 62 63 64 65! 120! 170!', given],
  ['but many refused calls may use the limit up', '0 1 2 3 4! 50! 61 62 63 64 65! 120! 130! 170!', again],
  ['a call without an answer may be counted', '0 1 2 3 4! 50! 61 150? 190!', again],
  ['the window before weighs in a counter', '0 1 2 3 4! 50! 61 62 63 64 65! 100! 150!', again],
  ['a window in segments holds a call for longer', '0 63! 70', again],
  ['but not for so long', '0 75! 80', used],
  ['it lets calls in soon then', '0 63! 90', used],
  ['it has to let calls in', '0 63! 70!', used],
])('%s: %s', (_, trace, expected) => {
  expect(judged(trace)).toContain(expected);
});
