// Many simultaneous calls, again and again: what each burst admitted, and whether a limit of concurrent calls is why.
import { counted, thousands } from '../../common/words.ts';
import { compare, type Explanation } from './explain.ts';
import { judge, type Verdict } from './judge.ts';
import type { MinuteCase, PerMinuteVerdict } from './minute.ts';
import { countsDownExactly } from './others.ts';
import { fewestIn } from './refusals.ts';
import { type Call, callsOf, type Range, type Sample, type Terms } from './trace.ts';

/** One burst, and the calls that were made a little later to see whether its window is still full. */
interface Burst {
  readonly number: number;
  readonly calls: readonly Call[];
  readonly tail: readonly Call[];
}

/** The bursts of a trace. The phase of a call (`burst 1`, `tail 1`) says which burst it belongs to. */
function burstsIn(samples: readonly Sample[], key: string): Burst[] {
  const calls = callsOf(samples, key);
  const numbers = new Set(calls.flatMap(({ sample }) => /^burst (\d+)$/.exec(sample.phase)?.[1] ?? []));
  const inPhase = (name: string): Call[] => calls.filter(({ sample }) => sample.phase === name);
  return [...numbers]
    .map((number) => ({ number: Number(number), calls: inPhase(`burst ${number}`), tail: inPhase(`tail ${number}`) }))
    .sort((a, b) => a.number - b.number);
}

const count = (calls: readonly Call[], outcome: Call['outcome']): number =>
  calls.filter((call) => call.outcome === outcome).length;

/** The counts of one burst. */
export interface BurstCount {
  readonly burst: number;
  readonly sent: number;
  readonly admitted: number;
  readonly refused: number;
}

/** The counts of each burst of a trace of one key. */
export const countBursts = (samples: readonly Sample[]): BurstCount[] =>
  burstsIn(samples, samples[0]?.key ?? '').map(({ number, calls }) => ({
    burst: number,
    sent: calls.length,
    admitted: count(calls, 'admitted'),
    refused: count(calls, 'refused'),
  }));

/**
 * The highest probability of over-admission in one burst that is compatible, at 95 %, with this many clean bursts in a
 * row.
 */
export const cleanBound = (bursts: number): number => 1 - 0.05 ** (1 / bursts);

/**
 * Whether a burst filled one window with exactly the limit: Remaining counted down to 0, or all calls of the tail were
 * refused.
 */
const isSettled = ({ calls, tail }: Burst, limit: number): boolean =>
  count(calls, 'refused') > 0 &&
  count(calls, 'admitted') === limit &&
  (countsDownExactly(calls, limit) || (tail.length > 0 && count(tail, 'refused') === tail.length));

/** Whether an explanation conforms. A bucket does not count: its refill is no race, and `per-minute` finds it. */
const isConforming = (one: Explanation, limit: number): boolean =>
  one.family !== 'token bucket' && compare(one, limit).includes('holds');

function judgeNumber({ all, limit, firstRefusals, evidence }: MinuteCase, bursts: readonly Burst[]): PerMinuteVerdict {
  const fewest = fewestIn(firstRefusals);
  const { worstWindow: worst } = evidence;
  const admitted = bursts.map(({ calls }) => count(calls, 'admitted'));
  const over = admitted.filter((number) => number > limit).length;
  const answer = (verdict: PerMinuteVerdict['verdict'], says: string): PerMinuteVerdict => ({
    verdict,
    enforced: verdict === 'holds' ? limit : null,
    says,
    closer: null,
  });
  const conforms = all.some((one) => isConforming(one, limit));
  const documented = `documented: ${thousands(limit)}.`;
  if (worst > limit && !conforms) {
    const most = admitted.reduce((highest, number) => Math.max(highest, number), 0);
    return answer(
      'more',
      over > 0
        ? `In ${over} of ${admitted.length} bursts more than ${limit} calls were admitted, up to ${most}.`
        : `${counted(worst, 'call')} were admitted within one minute; ${documented}`,
    );
  }
  if (fewest < limit && !conforms) {
    const says = `A call was refused after only ${counted(fewest, 'call')} in the preceding minute; ${documented}`;
    return answer('fewer', says);
  }
  const exact = bursts.filter((burst) => isSettled(burst, limit)).length;
  if (exact > 0) {
    const others = 'in the others no more than if a window ended during the burst';
    return answer(
      'holds',
      exact === bursts.length
        ? `In every burst exactly ${limit} calls were admitted.`
        : `In ${exact} of ${bursts.length} bursts exactly ${limit} calls were admitted, ${others}.`,
    );
  }
  const why =
    over > 0
      ? 'more than the limit in some, as happens if a window ends during a burst'
      : 'in no burst exactly the limit was admitted and the rest refused';
  const shown = admitted.slice(0, 10).join(', ');
  return answer('undecided', `Admitted in the bursts: ${shown}; ${why}. More --bursts may decide.`);
}

/** Whether a call was already under way, or began, while another was. Calls that take no time are beside no other. */
const isBeside = (other: Range, { from, to }: Range): boolean => other.from <= to && other.to > from;

/**
 * The fewest calls that were under way beside any of the refused ones, without other refused ones; 0 if one of these
 * was alone. A limit on concurrent calls refuses a call only beside as many as it admits.
 */
export const fewestBeside = (refused: readonly Range[], admitted: readonly Range[]): number =>
  refused.reduce(
    (fewest, call) => Math.min(fewest, admitted.filter((other) => isBeside(other, call)).length),
    refused.length === 0 ? 0 : admitted.length,
  );

/** What is said of a limit on concurrent calls. */
export const crowdSays = (atOnce: number): string =>
  `Calls also got 429 with ${atOnce} or more others in flight, but not one at a time: a concurrency limit, which the documents do not mention. The minute was judged with fewer concurrent calls.`;

/**
 * How many concurrent calls seem to be admitted, if every burst had fewer than the limit, each refused call was beside
 * others, and the few calls some time later, one after the other, were admitted; null otherwise. A limit of calls a
 * second looks the same in bursts.
 */
function mostAtOnce(bursts: readonly Burst[], limit: number): number | null {
  const split = (calls: readonly Call[], isRefused: boolean): Call[] =>
    calls.filter(({ sample }) => (sample.status === 429) === isRefused);
  const fewest = Math.min(...bursts.map(({ calls }) => fewestBeside(split(calls, true), split(calls, false))));
  const isShort = ({ calls, tail }: Burst): boolean =>
    count(calls, 'admitted') < limit && tail.length > 0 && split(tail, true).length === 0;
  return bursts.every(isShort) && fewest > 0 ? fewest : null;
}

/** Judges a trace of bursts (procedure/burst.ts) of one key; a trace without bursts like any other. Throws nothing. */
export function judgeBursts(samples: readonly Sample[], terms: Terms): Verdict {
  const bursts = burstsIn(samples, terms.key ?? samples[0]?.key ?? '');
  if (bursts.length === 0) {
    return judge(samples, terms);
  }
  const atOnce = mostAtOnce(bursts, terms.limit);
  if (atOnce === null) {
    return judge(samples, terms, (minute) => judgeNumber(minute, bursts));
  }
  const says = `Calls were refused with ${atOnce} or more others in flight, but admitted one at a time: the limit is on concurrent calls, or on calls a second.`;
  const others = samples.filter(({ status }) => status !== 429);
  return judge(others, terms, () => ({ verdict: 'undecided', enforced: null, says, closer: 'per-minute' }));
}
