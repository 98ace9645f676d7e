import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { type ApiName, apiNames } from '../../contract/clause.ts';
import type { RunRecord } from '../../suites/run/run-record.ts';
import { testFile } from '../../suites/run/selection.ts';
import type { Progress } from './progress.ts';

/** Our reporter: collects what the runs of the APIs found into the record, and shows how far they are. */
interface RunReporter extends Reporter {
  /** Asks Vitest to stop: the runs then clean up and end. */
  stop(): void;
  readonly isStopped: boolean;
  /** Why an API cannot be judged at all; null: each can. */
  readonly unusable: string | null;
}

interface Reported {
  readonly record: RunRecord;
  progress(): Progress | null;
  /** Called with the APIs whose files Vitest runs: --shard may leave one out. */
  onStart(apis: readonly ApiName[]): void;
}

export function createReporter({ record, progress, onStart }: Reported): RunReporter {
  let vitest: Vitest | null = null;
  let isStopped = false;
  const unusable = new Set<string>();
  const stop = (): void => {
    isStopped = true;
    void vitest?.cancelCurrentRun('keyboard-input');
  };
  return {
    stop,
    get isStopped() {
      return isStopped;
    },
    get unusable() {
      return unusable.size === 0 ? null : [...unusable].join('; ');
    },
    onInit(started) {
      vitest = started;
    },
    onTestRunStart(specifications) {
      const started = specifications.map(({ moduleId }) => moduleId);
      onStart(apiNames.filter((api) => started.includes(testFile(api).replaceAll('\\', '/'))));
      if (isStopped) {
        stop();
      }
    },
    onUserConsoleLog({ content }) {
      progress()?.note(content);
    },
    onTestCaseResult(test: TestCase) {
      const { clause } = test.meta();
      if (clause !== undefined) {
        progress()?.result(clause);
      }
    },
    onTestModuleEnd(module: TestModule) {
      const [error] = module.errors();
      if (error !== undefined) {
        unusable.add(troubleOf(error));
        // A target that cannot be judged makes the run unknown, whatever the other API would show.
        stop();
      }
    },
    onTestRunEnd(modules, [error]) {
      // Of a stopped run, what a module found comes after the end of its tests.
      record.runs = modules.flatMap((module) => module.meta().run ?? []);
      if (error !== undefined) {
        record.trouble ??= troubleOf(error);
      }
    },
  };
}

/** What an error outside of the tests says of the run: what the user can mend, or that the suite crashed. */
const troubleOf = ({ name, message }: { readonly name?: string; readonly message: string }): string =>
  name === 'CannotRun' ? message : `the suite itself crashed (${message}): report it`;
