import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../../common/clock.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Transport } from '../session/transport/transport.ts';

/** Stops a run before its end: nothing new is sent and nobody waits any longer, but clean-up goes on. */
export interface Halt {
  /** Why the run was stopped; null while it goes on. */
  readonly reason: string | null;
  /** Stops the run; later reasons do not count. `broken`: the suite is at fault for clauses that are undecided yet. */
  stop(reason: string, broken?: boolean): void;
  /** Resolves when the run is stopped. */
  readonly stopped: Promise<void>;
  /** The transport; it throws once the run is stopped. */
  transport(transport: Transport): Transport;
  /** The clock; its sleeps throw once the run is stopped. */
  clock(clock: Clock): Clock;
  /** Runs work that goes on after the stop, such as clean-up. */
  exempt<T>(work: () => Promise<T>): Promise<T>;
}

export function createHalt(): Halt {
  const exempted = new AsyncLocalStorage<true>();
  const waiting = new Set<(error: Error) => void>();
  const { promise: stopped, resolve: haveStopped } = Promise.withResolvers<void>();
  let halted: { readonly reason: string; readonly broken: boolean } | null = null;

  /** A call that was given up shows nothing about the deployment, so a check gets this error and no answer. */
  const haltError = (): Error => {
    const { reason, broken } = halted ?? { reason: 'unknown', broken: true };
    return broken ? new Error(reason) : new Inconclusive({ message: `Stopped before it was decided: ${reason}` });
  };
  const assertRunning = (): void => {
    if (halted !== null && exempted.getStore() === undefined) {
      throw haltError();
    }
  };

  function untilStopped<T>(work: Promise<T>): Promise<T> {
    if (exempted.getStore()) {
      return work;
    }
    return new Promise((resolve, reject) => {
      waiting.add(reject);
      work.then(resolve, reject).finally(() => waiting.delete(reject));
    });
  }

  return {
    get reason() {
      return halted?.reason ?? null;
    },
    stopped,
    stop(reason, broken = false) {
      if (halted !== null) {
        return;
      }
      halted = { reason, broken };
      haveStopped();
      for (const reject of waiting) {
        reject(haltError());
      }
    },
    transport: (transport) => async (request, bounds) => {
      assertRunning();
      const sent = transport(request, bounds);
      // Writes are waited for even then: the answer to a create says what has to be deleted.
      return request.method === 'GET' ? untilStopped(sent) : sent;
    },
    clock: (clock) => ({
      now: () => clock.now(),
      sleep: async (ms) => {
        assertRunning();
        await untilStopped(clock.sleep(ms));
      },
    }),
    exempt: (work) => exempted.run(true, work),
  };
}
