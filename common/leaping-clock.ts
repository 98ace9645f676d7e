import { type Clock, systemClock } from './clock.ts';

/** A clock on which waits take no time. */
interface LeapingClock extends Clock {
  /** Waits for work, during which the clock does not leap. Gives or throws what the work does. */
  during<T>(work: Promise<T>): Promise<T>;
}

interface Sleeper {
  readonly due: number;
  wake(): void;
}

/** After this many turns of the event loop without work, all are taken to be waiting for the clock. */
const idleTurns = 4;

/** Node's timers cannot wait longer, in ms. */
const longestTimer = 2 ** 31 - 1;

/**
 * Real time plus leaps: when all requests are answered and everything only waits, the clock leaps to the moment when
 * the first sleeper is due. It is for a deployment that uses the same clock. Then limit windows pass at once, while
 * between two calls time passes as usual, and a slow machine takes longer but gets the same results.
 */
export function createLeapingClock(real: Clock = systemClock): LeapingClock {
  const sleepers = new Set<Sleeper>();
  let leapt = 0;
  let working = 0;
  let watches = 0;
  const now = (): number => real.now() + leapt;
  /** Leaps to the first sleeper's end, unless something happens before: that is watched anew. */
  const watch = async (): Promise<void> => {
    watches += 1;
    const own = watches;
    for (let turns = 0; turns <= idleTurns; turns += 1) {
      await new Promise(setImmediate);
      if (working > 0 || sleepers.size === 0 || own !== watches) {
        return;
      }
    }
    const first = [...sleepers].reduce((earliest, { due }) => Math.min(earliest, due), Infinity);
    leapt += Math.max(0, first - now());
    for (const { wake } of [...sleepers].filter(({ due }) => due === first)) {
      wake();
    }
    void watch();
  };

  return {
    now,
    sleep(ms) {
      if (!(ms > 0)) {
        return Promise.resolve();
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      const wake = (): void => {
        sleepers.delete(sleeper);
        resolve();
      };
      const sleeper: Sleeper = { due: now() + ms, wake };
      sleepers.add(sleeper);
      // The sleeper may also be due without a leap, while work is going on.
      if (ms <= longestTimer) {
        void real.sleep(ms).then(wake);
      }
      void watch();
      return promise;
    },
    async during(work) {
      working += 1;
      try {
        return await work;
      } finally {
        working -= 1;
        void watch();
      }
    },
  };
}
