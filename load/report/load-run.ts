import { suiteOf } from '../../common/suite.ts';
import type { ApiName } from '../../contract/clause.ts';
import { isLetThrough, type Sample } from '../../limits/judge/trace.ts';
import { concludeRun } from '../../results/conclude-run.ts';
import type { Run } from '../../results/verdict.ts';
import { type Settings, shownSettings } from '../../settings/settings.ts';
import { targetsOf } from '../../settings/target.ts';
import { stoppedAnswering } from '../judge/parts.ts';
import type { Conducted } from '../runner/conduct.ts';
import { notTried, resultsOf, troubleIn } from '../runner/results.ts';

/** The outcome of a load run: a run of the clauses that its script judges, and what k6 did with each key. */
export interface LoadRun extends Run, Conducted {
  /** Whether the run was cut off, so that the trace is not complete. */
  readonly partial: boolean;
}

interface About {
  readonly startedAt: Date;
  /** Why it was stopped early; null if it was not. */
  readonly interrupted: string | null;
  /** Whether it brought its own deployment. */
  readonly embedded: boolean;
}

/** Concludes a run. */
export function runOf(conducted: Conducted, settings: Settings, { startedAt, interrupted, embedded }: About): LoadRun {
  const { plan, samples, defects, notes } = conducted;
  const results = resultsOf({ ...conducted, interrupted });
  const messages = new Set(results.flatMap(({ findings }) => findings.map(({ message }) => message)));
  const callsTo = (api: ApiName): number =>
    plan.subjects.reduce(
      (sum, subject) => sum + (subject.api === api ? (samples.get(subject.label)?.length ?? 0) : 0),
      0,
    );
  const run = concludeRun({
    suite: suiteOf(),
    startedAt,
    endedAt: new Date(),
    targets: Object.fromEntries(targetsOf(settings).map(({ api, origin }) => [api, { url: origin }])),
    embedded,
    results,
    strict: plan.strict,
    trouble: interrupted ?? troubleIn(plan, results),
    requests: { developer: callsTo('developer'), workspace: callsTo('workspace') },
    notes: [...notes, ...defects, ...plan.skipped.map(notTried)].filter((note) => !messages.has(note)),
    settings: shownSettings(settings),
  });
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
