// The judge of repeated bursts: was any of them given more than the limit, and is one of them settled to the call?

import { firstNumber } from './headers.ts';
import { clockSlack, coincidental, type Explanation, explain, outcomes } from './hypotheses.ts';
import { judge, type PerMinuteVerdict, type Terms, type Verdict } from './judge.ts';
import { judgeRemaining, type RemainingVerdict, toldExactly } from './remaining.ts';
import { fewestAtRefusal, mostAdmitted } from './sliding.ts';
import { type Call, callsOf, type Sample } from './trace.ts';

/** One burst with the calls that tried its window afterwards. */
type Burst = { number: string; calls: Call[]; tail: Call[] };

function burstsIn(samples: readonly Sample[], key: string): Burst[] {
  const calls = callsOf(samples, key);
  const phase = (name: string): Call[] => calls.filter((call) => call.sample.phase === name);
  const numbers = new Set(calls.flatMap((call) => /^burst (\d+)$/.exec(call.sample.phase)?.[1] ?? []));
  return [...numbers].map((number) => ({ number, calls: phase(`burst ${number}`), tail: phase(`tail ${number}`) }));
}

const count = (calls: readonly Call[], fate: Call['fate']): number => calls.filter((call) => call.fate === fate).length;

/** A window that gave exactly the limit and stayed full: told so call by call, or refused before and after a pause. */
const settled = ({ calls, tail }: Burst, { limit, windowMs }: Terms): boolean =>
  count(calls, 'refused') > 0 &&
  count(calls, 'admitted') === limit &&
  (toldExactly(calls, limit, windowMs / 20) || (tail.length > 0 && count(tail, 'refused') === tail.length));

/** So many calls are explained at once: what explains them takes time with their square. */
const MOST_CALLS = 900;

/** Bursts that follow each other, in groups; a single phase of the windows has to explain all calls of a group. */
function groupsOf(bursts: readonly Burst[]): Burst[][] {
  const size = Math.max(2, Math.floor(MOST_CALLS / Math.max(1, bursts[0]?.calls.length ?? 1)));
  return Array.from({ length: Math.ceil(bursts.length / size) }, (_, index) =>
    bursts.slice(index * size, (index + 1) * size),
  );
}

type Group = { bursts: Burst[]; calls: Call[]; explanations: Explanation[]; worst: number; fewest: number };

function weigh(bursts: Burst[], { limit, windowMs }: Terms): Group {
  const calls = bursts.flatMap((burst) => [...burst.calls, ...burst.tail]).sort((a, b) => a.s - b.s);
  const slack = clockSlack(windowMs);
  return {
    bursts,
    calls,
    worst: mostAdmitted(calls, windowMs, slack),
    fewest: fewestAtRefusal(calls, windowMs, slack),
    // A bucket's refill within a burst is no matter of concurrency: per-minute tells it.
    explanations: explain(calls, limit, windowMs, slack).filter(
      ({ family }) => family !== 'token bucket' && family !== 'small bucket',
    ),
  };
}

const explained = (group: Group, limit: number): Explanation[] =>
  group.explanations.filter((one) => outcomes(one, limit).includes('holds'));

function minuteOf(groups: readonly Group[], terms: Terms): PerMinuteVerdict {
  const { limit } = terms;
  const bursts = groups.flatMap((group) => group.bursts);
  const given = bursts.map(({ calls }) => count(calls, 'admitted'));
  const over = given.filter((admitted) => admitted > limit);
  const more = groups.find((group) => group.worst > limit && explained(group, limit).length === 0);
  if (more !== undefined) {
    return {
      verdict: 'more',
      enforced: null,
      says: `${Math.max(...given, more.worst)} calls were admitted within one minute; the documents give ${limit}. ${over.length} of ${bursts.length} bursts were given more.`,
    };
  }
  const early = groups.find((group) => group.fewest < limit && explained(group, limit).length === 0);
  if (early !== undefined) {
    return {
      verdict: 'fewer',
      enforced: null,
      says: `A call was refused with no more than ${early.fewest} admitted in the minute before it; the documents give ${limit}.`,
    };
  }
  const exact = bursts.filter((burst) => settled(burst, terms)).length;
  if (exact > 0) {
    return {
      verdict: 'holds',
      enforced: limit,
      says: `${exact} of ${bursts.length} bursts were given exactly ${limit} calls, the others no more than a window's edge among them explains.`,
    };
  }
  const why =
    over.length > 0
      ? 'of some bursts more was admitted, as where the window ends among the calls'
      : 'no burst was given exactly the limit and refused the rest';
  return {
    verdict: 'undecided',
    enforced: null,
    says: `Admitted in the bursts: ${given.slice(0, 10).join(', ')}; ${why}. Run it again, with more --bursts.`,
  };
}

/** Whether a window's edge may lie among a burst's calls, by what explains its group: then equal Remainings prove nothing. */
function splits({ calls }: Burst, group: Group, terms: Terms): boolean {
  const span = { from: Math.min(...calls.map((call) => call.s)), to: Math.max(...calls.map((call) => call.r)) };
  return explained(group, terms.limit).some((one) => coincidental(one, [span], terms.windowMs));
}

function remainingOf(groups: readonly Group[], terms: Terms, whole: RemainingVerdict): RemainingVerdict {
  const { limit, windowMs } = terms;
  const each = groups.flatMap((group) =>
    group.bursts.map((burst) => {
      const lasted = Math.max(...burst.calls.map((call) => call.r)) - (burst.calls[0]?.s ?? 0);
      // Rolling windows give calls back during a burst, those that the last one or its tail took.
      const rolls = explained(group, limit).some(({ family }) => family !== 'grid' && family !== 'anchored');
      const refill = rolls ? Math.ceil((lasted * limit) / windowMs) + 4 : 0;
      return judgeRemaining([...burst.calls, ...burst.tail], {
        limit,
        gapMs: windowMs / 20,
        refill,
        split: splits(burst, group, terms),
      });
    }),
  );
  const by = (verdict: RemainingVerdict['verdict']): RemainingVerdict | undefined =>
    each.find((one) => one.verdict === verdict);
  return by('fails') ?? by('holds') ?? by('undecided') ?? whole;
}

/** The values that no call of a burst was told, between the highest and the lowest that one was. */
function gapsOf({ calls }: Burst): string {
  const values = new Set(
    calls.filter(({ fate }) => fate === 'admitted').flatMap(({ sample }) => firstNumber(sample.remaining) ?? []),
  );
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return Array.from({ length: Math.max(0, high - low) }, (_, step) => low + step)
    .filter((value) => !values.has(value))
    .join();
}

/** The same gap in every one of several bursts is how the deployment counts; a stranger's calls fall where they fall. */
const countsSo = (bursts: readonly Burst[]): boolean => bursts.length > 1 && new Set(bursts.map(gapsOf)).size === 1;

/** Judges a trace of bursts (load/procedure/burst.ts) of one key. Throws nothing. */
export function judgeBursts(samples: readonly Sample[], terms: Terms): Verdict {
  const key = terms.key ?? samples[0]?.key ?? '';
  // Of the whole trace what a few bursts show as well: the headers, the refusal, the counts.
  const bursts = burstsIn(samples, key);
  const groups = groupsOf(bursts).map((group) => weigh(group, terms));
  const first = judge(
    (groups[0]?.calls ?? callsOf(samples, key)).map((call) => call.sample),
    { ...terms, key },
  );
  if (groups.length === 0) {
    return first;
  }
  const perMinute = minuteOf(groups, terms);
  const foreign = first.foreign && !countsSo(bursts) && perMinute.verdict !== 'holds' && perMinute.verdict !== 'more';
  const admitted = groups.reduce((sum, group) => sum + count(group.calls, 'admitted'), 0);
  const refused = groups.reduce((sum, group) => sum + count(group.calls, 'refused'), 0);
  return {
    ...first,
    foreign,
    perMinute: foreign ? first.perMinute : perMinute,
    remaining: remainingOf(groups, terms, first.remaining),
    evidence: { ...first.evidence, admitted, refused, worstWindow: Math.max(...groups.map(({ worst }) => worst)) },
  };
}
