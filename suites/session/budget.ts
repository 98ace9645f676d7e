import type { Clock } from '../../common/clock.ts';
import { minuteMs } from '../../contract/limits.ts';
import type { ApiKey } from './key.ts';

/**
 * Paces calls so that no key exceeds its documented limit in any rolling minute, and keeps off a key that was
 * limited all the same. Never more than the limit in a trailing window is safe under every limiter that honours it.
 */
export interface Budget {
  /** Resolves when a call with that key may be sent, and counts it. */
  take(key: ApiKey): Promise<void>;
  /** A 429 that was not provoked: nobody takes from that budget for that long. */
  hold(key: ApiKey, ms: number): void;
  /** An admitted call: the budget is not stuck. */
  admitted(key: ApiKey): void;
  /** What calls are waiting for at this moment. */
  waits(): readonly Wait[];
  /** Whether a whole window of waiting brought no admitted call: waiting longer is no use. */
  stuck(key: ApiKey): boolean;
}

/** Calls that wait for room in a budget. */
export interface Wait {
  readonly environment: ApiKey['environment'];
  readonly ms: number;
}

interface Purse {
  /** When calls of the trailing window were sent, oldest first. */
  sent: number[];
  heldUntil: number;
  /** 429s in a row since the last admitted call. */
  refusals: number;
}

/** How many windows in a row may end in a 429 before a budget counts as stuck. */
const patience = 3;

/**
 * `limitOf` gives a key's documented requests a minute. Keys of one environment get separate purses until a 429 shows
 * that they share one (developer API, Limits 4 leaves it open).
 */
export function createBudget(options: { clock: Clock; clockSpeed: number; limitOf(key: ApiKey): number }): Budget {
  const { clock, limitOf } = options;
  // A little longer than the window itself: the deployment's clock starts when the call arrives, ours when it leaves.
  const windowMs = (minuteMs / options.clockSpeed) * 1.02 + 20;
  const purses = new Map<string, Purse>();
  const shared = new Set<string>();
  /** When a key's turn comes, for the keys whose calls are waiting. */
  const waiting = new Map<string, { readonly key: ApiKey; readonly until: number }>();

  const nameOf = (key: ApiKey): string => {
    if (key.origin === 'unknown') {
      return 'unknown';
    }
    return key.environment === 'workspace' || shared.has(key.environment) ? key.environment : key.secret;
  };
  const purseOf = (key: ApiKey): Purse => {
    const name = nameOf(key);
    const purse = purses.get(name) ?? { sent: [], heldUntil: 0, refusals: 0 };
    purses.set(name, purse);
    return purse;
  };

  return {
    async take(key) {
      for (;;) {
        const purse = purseOf(key);
        const now = clock.now();
        while ((purse.sent[0] ?? Infinity) <= now - windowMs) {
          purse.sent.shift();
        }
        const full = purse.sent.length >= limitOf(key);
        if (!full && now >= purse.heldUntil) {
          purse.sent.push(now);
          return;
        }
        const ms = Math.max(purse.heldUntil - now, full ? (purse.sent[0] ?? now) + windowMs - now : 0, 1);
        waiting.set(key.secret, { key, until: now + ms });
        await clock.sleep(ms);
      }
    },
    hold(key, ms) {
      const purse = purseOf(key);
      // One hold at a time counts: a burst of refusals is one event.
      if (clock.now() >= purse.heldUntil) {
        purse.refusals += 1;
      }
      purse.heldUntil = Math.max(purse.heldUntil, clock.now() + ms);
      if (key.origin !== 'unknown') {
        shared.add(key.environment);
      }
      const common = purseOf(key);
      if (common !== purse) {
        Object.assign(common, { heldUntil: purse.heldUntil, refusals: common.refusals + purse.refusals });
      }
    },
    admitted(key) {
      purseOf(key).refusals = 0;
    },
    waits: () =>
      [...waiting.values()]
        .map(({ key, until }) => ({ environment: key.environment, ms: until - clock.now() }))
        .filter(({ ms }) => ms > 0),
    stuck: (key) => purseOf(key).refusals > patience,
  };
}
