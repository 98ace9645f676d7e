// What a key's calls show, and the lines that a script writes for the command.
import type { ApiName } from '../../contract/clause.ts';
import type { Sample } from '../../limits/judge/trace.ts';
import type { ScriptName } from './plan.ts';

/** What one key's calls show about one clause. `says` becomes the finding, unless the clause passes. */
export interface Part {
  /** The id of the clause. */
  readonly clause: string;
  readonly verdict: 'holds' | 'fails' | 'undecided' | 'observed';
  readonly says: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly observed?: unknown;
}

/** What one key's calls show. */
export interface Judged {
  readonly parts: readonly Part[];
  /** Sentences that sum it up, and all details, for reports. */
  readonly says: readonly string[];
  readonly detail: unknown;
}

/** The clause of a limit. */
export const limitClause = (api: ApiName, name: string): string => `${api}.limits.${name}`;

/** The clause that a script is about: if it stays undecided, so does the run. */
export const mainClause = (script: ScriptName, api: ApiName): string =>
  limitClause(api, mainNames[script]?.[api] ?? 'per-minute');

const mainNames: Readonly<Partial<Record<ScriptName, Readonly<Record<ApiName, string>>>>> = {
  'per-day': { developer: 'per-day', workspace: 'per-day' },
  shared: { developer: 'key-or-account', workspace: 'per-workspace' },
};

/** Thrown where a key's calls leave the script's clause open; the message says why. */
export class Undecided extends Error {}

/** One line of a trace: a call, or, as the last line of a key, what its calls show. */
export type Line =
  | { readonly t: 'call'; readonly subject: string; readonly sample: Sample }
  | ({ readonly t: 'judged'; readonly subject: string } & Judged);
