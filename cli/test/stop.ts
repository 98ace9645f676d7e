import { explain, say } from '../command.ts';
import { onSignals } from '../signals.ts';

/** Whether the run was stopped before its end, and why. */
export interface Stop {
  readonly reason: string | null;
  /** Stops the run; later reasons do not count. */
  now(reason: string): void;
  /** Calls `act` when the run is stopped, or at once if it was. */
  whenStopped(act: () => void): void;
}

export function createStop(): Stop {
  let stopped: string | null = null;
  const waiting: (() => void)[] = [];
  return {
    get reason() {
      return stopped;
    },
    now(reason) {
      if (stopped === null) {
        stopped = reason;
        for (const act of waiting) {
          act();
        }
      }
    },
    whenStopped(act) {
      if (stopped === null) {
        waiting.push(act);
      } else {
        act();
      }
    },
  };
}

/** Stops the run on a signal or a crash; it then cleans up and writes its reports. A second signal ends it at once. */
export function stopOnSignals(stop: Stop): void {
  onSignals(
    (signal) => {
      say(
        `\n${signal}: deleting what the run created (up to a minute if a limit is used up), then writing the reports. Press Ctrl-C again to stop at once`,
      );
      stop.now(`the run was stopped by ${signal}; run it again to judge the rest`);
    },
    () => {
      say('Stopped without clean-up: run npm run cleanup');
      process.exit(2);
    },
  );
  const crash = (error: unknown): void => {
    stop.now(`the suite itself crashed (${explain(error).split('\n', 1)[0]}): report it`);
  };
  process.on('uncaughtException', crash).on('unhandledRejection', crash);
  // If the reader of the output went away (npm test | head), nobody would learn how the run ends.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', () => stop.now('the output pipe was closed: run it again'));
  }
}
