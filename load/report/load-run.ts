import type { Api } from '../../contract/clause.ts';
import { isLetThrough, type Sample } from '../../limits/judge/trace.ts';
import type { ClauseResult, Verdict } from '../../results/verdict.ts';
import type { ScriptName } from '../seam/plan.ts';

/** Everything that a load run leaves behind: what load-NAME.json and load-NAME.html are written from. Holds no secret. */
export interface LoadRun {
  readonly script: ScriptName;
  readonly question: string;
  readonly suite: { readonly name: string; readonly version: string };
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly targets: Readonly<Partial<Record<Api, { readonly url: string }>>>;
  readonly clockSpeed: number;
  /** Version of the k6 that sent the calls; null where traces from elsewhere were judged. */
  readonly k6: string | null;
  readonly instances: number;
  readonly conformant: boolean | null;
  readonly exitCode: 0 | 1 | 2;
  readonly reason: string;
  readonly clauses: readonly ClauseResult[];
  /** What the judge says of each key. */
  readonly keys: Readonly<Record<string, unknown>>;
  /** The run was cut off: the trace ends before its time. */
  readonly partial: boolean;
  /** Every call, by the key that stood for it. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
  readonly notes: readonly string[];
}

/** Counts of a trace, as load-NAME.json states them. */
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

/** The verdict on the whole run, as page and console show it. */
export function headline({ conformant }: LoadRun): string {
  if (conformant === null) {
    return 'Unknown';
  }
  return conformant ? 'Conformant' : 'Not conformant';
}

/** The verdict in whose colours the run is shown. */
export function tone({ conformant }: LoadRun): Verdict {
  if (conformant === null) {
    return 'inconclusive';
  }
  return conformant ? 'pass' : 'fail';
}
