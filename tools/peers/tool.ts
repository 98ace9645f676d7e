import type { ApiName } from '../../contract/clause.ts';
import type { Target } from './target.ts';

/** The outcome of one run of a tool. */
export interface Outcome {
  /** The exit status; null if the run was ended for taking too long. */
  readonly status: number | null;
  readonly durationMs: number;
  /** The failures, named so that the same failure has the same name in every run. */
  readonly failures: readonly string[];
}

/** A tool under comparison. */
export interface Tool {
  readonly name: string;
  /** Name and version as installed. */
  readonly version: string;
  /** What it is made for, and how it is used here. */
  readonly notes: readonly string[];
  /** The command as a user would type it, without the folder of prepared files. */
  readonly command: (api: ApiName) => string;
  /** Installs it, and writes the files that its runs need into the folder. */
  prepare(folder: string): Promise<void>;
  /** Runs it once, with the prepared folder. The next run may overwrite what it writes. */
  run(target: Target, folder: string): Promise<Outcome>;
}

/** The longest time that one run may take, in ms. */
export const mostMs = 300_000;

export const apis: readonly ApiName[] = ['developer', 'workspace'];
