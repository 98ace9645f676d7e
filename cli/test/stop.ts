import { explain, say } from '../command.ts';
import { onSignals } from '../signals.ts';

/** Calls `act` when the run is stopped, or at once if it was. */
export function whenStopped({ signal }: AbortController, act: () => void): void {
  if (signal.aborted) {
    act();
  } else {
    signal.addEventListener('abort', act);
  }
}

/** Why the run was stopped before its end: the first reason; null if it was not. */
export const stopReason = ({ signal }: AbortController): string | null =>
  signal.aborted ? String(signal.reason) : null;

/** Stops the run on a signal or a crash; it then cleans up and writes its reports. A second signal ends it at once. */
export function stopOnSignals(stop: AbortController): void {
  onSignals(
    (signal) => {
      say(
        `\n${signal}: deleting what the run created (up to a minute if a limit is used up), then writing the reports. Press Ctrl-C again to stop at once`,
      );
      stop.abort(`the run was stopped by ${signal}; run it again to judge the rest`);
    },
    () => {
      say('Stopped without clean-up: run npm run cleanup');
      process.exit(2);
    },
  );
  const crash = (error: unknown): void => {
    stop.abort(`the suite itself crashed (${explain(error).split('\n', 1)[0]}): report it`);
  };
  process.on('uncaughtException', crash).on('unhandledRejection', crash);
  // If the reader of the output went away (npm test | head), nobody would learn how the run ends.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', () => stop.abort('the output pipe was closed: run it again'));
  }
}
