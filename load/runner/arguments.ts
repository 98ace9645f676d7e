import type { ScriptName } from '../seam/plan.ts';

/** The scripts and the question that each of them answers. */
export const scripts: Readonly<Record<ScriptName, string>> = {
  'per-minute': "is the minute's limit enforced to the call, and by which algorithm (60 to 90 s)",
  burst: 'is the limit kept under many simultaneous calls (about 70 s a burst)',
  'per-day': "is the day's limit enforced to the call (hours; goes on where an earlier run stopped)",
  soak: 'is sustained traffic just under the limit answered, whole and without a refusal',
  shared: 'do two keys share one budget (in the workspace they must)',
};

export const keyNames = ['sandbox', 'live', 'enterprise', 'workspace'] as const;
export type KeyName = (typeof keyNames)[number];

/** What `npm run load -- NAME [options]` was given. */
export interface Arguments {
  readonly script: ScriptName;
  readonly keys: readonly KeyName[];
  readonly bursts: number;
  /** null: as many as the day takes. */
  readonly calls: number | null;
  readonly restore: boolean;
  /** The user says that nobody else has used the keys lately: no idle minutes are awaited, and a short day is a failure. */
  readonly alone: boolean;
  readonly soakMs: number;
  readonly pace: number | null;
  readonly instances: number;
  /** Traces of instances that ran elsewhere: they are judged, and nothing is sent. */
  readonly traces: readonly string[];
  /** Where to put the archive that k6 runs elsewhere; nothing is sent. */
  readonly archive: string | null;
}
