import { expect, test } from 'vitest';
import { judgeRemaining, type RemainingVerdict } from '../../../../limits/judge/remaining.ts';
import { samplesOf } from '../words.ts';

type RemainingTerms = Parameters<typeof judgeRemaining>[1];

const limit = 6;
const windowMs = 60_000;
const judged = (trace: string, terms: Partial<RemainingTerms> = {}): RemainingVerdict =>
  judgeRemaining(samplesOf(trace, limit), { limit, windowMs, ...terms });

const filled = '0:5 1:4 2:3 3:2 4:1 5:0';

test.each<[string, string, string | null, Partial<RemainingTerms>?]>([
  [
    'Remaining is above 0 on two refused calls',
    `${filled} 6!1 7!1`,
    'Remaining is 1 on 2 refused calls; 0 was expected.',
  ],
  ['Remaining is above 0 on one of three', `${filled} 6!1 7!0 8!0`, null],
  ['two simultaneous calls, during which a window may have ended', `${filled} 6-8!1 7-8!1`, null],
  ['a call is admitted meanwhile', '0:5 1:4 2:3 3:2 4:1 5-9:0 6!1 7!1', null],
  ['calls of a minute ago are freed meanwhile', `${filled} 60!1 61!1`, null],
  [
    'fewer calls are admitted than Limit says, and Remaining agrees with them',
    '0:5 1:4 2:3 3:2 4!2 5!2',
    null,
    { enforced: 4 },
  ],
  [
    'fewer calls are admitted than Limit says, and Remaining agrees with neither',
    '0:5 1:4 2:3 3:2 4!3 5!3',
    'Remaining is 3 on 2 refused calls',
    { enforced: 4 },
  ],
])('on refused calls: %s', (_, trace, says, terms) => {
  const { verdict, says: actual } = judged(trace, terms);
  expect(verdict === 'fails').toBe(says !== null);
  expect(actual).toContain(says ?? '');
});

test.each<[string, string, string | null, Partial<RemainingTerms>?]>([
  [
    'Remaining never changes',
    '0:5 1:5 2:5 3:5 4:5 5:5 6:5 7:5 8:5',
    'Remaining was 5, and 5 later, although calls were admitted',
  ],
  ['Remaining rises when a window ends', '0:5 1:4 2:3 3:2 4:5 5:4 6:3 7:2', null],
  ['a window ends twice in a minute', '0:5 1:4 2:3 3:2 4:5 5:4 6:3 7:2 8:5', 'Remaining was 2, and 5 later'],
  ['Remaining rises twice, a minute apart', '0:5 1:4 2:3 3:2 4:5 5:4 6:3 7:2 64:5', null],
  ['Remaining of simultaneous calls', '0-3:5 0.1-3:5 0.2-3:5 4-7:2 4.1-7:2 4.2-7:2', null],
  ['calls that another limit refuses show Remaining 0', '0:5 1:4 2!0 3:3 4!0 5:2 6!0 7:1', null],
  [
    "Remaining rises although only others' recent calls could be freed",
    '0:5 1:2 2:4 3:1 4:3',
    'Remaining was 1, and 3 later',
    { refills: false },
  ],
  ['a window ends while two calls are in flight', '0:5 1:4 2:3 3:2 4-9:1 4.5-8:5 10:4 11:3', null],
  [
    "others' earlier calls are freed, long after the first call",
    '0:5 200:0 215:2 225:1 235:3',
    null,
    { refills: false },
  ],
  ["others' earlier calls are freed", '0:2 31:4 32:3 62:5', null, { refills: false }],
])('from call to call: %s', (_, trace, says, terms) => {
  const { verdict, says: actual } = judged(trace, terms);
  expect(verdict === 'fails').toBe(says !== null);
  expect(actual).toContain(says ?? '');
});

const fixed = { isFixed: true, enforced: limit };

test.each<[string, string, boolean, Partial<RemainingTerms>?]>([
  ['Remaining is less than the window had left', '0!0 1:5 2:4 3:1 4:2 5:1 6:0 7!0', true, fixed],
  ['Remaining is what the window had left', '0!0 1:5 2:4 3:3 4:2 5:1 6:0 7!0', false, fixed],
  ['the low value belongs to the next window', `0!0 1:5 2:4 3:3 4:2 5:1 6:0 61:3`, false, fixed],
  ['the low value comes from before the window', '0:1 0.1:0 1!0 2:5 3:4 4:3 5:2 6:1 7:0', false, fixed],
  ['others may have filled the window', '0!0 1:5 2:4 3:1 4:0 5!0', false, fixed],
  ['the start of the window is not known', '1:5 2:4 3:1 4:2 5:1 6:0 7!0', false, fixed],
  ['a refusal was in flight when the first call was sent', '0-2!0 1:5 2:4 3:1 4:2 5:1 6:0 7!0', false, fixed],
  ['the window may slide', '0!0 1:5 2:4 3:1 4:2 5:1 6:0 7!0', false, { enforced: limit }],
  ['the enforced limit is not known', '0!0 1:5 2:4 3:1 4:2 5:1 6:0 7!0', false, { isFixed: true }],
])('in a window that the run filled: %s', (_, trace, fails, terms) => {
  const { verdict, says } = judged(trace, terms);
  expect(verdict === 'fails').toBe(fails);
  expect(says).toContain(fails ? 'Remaining was 1 when at most 4 calls had been made in a window that' : '');
});

test.each([
  ['no calls of others', '0:5 1:4 2:3', 0],
  ['before the first call', '0:2 1:1', 3],
  ['between calls', '0:5 1:2 2:1', 2],
  ['a call without a response may count', '0:5 1? 2:3', 0],
  ['between an earlier check and this one', '0^5 1:2', 2],
  ['of a minute that is full when calls of the run are still sent', '0^3 1-1:1 1-1!0 1-1:0 2!0', 1],
  ['none, where the run alone called after an earlier check', '0^5 1:4 2:3', 0],
  ['calls of an earlier check, whose order is unknown', '0^2 1:1', 0],
  ['a window ends while two calls are in flight', '0^1 1-9:5 2-9:0 10:4', 0],
  ['another route may have a budget of its own', '0^5 1@1 2:3', 0],
])("others' calls: %s", (_, trace, foreignCalls) => {
  expect(judged(trace).foreignCalls).toBe(foreignCalls);
});

test.each([
  ['a sliding log frees what this run did not call', '0^0 1:1 30:0 31!0 61.5:1', 3, { isLog: true }],
  ['a sliding log frees the calls of this run', '0:5 1:4 2:3 3:2 4:1 30:0 31!0 60.5:0', 0, { isLog: true }],
  ['another limiter frees as much', '0^0 1:1 30:0 31!0 61.5:1', 0, {}],
])("others' calls in a log: %s", (_, trace, foreignCalls, terms) => {
  expect(judged(trace, terms).foreignCalls).toBe(foreignCalls);
});

test.each([
  ['by one, for the call itself', '0:90 1!90 60:89', 0],
  ['by more than the call itself', '0:90 1!90 60:87', 2],
  ['by more than the calls since', '0:90 1!90 60:89 61:88 62:86', 1],
  ['between refusals, which do not count', '0:90 1!90 2!90 3!89 60:88', 1],
  ['with each refusal, since they count', '0:90 1!89 2!88 3!87 60:86', 0],
  ['while calls are simultaneous', '0:90 1!90 60-62:88 60-62:89', 0],
  ['by more than the calls of a fill that is not over', '0:90 5-6:88 5-6:87 7:86', 1],
  ['by more than calls that were decided after one that was answered later', '0:90 5-7:88 5-6:87 8:86', 1],
  ['by the calls of a fill, some of which were under way together', '0:90 5-7:89 5-6:88 6-8:87 9:86', 0],
  ['by two with each call, since each counts twice', '0:90 1:88 2:86 3:84 4!84', 0],
])("others' calls by the day's Remaining, which falls from one call to a later one: %s", (_, trace, calls) => {
  const samples = samplesOf(trace, 1000);
  expect(judgeRemaining(samples, { limit, windowMs })).toMatchObject({ verdict: 'not judged', foreignCalls: calls });
});

test.each([
  ['which draw on the budget, too', '100', '87', 0],
  ['which have a budget of their own', '100', '100', 3],
  ['which have another limit', '60', '57', 3],
])("the day's Remaining falls while calls with other keys are made, %s", (_, otherLimit, remaining, foreignCalls) => {
  const own = samplesOf('0:90 4:86 5:85', 100);
  const others = samplesOf('1 2 3', 100).map((one) => ({ ...one, key: 'other', limit: otherLimit, remaining }));
  expect(judgeRemaining([...own, ...others], { limit, windowMs, key: 'key' })).toMatchObject({ foreignCalls });
});

test.each([
  [
    'by more than the calls made',
    '0:5 1:2',
    'Remaining was 5, and 2 later: it fell by 1 more than calls were made meanwhile.',
  ],
  ['by one for each call', '0:5 1:4 2:3', 'Remaining fell by 2'],
  ['while calls are simultaneous', '0:5 1-3:2 2-3:3 4:1', 'Remaining fell by'],
])('Remaining of a key that nobody else uses falls: %s', (_, trace, says) => {
  expect(judged(trace, { alone: true }).says).toContain(says);
});

const [end, next] = [1_773_480_420, 1_773_480_480];

test('Remaining rises in the next window of the same second, where Reset counts seconds', () => {
  const shorter = 600;
  const trace = samplesOf('0:5 1:4 2:3 3:5 4:4 64:5 124:4', limit);
  const samples = trace.map((sample, index) => {
    const [sentAt, receivedAt] = [sample.sentAt / 100, sample.receivedAt / 100];
    return { ...sample, sentAt, receivedAt, reset: String(end + (index < 5 ? 0 : index - 4)) };
  });
  expect(judgeRemaining(samples, { limit, windowMs: shorter, refills: false }).verdict).not.toBe('fails');
});

/** The trace with these values of Reset, the last one on all further calls. */
const withReset = (trace: string, ...resets: readonly number[]) =>
  samplesOf(trace, limit).map((sample, index) => ({ ...sample, reset: String(resets[index] ?? resets.at(-1)) }));

test.each<[string, readonly number[], string | null]>([
  ['names the same end of a window', [end, end, end, end, end, next], 'later, although calls were admitted'],
  ['names the next end', [end, end, end, next], null],
  ['never changes, as that of a day', [end], null],
  ['moves with each call', [end, end + 1, end + 2, end + 2, end + 3, end + 4], null],
])('Remaining rises while Reset %s', (_, resets, says) => {
  const samples = withReset('0:5 1:4 2:3 3:5 4:4 64:5', ...resets);
  const { verdict, says: actual } = judgeRemaining(samples, { limit, windowMs, refills: false });
  expect(verdict === 'fails').toBe(says !== null);
  expect(actual).toContain(says ?? '');
});
