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

/** The plain read of each API. */
export const plainRead: Readonly<Record<ApiName, string>> = {
  developer: '/api/v1/platform/me',
  workspace: '/v1/agents',
};

export const keyNames = ['sandbox', 'live', 'enterprise', 'workspace'] as const;
export type KeyName = (typeof keyNames)[number];

/** The setting that holds a key. */
export const settingOf = (name: KeyName): string => `${name.toUpperCase()}_API_KEY`;

/** A key that is not tried, and why. */
export interface SkippedKey {
  readonly api: ApiName;
  readonly label: string;
  readonly why: string;
}

/** Variables by name, such as k6's `__ENV`. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** When the deployment's day began, and when it ends, if days pass `clockSpeed` times as fast as real ones. */
export function dayAt(now: number, clockSpeed: number): { readonly day: string; readonly endsAt: number } {
  const length = dayMs / clockSpeed;
  const began = Math.floor(now / length) * length;
  return { day: new Date(began).toISOString(), endsAt: began + length };
}
