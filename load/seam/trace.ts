// The lines that a script writes for the command: all calls, and what they show.
import type { ApiName } from '../../contract/clause.ts';
import type { Sample } from '../../limits/judge/trace.ts';

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

/** One line of a trace: a call, or, as the last line of a key, what its calls show. */
export type Line =
  | { readonly t: 'call'; readonly subject: string; readonly sample: Sample }
  | ({ readonly t: 'judged'; readonly subject: string } & Judged);
