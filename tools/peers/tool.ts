import type { Api } from '../../contract/clause.ts';
import type { Target } from './target.ts';

/** What one run of a tool came to. */
export interface Outcome {
  /** The exit status; null where the run was ended for taking too long. */
  readonly status: number | null;
  readonly durationMs: number;
  /** What failed, each named so that the same failure has the same name in another run. */
  readonly failures: readonly string[];
}

/** A tool under comparison. */
export interface Tool {
  readonly name: string;
  /** Name and version as installed. */
  readonly version: string;
  /** What it was made for, and how it is used here: for readers who know it. */
  readonly notes: readonly string[];
  /** The command as a user would type it, the folder of prepared files left out. */
  readonly command: (api: Api) => string;
  /** Installs it and writes what its runs read into the folder. */
  prepare(folder: string): Promise<void>;
  /** Runs it once. The folder is the one that was prepared; what the run writes may be overwritten by the next. */
  run(target: Target, folder: string): Promise<Outcome>;
}

/** The most that one run may take. */
export const mostMs = 300_000;

export const apis: readonly Api[] = ['developer', 'workspace'];
