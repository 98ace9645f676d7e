import type { Clock } from '../../common/clock.ts';
import { minuteMs } from '../../contract/limits.ts';
import type { ApiKey } from './key.ts';

/**
 * Paces calls so that no key exceeds its documented limit in any rolling minute, and keeps off a key that was limited all
 * the same. Never more than the limit in a trailing window is safe under every limiter that honours it.
 */
export interface Pacer {
  /** Resolves when a call with that key may be sent, and counts it. */
  waitForTurn(key: ApiKey): Promise<void>;
  /** A 429 that was not provoked: nobody draws on that budget for so many milliseconds. */
  pause(key: ApiKey, ms: number): void;
  /** An admitted call: the budget is not stuck. */
  admitted(key: ApiKey): void;
  /** Whether whole windows of waiting brought no admitted call: waiting longer is no use. */
  isStuck(key: ApiKey): boolean;
}

/** Calls that draw on one budget. */
interface Lane {
  /** When calls of the trailing window were sent, oldest first. */
  readonly sentAt: number[];
  pausedUntil: number;
  /** Pauses in a row since the last admitted call. */
  pauses: number;
}

/** How many pauses in a row a budget may need before it counts as stuck. */
const mostPauses = 3;

/**
 * `perMinute` gives a key's documented requests a minute. Keys of one environment get lanes of their own until a 429 shows
 * that they share a budget (developer API, Limits 4 leaves it open).
 */
export function createPacer(options: {
  clock: Clock;
  clockSpeed: number;
  perMinute(key: ApiKey): number;
  /** A call with that key waits for so many milliseconds. */
  onWait?(key: ApiKey, ms: number): void;
}): Pacer {
  const { clock, perMinute } = options;
  // A little longer than the window itself: the deployment's clock starts when the call arrives, ours when it leaves.
  const windowMs = (minuteMs / options.clockSpeed) * 1.02 + 20;
  const lanes = new Map<string, Lane>();
  const sharedEnvironments = new Set<string>();

  const laneName = ({ origin, environment, secret }: ApiKey): string => {
    if (origin === 'unknown') {
      return 'unknown';
    }
    return environment === 'workspace' || sharedEnvironments.has(environment) ? environment : secret;
  };
  const laneOf = (key: ApiKey): Lane => {
    const name = laneName(key);
    const lane = lanes.get(name) ?? { sentAt: [], pausedUntil: 0, pauses: 0 };
    lanes.set(name, lane);
    return lane;
  };

  return {
    async waitForTurn(key) {
      for (;;) {
        const [lane, now] = [laneOf(key), clock.now()];
        while ((lane.sentAt[0] ?? Infinity) <= now - windowMs) {
          lane.sentAt.shift();
        }
        const isFull = lane.sentAt.length >= perMinute(key);
        if (!isFull && now >= lane.pausedUntil) {
          lane.sentAt.push(now);
          return;
        }
        const roomAt = isFull ? (lane.sentAt[0] ?? now) + windowMs : now;
        const ms = Math.max(lane.pausedUntil - now, roomAt - now, 1);
        options.onWait?.(key, ms);
        await clock.sleep(ms);
      }
    },
    pause(key, ms) {
      const lane = laneOf(key);
      // One pause at a time counts: a burst of refusals is one event.
      if (clock.now() >= lane.pausedUntil) {
        lane.pauses += 1;
      }
      lane.pausedUntil = Math.max(lane.pausedUntil, clock.now() + ms);
      if (key.origin !== 'unknown') {
        sharedEnvironments.add(key.environment);
      }
      const shared = laneOf(key);
      if (shared !== lane) {
        shared.pausedUntil = lane.pausedUntil;
        shared.pauses += lane.pauses;
      }
    },
    admitted(key) {
      laneOf(key).pauses = 0;
    },
    isStuck: (key) => laneOf(key).pauses > mostPauses,
  };
}
