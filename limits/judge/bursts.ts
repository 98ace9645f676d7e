import { counted, thousands } from '../../common/words.ts';
import { fewestBeside } from './crowd.ts';
import { compare, type Explanation } from './explain.ts';
import { judge, type Verdict } from './judge.ts';
import { fewestIn } from './log.ts';
import type { MinuteCase, PerMinuteVerdict } from './minute.ts';
import { countsDownExactly } from './others.ts';
import { type Call, callsOf, isAdmitted, type Sample, type Terms } from './trace.ts';

/** The counts of one burst. */
export interface BurstCount {
  readonly burst: number;
  readonly sent: number;
  readonly admitted: number;
  readonly refused: number;
  /** From the first call sent to the last response, ms. */
  readonly lasted: number;
}

const numbersIn = (samples: readonly Sample[]): number[] =>
  [...new Set(samples.flatMap(({ phase }) => /^burst (\d+)$/.exec(phase)?.[1] ?? []))]
    .map(Number)
    .sort((a, b) => a - b);

/** The counts of each burst of a trace. The phase of a call (`burst 1`) says which burst it belongs to. */
export function countBursts(samples: readonly Sample[]): BurstCount[] {
  return numbersIn(samples).map((burst) => {
    const calls = samples.filter(({ phase }) => phase === `burst ${burst}`);
    const sentAt = calls.reduce((least, sample) => Math.min(least, sample.sentAt), Infinity);
    const receivedAt = calls.reduce((most, sample) => Math.max(most, sample.receivedAt), 0);
    return {
      burst,
      sent: calls.length,
      admitted: calls.filter(isAdmitted).length,
      refused: calls.filter(({ status }) => status === 429).length,
      lasted: receivedAt - sentAt,
    };
  });
}

/**
 * The highest probability of over-admission in one burst that is compatible, at 95 %, with this many clean bursts in a
 * row.
 */
export const cleanBound = (bursts: number): number => 1 - 0.05 ** (1 / bursts);

/** One burst, and the calls that were made a little later to see whether its window is still full. */
interface Burst {
  readonly calls: readonly Call[];
  readonly tail: readonly Call[];
}

function burstsIn(samples: readonly Sample[], key: string): Burst[] {
  const calls = callsOf(samples, key);
  const inPhase = (name: string): Call[] => calls.filter(({ sample }) => sample.phase === name);
  return numbersIn(samples).map((number) => ({ calls: inPhase(`burst ${number}`), tail: inPhase(`tail ${number}`) }));
}

const count = (calls: readonly Call[], outcome: Call['outcome']): number =>
  calls.filter((call) => call.outcome === outcome).length;

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

function judgeNumber(
  { all, limit, firstRefusals, evidence: { worstWindow: worst } }: MinuteCase,
  bursts: readonly Burst[],
): PerMinuteVerdict {
  const fewest = fewestIn(firstRefusals);
  const admitted = bursts.map(({ calls }) => count(calls, 'admitted'));
  const answer = (verdict: PerMinuteVerdict['verdict'], says: string): PerMinuteVerdict => ({
    verdict,
    enforced: verdict === 'holds' ? limit : null,
    says,
    closer: null,
  });
  const conforms = all.some((one) => isConforming(one, limit));
  if (worst > limit && !conforms) {
    return answer('more', tooManySays(admitted, worst, limit));
  }
  if (fewest < limit && !conforms) {
    return answer(
      'fewer',
      `A call was refused after only ${counted(fewest, 'call')} in the preceding minute; documented: ${thousands(limit)}.`,
    );
  }
  const exact = bursts.filter((burst) => isSettled(burst, limit)).length;
  if (exact > 0) {
    const says =
      exact === bursts.length
        ? `In every burst exactly ${limit} calls were admitted.`
        : `In ${exact} of ${bursts.length} bursts exactly ${limit} calls were admitted, in the others no more than if a window ended during the burst.`;
    return answer('holds', says);
  }
  const why = admitted.some((number) => number > limit)
    ? 'more than the limit in some, as happens if a window ends during a burst'
    : 'in no burst exactly the limit was admitted and the rest refused';
  return answer(
    'undecided',
    `Admitted in the bursts: ${admitted.slice(0, 10).join(', ')}; ${why}. More --bursts may decide.`,
  );
}

function tooManySays(admitted: readonly number[], worst: number, limit: number): string {
  const over = admitted.filter((number) => number > limit).length;
  const most = admitted.reduce((highest, number) => Math.max(highest, number), 0);
  return over > 0
    ? `In ${over} of ${admitted.length} bursts more than ${limit} calls were admitted, up to ${most}.`
    : `${counted(worst, 'call')} were admitted within one minute; documented: ${thousands(limit)}.`;
}

/**
 * How many concurrent calls seem to be admitted, if every burst had fewer than the limit, each refused call was beside
 * others, and the few calls some time later, one after the other, were admitted; null otherwise. A limit of calls a
 * second looks the same in bursts.
 */
function mostAtOnce(bursts: readonly Burst[], limit: number): number | null {
  const split = (calls: readonly Call[], isRefused: boolean): Call[] =>
    calls.filter(({ sample }) => (sample.status === 429) === isRefused);
  const beside = bursts.map(({ calls }) => fewestBeside(split(calls, true), split(calls, false)));
  const isShort = ({ calls, tail }: Burst): boolean =>
    count(calls, 'admitted') < limit && tail.length > 0 && split(tail, true).length === 0;
  const fewest = Math.min(...beside);
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
