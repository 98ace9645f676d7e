import { type Clock, systemClock } from '../../common/clock.ts';

/** A clock that nobody has to wait for. */
interface LeapingClock extends Clock {
  /** Passes on what the work gives or throws; until then the clock goes at its usual pace. */
  during<T>(work: Promise<T>): Promise<T>;
}

interface Sleeper {
  readonly due: number;
  wake(): void;
}

/** Turns of the event loop without work under way after which everybody counts as waiting for the clock. */
const idleTurns = 4;

/** Timers take no longer waits. */
const longestTimer = 2 ** 31 - 1;

/**
 * Real time, plus the waits that it leaps over: where every request has its answer and all that is left is to wait, it goes
 * on to the moment when the first sleeper is due. For a deployment that has its time from the same clock, so that limit
 * windows pass at once, a slow machine takes longer but sees the same, and nothing is sped up between two calls.
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
            // Time passes by itself, too, while others work.
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
