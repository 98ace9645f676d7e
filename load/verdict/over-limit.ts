import type { ApiName } from '../../contract/clause.ts';
import { minuteAt } from '../../contract/limits.ts';
import { atOnceBefore, crowdSays } from '../../limits/judge/crowd.ts';
import { type Verdict as Judged, judge } from '../../limits/judge/judge.ts';
import { sinceOpener } from '../../limits/judge/since-opener.ts';
import type { Sample } from '../../limits/judge/trace.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import type { Trace } from '../runner/collect.ts';
import type { Plan, ScriptName, Subject } from '../seam/plan.ts';
import { limitParts } from './limit-parts.ts';
import { combine, type Part } from './results.ts';

/** The judgement of a script's trace. */
export interface Judgement {
  readonly results: readonly ClauseResult[];
  /** Further details for reports, by key. */
  readonly details: Readonly<Record<string, unknown>>;
  /** The main clauses of the script. If one of them is undecided, so is the run. */
  readonly main: readonly string[];
}

/** What one key's trace shows, by the last part of the clauses' ids. */
export interface KeyParts {
  readonly subject: Subject;
  readonly parts: Readonly<Record<string, readonly Part[]>>;
}

const apis: readonly ApiName[] = ['developer', 'workspace'];

/** The main clause of each script. */
const mainClause: Readonly<Record<ScriptName, Readonly<Record<ApiName, string>>>> = {
  'per-minute': { developer: 'per-minute', workspace: 'per-minute' },
  burst: { developer: 'per-minute', workspace: 'per-minute' },
  soak: { developer: 'per-minute', workspace: 'per-minute' },
  'per-day': { developer: 'per-day', workspace: 'per-day' },
  shared: { developer: 'key-or-account', workspace: 'per-workspace' },
};

export const mainClauses = (script: ScriptName): readonly string[] =>
  apis.map((api) => `${api}.limits.${mainClause[script][api]}`);

/** The results of the limit clauses, for each API over all its keys. */
export const limitResults = (all: readonly KeyParts[]): ClauseResult[] =>
  apis.flatMap((api) => {
    const own = all.filter(({ subject }) => subject.api === api);
    const names = [...new Set(own.flatMap(({ parts }) => Object.keys(parts)))];
    return names.flatMap(
      (name) =>
        combine(
          `${api}.limits.${name}`,
          own.flatMap(({ parts }) => parts[name] ?? []),
        ) ?? [],
    );
  });

/** Whether the target went away during the run: the last calls got no response. */
export const stoppedAnswering = (samples: readonly Sample[]): boolean =>
  samples.length > 0 && samples.slice(-3).every((sample) => sample.status === 0);

/** Why a trace cannot be judged at all; null if it can. */
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
  return `The first call got ${first.status}: the key may not make the read that the script calls.`;
}

/** The clauses that each script judges. */
const judgedClauses = {
  'per-minute': [
    'headers',
    'exceeded',
    'per-minute',
    'recovery',
    'remaining',
    'limit-value',
    'header-format',
    'window',
  ],
  burst: ['headers', 'exceeded', 'per-minute', 'remaining', 'limit-value'],
} as const;

/** How to judge one key's trace, and which details of it to report. */
interface Rules {
  readonly script: keyof typeof judgedClauses;
  readonly judgeKey: typeof judge;
  readonly detail: (subject: Subject, samples: readonly Sample[], judged: Judged) => unknown;
}

/** Adds to what is said of the limiter that concurrent calls are limited, too. */
const withCrowd = (judged: Judged, atOnce: number | null): Judged =>
  atOnce === null
    ? judged
    : { ...judged, window: { ...judged.window, says: `${judged.window.says} ${crowdSays(atOnce)}` } };

/** Judges each key's trace over its limit: the scripts per-minute and burst. */
export function judgeOverLimit(
  plan: Plan,
  { bySubject }: Pick<Trace, 'bySubject'>,
  { script, judgeKey, detail }: Rules,
): Judgement {
  const names: readonly string[] = judgedClauses[script];
  const details: Record<string, unknown> = {};
  const keys = plan.subjects.map((subject): KeyParts => {
    const { label, limit, alone } = subject;
    const all = bySubject.get(label) ?? [];
    const samples = sinceOpener(all, limit);
    const found = judgeKey(samples, { limit, windowMs: minuteAt(plan.clockSpeed), key: label, own: alone });
    const judged = withCrowd(found, atOnceBefore(all, label));
    details[label] = detail(subject, samples, judged);
    const why = obstacle(samples.filter(({ key }) => key === label));
    const parts = why === null ? limitParts(subject, samples, judged) : {};
    const open: readonly Part[] = [{ subject, verdict: 'undecided', says: why ?? '' }];
    return {
      subject,
      parts: Object.fromEntries(names.map((name) => [name, why === null ? (parts[name] ?? []) : open])),
    };
  });
  return { results: limitResults(keys), details, main: mainClauses(script) };
}

/** per-minute: judges each key's minute, and reports the whole verdict. */
export const judgePerMinute = (plan: Plan, trace: Trace): Judgement =>
  judgeOverLimit(plan, trace, {
    script: 'per-minute',
    judgeKey: judge,
    detail: (_subject, _samples, { exceeded: _, ...judged }) => judged,
  });
