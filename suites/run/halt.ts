import { AsyncLocalStorage } from 'node:async_hooks';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import type { Clock } from '../../common/clock.ts';
import { Inconclusive } from '../../results/outcome.ts';
import type { Transport } from '../session/transport/transport.ts';

/** Stops a run before its end: nothing new is sent and nobody waits any longer, but clean-up goes on. */
export type Halt = ReturnType<typeof createHalt>;

/** How long a stopped run waits for its clean-up, ms: a used-up minute has to pass first. */
export const cleanUpMs = 90_000;

export function createHalt() {
  const exempted = new AsyncLocalStorage<true>();
  const { promise: stopped, resolve: haveStopped } = Promise.withResolvers<void>();
  let reason: string | null = null;

  /** A call that was given up shows nothing about the deployment, so a check gets this error and no answer. */
  const stop = (): never => {
    throw new Inconclusive({ message: `Stopped before it was decided: ${reason}` });
  };

  /** What the work gives, unless the run is stopped before. */
  async function unlessStopped<T>(work: () => Promise<T>, isAwaited = false): Promise<T> {
    if (exempted.getStore()) {
      return work();
    }
    if (reason !== null) {
      stop();
    }
    const begun = work();
    return isAwaited ? begun : Promise.race([begun, stopped.then(stop)]);
  }

  return {
    /** Why the run was stopped; null while it goes on. */
    get reason(): string | null {
      return reason;
    },
    /** Resolves when the run is stopped. */
    stopped,
    /** Stops the run; later reasons do not count. */
    stop(why: string): void {
      reason ??= why;
      haveStopped();
    },
    /**
     * The transport; it throws once the run is stopped. Writes are waited for even then: the answer to a create says
     * what has to be deleted.
     */
    transport:
      (transport: Transport): Transport =>
      (request) =>
        unlessStopped(() => transport(request), request.method !== 'GET'),
    /** The clock; its sleeps throw once the run is stopped. */
    clock: (clock: Clock): Clock => ({
      now: () => clock.now(),
      sleep: (ms) => unlessStopped(() => clock.sleep(ms)),
    }),
    /** Runs work that goes on after the stop, such as clean-up. */
    exempt: <T>(work: () => Promise<T>): Promise<T> => exempted.run(true, work),
  };
}

// --- A command stops the runs in its workers

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

/**
 * Calls `stop` on the signals that a terminal also sends to a worker that is a process (--pool forks), and which would
 * end it before its clean-up. Gives a function that ends this.
 */
export function stopOnOwnSignals(stop: () => void): () => void {
  const signals = isMainThread ? ['SIGINT', 'SIGTERM', 'SIGHUP'] : [];
  signals.forEach((signal) => void process.on(signal, stop));
  return () => signals.forEach((signal) => void process.off(signal, stop));
}

/** Resolves when the command stops its workers' runs, at once if it has already; never if no command can. */
export async function stoppedByCommand(): Promise<void> {
  const word = getEnvironmentData(name);
  await (word instanceof Int32Array ? Atomics.waitAsync(word, 0, 0).value : new Promise(() => {}));
}
