import type { Api } from '../../contract/clause.ts';
import { type Verdict as Judged, judge } from '../../limits/judge/judge.ts';
import { type Sample, sinceOpener } from '../../limits/judge/trace.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import type { Haul } from '../runner/collect.ts';
import type { Plan, Subject } from '../seam/plan.ts';
import { limitParts } from './limit-parts.ts';
import { combine, type Part } from './results.ts';

/** What a script's trace says: clause results, and for each key what the report shows beside them. */
export interface Judgement {
  readonly results: readonly ClauseResult[];
  readonly details: Readonly<Record<string, unknown>>;
  /** The clauses whose being undecided leaves the run without an answer. */
  readonly main: readonly string[];
}

/** The ids of one API's limit clauses, with the parts that all its keys give to each. */
export function gather(
  api: Api,
  all: readonly { subject: Subject; parts: Readonly<Record<string, readonly Part[]>> }[],
): ClauseResult[] {
  const own = all.filter(({ subject }) => subject.api === api);
  const names = [...new Set(own.flatMap(({ parts }) => Object.keys(parts)))];
  return names.flatMap(
    (name) =>
      combine(
        `${api}.limits.${name}`,
        own.flatMap(({ parts }) => parts[name] ?? []),
      ) ?? [],
  );
}

/** The target went away while the run was under way: the last calls got no answer. */
export const stoppedAnswering = (samples: readonly Sample[]): boolean =>
  samples.length > 0 && samples.slice(-3).every((sample) => sample.status === 0);

/** Why a trace cannot be judged at all, or null. */
export function obstacle(samples: readonly Sample[]): string | null {
  const first = samples.find((sample) => sample.status !== 0);
  if (first === undefined) {
    return samples.length === 0 ? 'No call was made.' : 'No call was answered.';
  }
  if (stoppedAnswering(samples)) {
    return 'The target stopped answering while the run was under way.';
  }
  if (samples.some((sample) => sample.status < 400 && sample.status !== 0)) {
    return null;
  }
  if (samples.every((sample) => sample.status === 0 || sample.status === 429)) {
    return 'Every call was refused with 429: the key has used up its day, or a block has not ended.';
  }
  return `The first call was answered ${first.status}: the key does not open the read that is called.`;
}

/** Every clause that a key whose trace cannot be judged leaves open. */
const openParts = (subject: Subject, says: string, names: readonly string[]): Record<string, Part[]> =>
  Object.fromEntries(names.map((name) => [name, [{ subject, verdict: 'undecided', says }]]));

/** Clauses that per-minute and burst speak of. `burst` looks for too many and at once: recovery is not its question. */
const asked = {
  'per-minute': ['headers', 'exceeded', 'per-minute', 'recovery', 'remaining', 'header-format', 'window'],
  burst: ['headers', 'exceeded', 'per-minute', 'remaining'],
} as const;

/** Judges each key's trace over its limit: the scripts per-minute and burst. */
export function judgeOverLimit(
  plan: Plan,
  haul: Pick<Haul, 'bySubject'>,
  detail: (subject: Subject, samples: readonly Sample[], judged: Judged) => unknown,
  judgeKey = judge,
): Judgement {
  const names: readonly string[] = asked[plan.script as keyof typeof asked];
  const windowMs = 60_000 / plan.clockSpeed;
  const details: Record<string, unknown> = {};
  const all = plan.subjects.map((subject) => {
    const samples = sinceOpener(haul.bySubject.get(subject.label) ?? []);
    const why = obstacle(samples.filter((sample) => sample.key === subject.label));
    const judged = judgeKey(samples, { limit: subject.limit, windowMs, key: subject.label });
    details[subject.label] = detail(subject, samples, judged);
    const parts = why === null ? limitParts(subject, samples, judged) : openParts(subject, why, names);
    return { subject, parts: Object.fromEntries(Object.entries(parts).filter(([name]) => names.includes(name))) };
  });
  const results = (['developer', 'workspace'] as const).flatMap((api) => gather(api, all));
  return { results, details, main: ['developer.limits.per-minute', 'workspace.limits.per-minute'] };
}
