import { type ApiName, apiNames } from '../../contract/clause.ts';
import { clauseOf, clauses } from '../../contract/clauses.ts';
import { isLetThrough, type Sample } from '../../limits/judge/trace.ts';
import { concludeRun } from '../../results/conclude.ts';
import { type ClauseResult, type Finding, resultOf } from '../../results/verdict.ts';
import { type Settings, shownSettings } from '../../settings/settings.ts';
import { targetsOf } from '../../settings/target.ts';
import { stoppedAnswering } from '../judge/parts.ts';
import type { Conducted } from '../runner/conduct.ts';
import type { Plan, Subject } from '../seam/make-plan.ts';
import type { SkippedKey } from '../seam/plan.ts';
import { mainClause, type Part } from '../seam/trace.ts';

/** The outcome of a load run: a run of the clauses that its script judges, and what k6 did with each key. */
export type LoadRun = ReturnType<typeof runOf>;

interface About {
  readonly startedAt: Date;
  /** Why it was stopped early; null if it was not. */
  readonly interrupted: string | null;
  /** Whether it brought its own deployment. */
  readonly embedded: boolean;
}

/** Concludes a run. */
export function runOf(conducted: Conducted, settings: Settings, { startedAt, interrupted, embedded }: About) {
  const { plan, samples, defects, notes } = conducted;
  const results = resultsOf(conducted, interrupted);
  const messages = new Set(results.flatMap(({ findings }) => findings.map(({ message }) => message)));
  const callsTo = (api: ApiName): number =>
    plan.subjects.reduce(
      (sum, subject) => sum + (subject.api === api ? (samples.get(subject.label)?.length ?? 0) : 0),
      0,
    );
  const run = concludeRun({
    startedAt,
    targets: Object.fromEntries(targetsOf(settings).map(({ api, origin }) => [api, { url: origin }])),
    embedded,
    results,
    trouble: interrupted ?? troubleIn(plan, results),
    requests: { developer: callsTo('developer'), workspace: callsTo('workspace') },
    notes: [...notes, ...defects, ...plan.skipped.map(notTried)].filter((note) => !messages.has(note)),
    settings: shownSettings(settings),
  });
  /** Whether the run was cut off, so that the trace is not complete. */
  const partial = interrupted !== null || [...samples.values()].some(stoppedAnswering);
  return { ...conducted, ...run, partial };
}

/** The counts of a trace, as in load-NAME.json. */
export function traceCounts(samples: readonly Sample[]): Record<string, number> {
  const count = (test: (sample: Sample) => boolean): number => samples.filter(test).length;
  return {
    calls: samples.length,
    admitted: count(isLetThrough),
    refused: count(({ status }) => status === 429),
    unanswered: count(({ status }) => status === 0),
    serverErrors: count(({ status }) => status >= 500),
  };
}

/** `120 calls, 60 admitted`. */
export const countsText = (samples: readonly Sample[]): string =>
  Object.entries(traceCounts(samples))
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`)
    .join(', ');

// From what the keys' calls show to the results of clauses and the exit status.

interface Shown {
  readonly subject: Subject;
  readonly part: Part;
}

const findingOf = ({ subject, part: { says, expected, actual } }: Shown): Finding => ({
  message: `${subject.label}: ${says}`,
  ...(expected === undefined ? {} : { expected }),
  ...(actual === undefined ? {} : { actual }),
  request: { method: 'GET', url: subject.url },
});

/** The result of a clause over all keys of an API, the worst of which decides. */
function combine(id: string, shown: readonly Shown[]): ClauseResult {
  const of = (verdict: Part['verdict']): Finding[] =>
    shown.filter(({ part }) => part.verdict === verdict).map(findingOf);
  const seeing = shown.filter(({ part }) => part.observed !== undefined);
  const seen =
    seeing.length > 0 ? Object.fromEntries(seeing.map(({ subject, part }) => [subject.label, part.observed])) : null;
  const { level } = clauseOf(id);
  const failed = of('fails');
  const open = of('undecided');
  if (level === 'gap' && seen !== null) {
    return resultOf(id, 'observed', [], seen);
  }
  if (failed.length > 0) {
    return resultOf(id, level === 'must' ? 'fail' : 'warn', failed, seen);
  }
  return open.length > 0 ? resultOf(id, 'inconclusive', open, seen) : resultOf(id, 'pass', [], seen);
}

const notTried = ({ label, why }: SkippedKey): string => `${label} is not tried: ${why}`;

/**
 * The results of what was judged, in the contract's order. The main clause of each API stands there even if nothing was
 * judged, and it alone if the run was stopped, or its trace may lack calls.
 */
function resultsOf({ plan, judged, defects }: Conducted, interrupted: string | null): readonly ClauseResult[] {
  const { script, subjects, skipped } = plan;
  const skips = [...Map.groupBy(skipped, ({ api }) => mainClause(script, api))].map(([id, keys]) => {
    const findings = keys.map((key) => ({ message: notTried(key) }));
    return resultOf(id, 'skip', findings);
  });
  const undone = (interrupted === null ? defects : [interrupted]).map((message) => ({ message }));
  const shown = subjects.flatMap((subject) =>
    (judged.get(subject.label)?.parts ?? []).map((part): Shown => ({ subject, part })),
  );
  const verdict = interrupted === null ? 'broken' : 'inconclusive';
  const tried =
    undone.length > 0
      ? subjects.map(({ api }) => resultOf(mainClause(script, api), verdict, undone))
      : [...Map.groupBy(shown, ({ part }) => part.clause)].map(([id, own]) => combine(id, own));
  const results = new Map([...skips, ...tried].map((result) => [result.id as string, result]));
  return clauses.flatMap(({ id }) => results.get(id) ?? []);
}

/** Why the run decides nothing: no key could be tried, or a main clause is undecided; null: it decides. */
function troubleIn(plan: Plan, results: readonly ClauseResult[]): string | null {
  const main = apiNames.map((api) => mainClause(plan.script, api));
  const open = results.find(({ id, verdict }) => main.includes(id) && verdict === 'inconclusive');
  const why = open?.findings[0]?.message.replace(/\.$/, '');
  return plan.subjects.length === 0 ? plan.trouble : open === undefined ? null : `${open.id} is undecided: ${why}`;
}
