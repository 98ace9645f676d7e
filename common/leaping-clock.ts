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
  let turns = 0;
  let watching = false;

  const now = (): number => real.now() + leapt;
  const watch = (): void => {
    turns = 0;
    if (watching) {
      return;
    }
    watching = true;
    setImmediate(turn);
  };
  const turn = (): void => {
    watching = working === 0 && sleepers.size > 0;
    if (!watching) {
      return;
    }
    turns += 1;
    if (turns > idleTurns) {
      leap();
    }
    setImmediate(turn);
  };
  const leap = (): void => {
    turns = 0;
    const first = Math.min(...[...sleepers].map(({ due }) => due));
    leapt += Math.max(0, first - now());
    for (const sleeper of [...sleepers].sort((a, b) => a.due - b.due)) {
      if (sleeper.due <= first) {
        sleeper.wake();
      }
    }
  };

  return {
    now,
    sleep: (ms) =>
      ms > 0
        ? new Promise((resolve) => {
            const sleeper: Sleeper = {
              due: now() + ms,
              wake() {
                if (sleepers.delete(sleeper)) {
                  resolve();
                }
              },
            };
            sleepers.add(sleeper);
            // The sleeper may also be due without a leap, while work is going on.
            if (ms <= longestTimer) {
              void real.sleep(ms).then(sleeper.wake);
            }
            watch();
          })
        : Promise.resolve(),
    async during(work) {
      working += 1;
      try {
        return await work;
      } finally {
        working -= 1;
        watch();
      }
    },
  };
}
