import type { ApiName } from '../../contract/clause.ts';
import { dayMs } from '../../contract/limits.ts';

export type ScriptName = 'per-minute' | 'burst' | 'per-day' | 'soak' | 'shared';

/** The scripts, and the question that each of them answers. */
export const scripts: Readonly<Record<ScriptName, string>> = {
  'per-minute': "is the minute's limit enforced exactly, and by which algorithm (60 to 90 s)",
  burst: 'is the limit enforced under many simultaneous calls (about 70 s a burst)',
  'per-day': 'is the daily limit enforced exactly (hours; continues where an earlier run stopped)',
  soak: 'is sustained traffic just under the limit answered: complete responses, and no refusals',
  shared: 'do two keys share one limit (in the workspace they must)',
};

const minuteClause = { developer: 'per-minute', workspace: 'per-minute' } as const;

/** The clause that each script is about, by its last part: if it stays undecided, so does the run. */
export const mainClause: Readonly<Record<ScriptName, Readonly<Record<ApiName, string>>>> = {
  'per-minute': minuteClause,
  burst: minuteClause,
  soak: minuteClause,
  'per-day': { developer: 'per-day', workspace: 'per-day' },
  shared: { developer: 'key-or-account', workspace: 'per-workspace' },
};

/** The plain read of each API. */
export const plainRead: Readonly<Record<ApiName, string>> = {
  developer: '/api/v1/platform/me',
  workspace: '/v1/agents',
};

export const keyNames = ['sandbox', 'live', 'enterprise', 'workspace'] as const;
export type KeyName = (typeof keyNames)[number];

/** The setting that holds a key. */
export const settingOf = (name: KeyName): string => `${name.toUpperCase()}_API_KEY`;

/** A key whose limit is tried, and what the documents promise it. The key itself is in the variable `keyEnv`. */
export interface Subject {
  /** The key's name in reports: that of its setting, or words for one that the run made. */
  readonly label: string;
  readonly api: ApiName;
  readonly keyEnv: string;
  /** `shared`: the variable of the second key. */
  readonly secondEnv: string;
  /** What stands before the documented paths, and the URL of the read that is made: one that is cheap to answer. */
  readonly origin: string;
  readonly url: string;
  /** Requests a minute and a day; `perDay` is null if the documents say unlimited. */
  readonly limit: number;
  readonly perDay: number | null;
  /** Whether nobody else uses the key, or has lately: the run made it, or the user says so. */
  readonly alone: boolean;
  /** `per-day`: how many calls were admitted today before. */
  readonly spent: number;
}

/** A key that is not tried, and why. */
export interface SkippedKey {
  readonly api: ApiName;
  readonly label: string;
  readonly why: string;
}

/** What a script does. Each subject has a VU of its own. */
export interface Plan {
  readonly script: ScriptName;
  readonly subjects: readonly Subject[];
  readonly skipped: readonly SkippedKey[];
  /** Why nothing can be tried; null if something can. */
  readonly trouble: string | null;
  readonly clockSpeed: number;
  /** The deployment's minute, in ms of real time. */
  readonly windowMs: number;
  readonly timeoutMs: number;
  readonly strict: boolean;
  readonly extraHeaders: Readonly<Record<string, string>>;
  readonly bursts: number;
  /** `per-day`: the most calls with each key; Infinity for as many as the day takes. */
  readonly calls: number;
  readonly soakMs: number;
  /** The share of the limit that paced calls use. */
  readonly pace: number;
  /** Whether the trace is written to the log, for the command. */
  readonly traced: boolean;
}

/** Variables by name, such as k6's `__ENV`. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** When the deployment's day began, and when it ends, if days pass `clockSpeed` times as fast as real ones. */
export function dayAt(now: number, clockSpeed: number): { readonly day: string; readonly endsAt: number } {
  const length = dayMs / clockSpeed;
  const began = Math.floor(now / length) * length;
  return { day: new Date(began).toISOString(), endsAt: began + length };
}
