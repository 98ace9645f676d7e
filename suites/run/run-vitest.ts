import { resolve } from 'node:path';
import { type CliOptions, type Reporter, startVitest, type Vitest } from 'vitest/node';
import { CannotRun, messageOf } from '../../common/cannot-run.ts';
import type { ApiName } from '../../contract/clause.ts';
import type { Settings } from '../../settings/settings.ts';
import { testFile } from './selection.ts';

const root = resolve(import.meta.dirname, '../..');

/** What a run needs of Vitest, unless the user's options say otherwise. */
const usual = {
  pool: 'threads',
  isolate: false,
  // The two APIs have a worker each.
  maxWorkers: 2,
  // All clauses of an API are under way at once: the client paces their calls.
  maxConcurrency: 1_000,
  // The clean-up of a stopped run may have to wait for a used-up minute.
  teardownTimeout: 120_000,
  // Node loads the modules, which are plain TypeScript, faster than Vite.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  watch: false,
} as const satisfies CliOptions;

/** A run of Vitest over the files of some APIs. */
interface VitestRun {
  readonly apis: readonly ApiName[];
  readonly settings: Settings;
  /** The user's own options. */
  readonly options: CliOptions;
  /** Patterns of -t. */
  readonly patterns: readonly string[];
  /** Makes the reports of this suite. */
  readonly reporter: Reporter;
}

/**
 * Runs Vitest over the clauses of the chosen APIs; resolves when it has ended. Throws CannotRun where it cannot start,
 * or where a reporter of the user's could not write its file.
 */
export async function runVitest({ apis, settings, options, patterns, reporter }: VitestRun): Promise<void> {
  const { reporters = [], ...own } = options;
  const files = apis.map(testFile);
  let vitest: Vitest;
  try {
    vitest = await startVitest('test', files, {
      ...usual,
      ...own,
      root,
      dir: root,
      config: false,
      include: files,
      provide: { settings },
      ...(patterns.length === 0 ? {} : { testNamePattern: patterns.join('|') }),
      reporters: [...([reporters].flat() as string[]), reporter],
    });
  } catch (error) {
    throw new CannotRun(`Cannot start Vitest: ${messageOf(error).replace(/\s+/g, ' ')}`);
  }
  const { state } = vitest;
  const hasOtherReason = state.getFailedFilepaths().length > 0 || state.getUnhandledErrors().length > 0;
  if (process.exitCode === 1 && !hasOtherReason) {
    throw new CannotRun('Vitest could not finish: its error is above');
  }
}
