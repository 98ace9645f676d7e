import type { ApiName } from '../../contract/clause.ts';
import { isLetThrough, type Sample } from '../../limits/judge/trace.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import type { ScriptName } from '../seam/plan.ts';

/** The outcome of a load run, from which load-NAME.json and load-NAME.html are written. Holds no secret. */
export interface LoadRun {
  readonly script: ScriptName;
  readonly question: string;
  readonly suite: { readonly name: string; readonly version: string };
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly targets: Readonly<Partial<Record<ApiName, { readonly url: string }>>>;
  readonly clockSpeed: number;
  /** The version of the k6 that made the calls; null if traces from elsewhere were judged. */
  readonly k6: string | null;
  readonly instances: number;
  readonly conformant: boolean | null;
  readonly exitCode: 0 | 1 | 2;
  readonly reason: string;
  readonly clauses: readonly ClauseResult[];
  /** The judge's details on each key. */
  readonly keys: Readonly<Record<string, unknown>>;
  /** Whether the run was cut off, so that the trace is not complete. */
  readonly partial: boolean;
  /** All calls, by the label of the key that was tried. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
  readonly notes: readonly string[];
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
