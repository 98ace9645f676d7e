import type { ApiKey } from '../key.ts';
import {
  admitsNobody,
  type BudgetParts,
  freeAt,
  isClosed,
  isStuck,
  laneOf,
  mostWindowsOfBadKeys,
  mostWindowsOfKey,
  newBudgets,
  noteAdmitted,
  noteRefused,
} from './budgets.ts';
import { dropUntil } from './lane.ts';
import { firstPause } from './pauses.ts';
import { takeCredit } from './slow-start.ts';

/**
 * Paces calls so that no key exceeds its documented limit in any rolling minute, and pauses a key that was limited
 * all the same. Never more than the limit in a trailing window is safe under every limiter that honours it.
 */
export interface Pacer {
  /** Resolves when a call of that route with that key may be sent, and counts it. */
  waitForTurn(key: ApiKey, route?: string): Promise<void>;
  /** Counts a call that is sent without waiting for its turn: later calls with the key leave it its place. */
  noteSent(key: ApiKey): void;
  /**
   * Notes a 429 that was not provoked: no call draws on that budget for `ms`. null: the answer does not say how long,
   * so the pauses begin short and double. Infinity: longer than a run waits. `isRouteAlone`: the answer says that the
   * budget has calls left, so only that route pauses, unless other routes get the same.
   */
  pause(key: ApiKey, ms: number | null, route?: string, isRouteAlone?: boolean): void;
  /** Notes an admitted call: neither the budget nor the route is stuck. */
  noteAdmitted(key: ApiKey, route?: string): void;
  /** The documented requests a minute of a key. */
  limitOf(key: ApiKey): number;
  /** Whether many calls of several routes brought no admitted one of any key for three windows: nobody need wait longer. */
  admitsNobody(): boolean;
  /** Whether no call of any key was admitted while many, or those that made one key stuck, were refused on several routes. */
  isClosed(): boolean;
  /**
   * Whether waiting longer is no use to a key: more than `mostWindows` windows of pauses brought no admitted call.
   * Refusals of one route alone make no other route stuck.
   */
  isStuck(key: ApiKey, route?: string, mostWindows?: number): boolean;
}

/**
 * `perMinute` gives a key's documented requests a minute. Keys of one environment get lanes of their own until a 429
 * shows that they share a budget (developer API, Limits 4 leaves it open).
 */
export function createPacer(
  options: BudgetParts & {
    /** Called before a call with that key waits, with the milliseconds. */
    readonly onWait?: (key: ApiKey, ms: number) => void;
  },
): Pacer {
  const { clock, perMinute } = options;
  const budgets = newBudgets(options);
  return {
    async waitForTurn(key, route = '') {
      for (;;) {
        const lane = laneOf(budgets, key);
        const now = clock.now();
        dropUntil(lane.sentAt, now - budgets.windowMs);
        const until = freeAt(budgets, lane, { key, route, now });
        if (until > now) {
          const ms = Math.max(until - now, 1);
          options.onWait?.(key, ms);
          await clock.sleep(ms);
        } else if (takeCredit(lane.start, now, budgets.windowMs * firstPause)) {
          lane.sentAt.push(now);
          return;
        } else {
          const { waiting, creditAt } = lane.start;
          await Promise.race([new Promise<void>((resolve) => waiting.push(resolve)), clock.sleep(creditAt - now)]);
        }
      }
    },
    noteSent(key) {
      laneOf(budgets, key).sentAt.push(clock.now());
    },
    pause: (key, askedMs, route = '', isRouteAlone = false) =>
      noteRefused(budgets, { key, route }, askedMs, isRouteAlone),
    noteAdmitted: (key, route = '') => noteAdmitted(budgets, { key, route }),
    limitOf: perMinute,
    admitsNobody: () => admitsNobody(budgets),
    isClosed: () => isClosed(budgets),
    isStuck: (key, route = '', mostWindows = key.origin === 'unknown' ? mostWindowsOfBadKeys : mostWindowsOfKey) =>
      isStuck(budgets, { key, route }, mostWindows),
  };
}
