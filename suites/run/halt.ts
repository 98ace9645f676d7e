import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../../common/clock.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Transport } from '../session/transport/transport.ts';

/** Stops a run while it goes on: nothing new is sent, nobody waits any longer, and cleaning up is still possible. */
export interface Halt {
  /** Why the run was stopped; null while it goes on. */
  readonly reason: string | null;
  /** Stops the run; the first reason stays. With `broken`, the clauses that are not decided yet are the suite's own fault. */
  stop(reason: string, broken?: boolean): void;
  /** Resolves when the run is stopped. */
  readonly stopped: Promise<void>;
  /** The transport, until the run is stopped. */
  transport(transport: Transport): Transport;
  /** The clock, until the run is stopped. */
  clock(clock: Clock): Clock;
  /** Runs work that a stopped run may still do. */
  exempt<T>(work: () => Promise<T>): Promise<T>;
}

export function createHalt(): Halt {
  const exempted = new AsyncLocalStorage<true>();
  const waiting = new Set<(error: Error) => void>();
  const { promise: stopped, resolve: haveStopped } = Promise.withResolvers<void>();
  let halted: { readonly reason: string; readonly broken: boolean } | null = null;

  /** Checks see an undecided step, not an answer: a call that was given up shows nothing about the deployment. */
  const error = (): Error => {
    const { reason, broken } = halted ?? { reason: 'unknown', broken: true };
    return broken ? new Error(reason) : new Inconclusive({ message: `Stopped before it was decided: ${reason}` });
  };
  const stops = (): boolean => halted !== null && exempted.getStore() === undefined;

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
        reject(error());
      }
    },
    transport: (transport) => async (request, bounds) => {
      if (stops()) {
        throw error();
      }
      const sent = transport(request, bounds);
      // A call that creates something is waited for: its answer says what there is to delete.
      return request.method === 'GET' ? untilStopped(sent) : sent;
    },
    clock: (clock) => ({
      now: () => clock.now(),
      sleep: async (ms) => {
        if (stops()) {
          throw error();
        }
        await untilStopped(clock.sleep(ms));
      },
    }),
    exempt: (work) => exempted.run(true, work),
  };
}
