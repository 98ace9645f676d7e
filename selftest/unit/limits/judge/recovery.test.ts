import { expect, test } from 'vitest';
import { judgeRecovery } from '../../../../limits/judge/recovery.ts';
import { timelineOf } from '../../../../limits/judge/timeline.ts';
import { callsOf } from '../../../../limits/judge/trace.ts';
import { samplesOf } from '../words.ts';

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
  ['no call is admitted again before the trace ends, within the minute', '0 1 2 3 4! 50!', never],
  ['the first call is refused, and calls before the trace are unknown', '0! 90', again],
  ['each refused call may start the minute again after calls were admitted, too', '0 1 2 3 4! 70 71! 126! 180!', again],
  ['refused calls do not count if calls were admitted among them', '0 1 2 3 4! 50! 61 62 63 64 65! 120! 170!', given],
  ['but many refused calls may use up the limit', '0 1 2 3 4! 50! 61 62 63 64 65! 120! 130! 170!', again],
  ['a call without a response may be counted', '0 1 2 3 4! 50! 61 150? 190!', again],
  ['a sliding counter weighs the window before', '0 1 2 3 4! 50! 61 62 63 64 65! 100! 150!', again],
  ['a window in segments may hold a call for longer than a minute', '0 63! 70', again],
  ['but not by 15 seconds', '0 75! 80', used],
  ['but then it must admit calls at all', '0 63! 70!', used],
])('%s: %s', (_, trace, expected) => {
  expect(judged(trace)).toContain(expected);
});
