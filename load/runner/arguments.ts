import type { ScriptName } from '../seam/plan.ts';

/** The scripts, and the question that each of them answers. */
export const scripts: Readonly<Record<ScriptName, string>> = {
  'per-minute': "is the minute's limit enforced exactly, and by which algorithm (60 to 90 s)",
  burst: 'is the limit enforced under many simultaneous calls (about 70 s a burst)',
  'per-day': 'is the daily limit enforced exactly (hours; continues where an earlier run stopped)',
  soak: 'is sustained traffic just under the limit answered: complete responses, and no refusals',
  shared: 'do two keys share one limit (in the workspace they must)',
};

export const keyNames = ['sandbox', 'live', 'enterprise', 'workspace'] as const;
export type KeyName = (typeof keyNames)[number];

/** The arguments of `npm run load -- NAME [options]`. */
export interface Arguments {
  readonly script: ScriptName;
  readonly keys: readonly KeyName[];
  readonly bursts: number;
  /** null for as many as the day takes. */
  readonly calls: number | null;
  readonly restore: boolean;
  /**
   * Whether the user says that nobody else has used the keys lately. Then the run does not wait for idle minutes, and a
   * short day fails.
   */
  readonly alone: boolean;
  readonly soakMs: number;
  readonly pace: number | null;
  readonly instances: number;
  /** Files with traces of instances that ran elsewhere, to be judged without sending anything. */
  readonly traces: readonly string[];
  /** The file for an archive that k6 can run elsewhere; then nothing is sent. */
  readonly archive: string | null;
}
