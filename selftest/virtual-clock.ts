/** A clock on which waiting takes no real time. It fits common/clock.ts and fixtures/reference/clock.ts. */
export interface VirtualClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves when time has jumped so far; at once if `ms` is not positive, never if it is infinite. */
  sleep(ms: number): Promise<void>;
  /** How many jumps were made, which a test can bound instead of real time. */
  readonly jumps: number;
}

/** An arbitrary time in the middle of a minute, so that tests do not depend on its start. */
const anyMoment = Date.UTC(2026, 2, 14, 9, 26, 53, 589);

/** After this many turns of the event loop without a new sleep, all code is considered to wait for the clock. */
const idleTurns = 2;

/**
 * Starts at `start`. Time stands still while any code runs. When two turns of the event loop bring no new sleep, all
 * code waits for the clock, and it jumps to the earliest timer. It notices promises, `nextTick` and `setImmediate`, but
 * not sockets, worker threads and the thread pool, which tests on this clock must not use.
 */
export function createVirtualClock(start: number = anyMoment): VirtualClock {
  /** Sorted by due time, latest first. Timers with the same due time fire in the order in which they were set. */
  const timers: { readonly due: number; readonly wake: () => void }[] = [];
  let now = start;
  let jumps = 0;
  let quietTurns = 0;
  let pumping = false;

  const turn = (): void => {
    quietTurns += 1;
    if (quietTurns > idleTurns) {
      quietTurns = 0;
      jump();
    }
    if (timers.length > 0) {
      setImmediate(turn);
    } else {
      pumping = false;
    }
  };
  const jump = (): void => {
    const due = timers.at(-1)?.due ?? now;
    now = Math.max(now, due);
    jumps += 1;
    while (timers.at(-1)?.due === due) {
      timers.pop()?.wake();
    }
  };

  return {
    now: () => now,
    get jumps() {
      return jumps;
    },
    sleep(ms) {
      if (!(ms > 0)) {
        return Promise.resolve();
      }
      if (ms === Infinity) {
        return new Promise(() => {});
      }
      return new Promise((wake) => {
        const due = now + ms;
        const place = timers.findIndex((timer) => timer.due <= due);
        timers.splice(place === -1 ? timers.length : place, 0, { due, wake });
        quietTurns = 0;
        if (!pumping) {
          setImmediate(turn);
        }
        pumping = true;
      });
    },
  };
}
