import { counted, thousands } from '../../common/words.ts';
import type { ApiName } from '../../contract/clause.ts';
import { isAdmitted, refusalStatus, type Sample } from '../../limits/judge/trace.ts';
import type { Trace } from '../runner/collect.ts';
import type { Plan, Subject } from '../seam/plan.ts';
import { type Judgement, type KeyParts, limitResults, mainClauses, obstacle } from './over-limit.ts';
import type { Part } from './results.ts';

type PairVerdict = Pick<Part, 'verdict' | 'says'> & { readonly shared: boolean | null };

const clauses: Readonly<Record<ApiName, string>> = { developer: 'key-or-account', workspace: 'per-workspace' };

/**
 * Judges a pair of keys. They share a budget if a call is refused although neither key has reached the limit by itself.
 */
function judgePair(samples: readonly Sample[], limit: number): PairVerdict {
  const why = obstacle(samples);
  if (why !== null) {
    return { verdict: 'undecided', says: why, shared: null };
  }
  const refusal = refusalStatus(samples);
  const rounds = [...Map.groupBy(samples, ({ phase }) => phase).values()];
  const last = rounds.at(-1) ?? [];
  const admitted = last.filter(isAdmitted).length;
  const refused = last.filter(({ status }) => status === refusal).length;
  if (refused > 0 && admitted < limit / 2) {
    const says = `Refused after ${admitted} calls of both keys together: the limit is lower than documented, see limits.per-minute.`;
    return { verdict: 'undecided', says, shared: null };
  }
  if (refused > 0) {
    const says = `Both keys together were admitted ${admitted} times, and then refused: one budget.`;
    return { verdict: 'holds', says, shared: true };
  }
  const says = `Both keys together were admitted ${thousands(admitted)} times in each of ${counted(rounds.length, 'round')}, and never refused: each has a limit of its own.`;
  return { verdict: 'fails', says, shared: false };
}

/**
 * shared: judges whether two keys draw on one budget, which the workspace API documents and the developer API leaves
 * open.
 */
export function judgeShared(plan: Plan, trace: Trace): Judgement {
  const details: Record<string, unknown> = {};
  const pairs = plan.subjects
    .filter((_, index) => index % 2 === 0)
    .map((first, index) => [first, plan.subjects[2 * index + 1] as Subject] as const);
  const all = pairs.map(([first, second]): KeyParts => {
    const samples = trace.samples.filter(({ key }) => key === first.label || key === second.label);
    const { shared, verdict, says } = judgePair(samples, first.limit);
    details[`${first.label} and ${second.label}`] = { shared, says };
    const part: Part = {
      subject: first,
      verdict,
      says,
      finding: { expected: 'one budget for both keys' },
      ...(shared === null ? {} : { observed: { shared, says } }),
    };
    return { subject: first, parts: { [clauses[first.api]]: [part] } };
  });
  return { results: limitResults(all), details, main: mainClauses('shared') };
}
