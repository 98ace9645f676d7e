import type { ApiName } from '../../contract/clause.ts';
import { isLetThrough, type Sample } from '../../limits/judge/trace.ts';
import type { Conclusion } from '../../results/conclude.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import type { Settings } from '../../settings/settings.ts';
import { targetsOf } from '../../settings/target.ts';
import { stoppedAnswering } from '../judge/parts.ts';
import type { Conducted } from '../runner/conduct.ts';
import { concludeLoad, notTried } from '../runner/results.ts';

/** The outcome of a load run, from which load-NAME.json and load-NAME.html are written. */
export interface LoadRun extends Conducted, Conclusion {
  readonly suite: { readonly name: string; readonly version: string };
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly targets: Readonly<Partial<Record<ApiName, { readonly url: string }>>>;
  readonly clauses: readonly ClauseResult[];
  /** Whether the run was cut off, so that the trace is not complete. */
  readonly partial: boolean;
}

/** Concludes a run. `interrupted`: why it was stopped early; null if it was not. */
export function runOf(
  conducted: Conducted,
  settings: Settings,
  about: Pick<LoadRun, 'suite'> & { readonly startedAt: Date; readonly interrupted: string | null },
): LoadRun {
  const { plan, samples, defects, notes } = conducted;
  const { suite, startedAt, interrupted } = about;
  const { clauses, ...conclusion } = concludeLoad({ ...conducted, interrupted });
  const messages = new Set(clauses.flatMap(({ findings }) => findings.map(({ message }) => message)));
  return {
    ...conducted,
    ...conclusion,
    suite,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    targets: Object.fromEntries(targetsOf(settings).map(({ api, origin }) => [api, { url: origin }])),
    clauses,
    partial: interrupted !== null || [...samples.values()].some(stoppedAnswering),
    notes: [...notes, ...defects, ...plan.skipped.map(notTried)].filter((note) => !messages.has(note)),
  };
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
