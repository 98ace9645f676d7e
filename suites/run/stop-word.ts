import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** The name of a number that a command shares with its workers: 1 once the run is stopped. */
const name = 'two-api-conformance: stopped';

/**
 * Gives a function that stops the runs in the workers that start after this. A worker that is still loading misses
 * Vitest's own cancel.
 */
export function stopperOfWorkers(): () => void {
  const word = new Int32Array(new SharedArrayBuffer(4));
  setEnvironmentData(name, word);
  return () => {
    Atomics.store(word, 0, 1);
    Atomics.notify(word, 0);
  };
}

/** Resolves when the command stops its workers' runs, at once if it has already; never if no command can. */
export async function stoppedByCommand(): Promise<void> {
  const word = getEnvironmentData(name);
  await (word instanceof Int32Array ? Atomics.waitAsync(word, 0, 0).value : new Promise(() => {}));
}
