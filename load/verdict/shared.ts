import type { Api } from '../../contract/clause.ts';
import { refusalStatus, type Sample } from '../../limits/judge/trace.ts';
import type { Haul } from '../runner/collect.ts';
import type { Plan, Subject } from '../seam/plan.ts';
import { gather, type Judgement, obstacle } from './over-limit.ts';
import type { Part } from './results.ts';

type Said = Pick<Part, 'verdict' | 'says'> & { shared: boolean | null };

const ids: Readonly<Record<Api, string>> = { developer: 'key-or-account', workspace: 'per-workspace' };

/** Two keys share a budget where a call is refused although neither of them has made the limit's number by itself. */
function say(samples: readonly Sample[], limit: number): Said {
  const why = obstacle(samples);
  if (why !== null) {
    return { verdict: 'undecided', says: why, shared: null };
  }
  const refusal = refusalStatus(samples);
  const rounds = [...new Set(samples.map((sample) => sample.phase))].map((phase) =>
    samples.filter((sample) => sample.phase === phase),
  );
  const last = rounds.at(-1) ?? [];
  const admitted = last.filter((sample) => sample.status !== 0 && sample.status < 400).length;
  const refused = last.filter((sample) => sample.status === refusal).length;
  if (refused > 0 && admitted < limit / 2) {
    return {
      verdict: 'undecided',
      says: `Refused after ${admitted} calls of both keys together: the limit is lower than documented, see limits.per-minute.`,
      shared: null,
    };
  }
  if (refused > 0) {
    return {
      verdict: 'holds',
      says: `Both keys together were admitted ${admitted} times, and then refused: one budget.`,
      shared: true,
    };
  }
  return {
    verdict: 'fails',
    says: `Both keys together were admitted ${admitted} times in each of ${rounds.length} rounds, and never refused: each has a budget of its own.`,
    shared: false,
  };
}

/** shared: whether two keys draw on one budget. The workspace API documents it; the developer API leaves it open. */
export function judgeShared(plan: Plan, haul: Haul): Judgement {
  const details: Record<string, unknown> = {};
  const pairs = plan.subjects
    .filter((_, index) => index % 2 === 0)
    .map((first, index) => [first, plan.subjects[2 * index + 1] as Subject] as const);
  const all = pairs.map(([first, second]) => {
    const samples = haul.samples.filter((sample) => sample.key === first.label || sample.key === second.label);
    const { shared, ...said } = say(samples, first.limit);
    details[`${first.label} and ${second.label}`] = { shared, says: said.says };
    const part: Part = {
      subject: first,
      ...said,
      finding: { expected: 'one budget for both keys' },
      ...(shared === null ? {} : { observed: { shared, says: said.says } }),
    };
    return { subject: first, parts: { [ids[first.api]]: [part] } };
  });
  const results = (['developer', 'workspace'] as const).flatMap((api) => gather(api, all));
  return { results, details, main: ['workspace.limits.per-workspace', 'developer.limits.key-or-account'] };
}
