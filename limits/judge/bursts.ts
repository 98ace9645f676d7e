import { compare, type Explanation } from './hypotheses.ts';
import { judge, type Verdict } from './judge.ts';
import { fewestIn } from './log.ts';
import type { MinuteCase, PerMinuteVerdict } from './per-minute.ts';
import { toldExactly } from './told.ts';
import { type Call, callsOf, isAdmitted, type Sample, type Terms } from './trace.ts';

/** What one burst came to. */
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

/** One count for each burst of a trace; the calls are told apart by their phase, `burst 1` and so on. */
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

/** What n clean bursts bound the chance of an over-admission in one burst by, at 95 %. */
export const cleanBound = (bursts: number): number => 1 - 0.05 ** (1 / bursts);

/** One burst with the calls that tried its window afterwards. */
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

/** A window that gave exactly the limit and stayed full: told so call by call, or refused before and after a pause. */
const isSettled = ({ calls, tail }: Burst, limit: number): boolean =>
  count(calls, 'refused') > 0 &&
  count(calls, 'admitted') === limit &&
  (toldExactly(calls, limit) || (tail.length > 0 && count(tail, 'refused') === tail.length));

/** A bucket's refill within a burst has nothing to do with concurrency: per-minute shows it. */
const isConforming = (one: Explanation, limit: number): boolean =>
  one.family !== 'token bucket' && one.family !== 'small bucket' && compare(one, limit).includes('holds');

function judgeNumber(
  { all, limit, firstRefusals, evidence: { worstWindow: worst } }: MinuteCase,
  bursts: readonly Burst[],
): PerMinuteVerdict {
  const fewest = fewestIn(firstRefusals);
  const given = bursts.map(({ calls }) => count(calls, 'admitted'));
  const over = given.filter((admitted) => admitted > limit).length;
  const answer = (verdict: PerMinuteVerdict['verdict'], says: string): PerMinuteVerdict => ({
    verdict,
    enforced: verdict === 'holds' ? limit : null,
    says,
    closer: null,
  });
  const conforms = all.some((one) => isConforming(one, limit));
  if (worst > limit && !conforms) {
    const most = given.reduce((least, admitted) => Math.max(least, admitted), 0);
    const says =
      over > 0
        ? `${over} of ${bursts.length} bursts were given more than ${limit} calls, up to ${most}.`
        : `${worst} calls were admitted within one minute; the documents give ${limit}.`;
    return answer('more', says);
  }
  if (fewest < limit && !conforms) {
    return answer(
      'fewer',
      `A call was refused with no more than ${fewest} admitted in the minute before it; the documents give ${limit}.`,
    );
  }
  const exact = bursts.filter((burst) => isSettled(burst, limit)).length;
  if (exact > 0) {
    return answer(
      'holds',
      exact === bursts.length
        ? `Every burst was given exactly ${limit} calls.`
        : `${exact} of ${bursts.length} bursts were given exactly ${limit} calls, the others no more than a window that ends among them explains.`,
    );
  }
  const why =
    over > 0
      ? 'some were given more, as where the window ends among the calls'
      : 'no burst was given exactly the limit and refused the rest';
  return answer(
    'undecided',
    `Admitted in the bursts: ${given.slice(0, 10).join(', ')}; ${why}. More --bursts may decide.`,
  );
}

/** Judges a trace of bursts (procedure/burst.ts) of one key. Throws nothing. */
export function judgeBursts(samples: readonly Sample[], terms: Terms): Verdict {
  const bursts = burstsIn(samples, terms.key ?? samples[0]?.key ?? '');
  return bursts.length === 0 ? judge(samples, terms) : judge(samples, terms, (one) => judgeNumber(one, bursts));
}
