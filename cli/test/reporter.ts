import type { Reporter } from 'vitest/node';
import { type ApiName, apiNames } from '../../contract/clause.ts';
import { liveLine, type Screen } from '../../reports/live-line.ts';
import { oneLine } from '../../reports/text.ts';
import { stopperOfWorkers } from '../../suites/run/halt.ts';
import type { RunRecord } from '../../suites/run/run-record.ts';
import { testFile } from '../../suites/run/selection.ts';

interface Reported {
  readonly record: RunRecord;
  readonly screen: Screen;
  /** Aborted when the user stops the run. */
  readonly stop: AbortSignal;
  /** How many clauses are to be judged. */
  readonly clauses: number;
  /** Called with the APIs whose files Vitest runs: --shard may leave one out. */
  onStart(apis: readonly ApiName[]): void;
}

/** Our reporter: collects what the runs of the APIs found into the record, and shows how far they are. */
export function createReporter({ record, screen, stop, clauses, onStart }: Reported) {
  // With --bail, Vitest reports the end of a test twice.
  const decided = new Set<string>();
  const failed = new Set<string>();
  const unusable = new Set<string>();
  /** The runs then clean up and end. */
  const stopRuns = stopperOfWorkers();
  stop.addEventListener('abort', stopRuns);
  // The latest word of each API's run: `developer: 412 requests, waiting 31 s for the sandbox key's rate limit`.
  const notes = new Map<string, string>();
  const text = (): string =>
    [`${decided.size}/${clauses} clauses, ${failed.size} failed`, ...notes.values()].join(' · ');
  return {
    /** Removes the line that shows how far the run is. */
    endProgress: liveLine(screen, text, () => decided.size),
    /** Why an API cannot be judged at all; null: each can. */
    get unusable(): string | null {
      return unusable.size === 0 ? null : [...unusable].sort().join('. ');
    },
    onInit(vitest) {
      if (vitest.config.pool === 'forks') {
        // These do not share the command's memory.
        stop.addEventListener('abort', () => void vitest.cancelCurrentRun('keyboard-input'));
      }
    },
    onTestRunStart(specifications) {
      const started = specifications.map(({ moduleId }) => moduleId);
      onStart(apiNames.filter((api) => started.includes(testFile(api).replaceAll('\\', '/'))));
    },
    onUserConsoleLog({ content }) {
      notes.set(content.split(':', 1)[0] ?? '', oneLine(content, 160));
    },
    onTestCaseResult(test) {
      const { clause } = test.meta();
      if (clause !== undefined) {
        decided.add(clause.id);
      }
      if (clause?.verdict === 'fail') {
        failed.add(clause.id);
      }
    },
    onTestModuleEnd(module) {
      const [error] = module.errors();
      if (error !== undefined) {
        unusable.add(troubleOf(error));
        // A target that cannot be judged makes the run unknown, whatever the other API would show.
        stopRuns();
      }
    },
    onTestRunEnd(modules, [error]) {
      // Of a stopped run, what a module found comes after the end of its tests.
      record.runs = modules.flatMap((module) => module.meta().run ?? []);
      if (error !== undefined) {
        record.trouble ??= troubleOf(error);
      }
    },
  } satisfies Reporter & { endProgress: unknown; unusable: unknown };
}

/** What an error outside of the tests says of the run: what the user can mend, or that the suite crashed. */
const troubleOf = ({ name, message }: { readonly name?: string; readonly message: string }): string =>
  name === 'CannotRun' ? message : `the suite itself crashed (${message}): report it`;
