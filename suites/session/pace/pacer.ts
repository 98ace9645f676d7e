import type { Clock } from '../../../common/clock.ts';
import { minuteMs } from '../../../contract/limits.ts';
import type { ApiKey } from '../key.ts';
import {
  admittedAfter,
  dropRoutePauses,
  dropUntil,
  type Lane,
  mergePause,
  newLane,
  noPauses,
  type PauseState,
  separateRefusedRoute,
} from './lane.ts';
import { firstPause, laneFreeAt, pauseLength, slowDown } from './pauses.ts';
import { addCredit, startSlowly, takeCredit } from './slow-start.ts';

/**
 * Paces calls so that no key exceeds its documented limit in any rolling minute, and keeps off a key that was limited
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
  /** Whether three windows of many calls brought no admitted one of any key: waiting longer is no use to anybody. */
  admitsNobody(): boolean;
  /** Whether no call of any key was admitted while many were refused, or while one key became stuck. */
  isClosed(): boolean;
  /**
   * Whether waiting longer is no use to a key: more than `mostWindows` windows of pauses brought no admitted call.
   * Refusals of one route alone make no other route stuck.
   */
  isStuck(key: ApiKey, route?: string, mostWindows?: number): boolean;
}

/** After how many windows of pauses, without an admitted call between, a key's budget counts as stuck. */
const mostWindowsOfKey = 3;
/** The same of calls without a valid key, counted over the whole run. */
const mostWindowsOfBadKeys = 8;
/** The same of one route: it may have a cooldown that lasts for hours. */
const mostWindowsOfRoute = 1.5;

/** Head start, as a share of a window, that paused keys get over bad keys, which may lock them out again. */
const headStart = 1 / 30;

/** How many pauses in a row show that other keys draw on a budget. */
const pausesOfSharedBudget = 3;

/** So many refusals in a row, whatever the key, show that the deployment admits nobody any more. */
const manyRefused = 20;

/** The lane of the calls without a valid key. */
const unknownKeys = 'unknown';

/** How many routes, refused with no admitted call between, show that a budget is used up, whatever the answers say. */
const routesOfBudget = 3;

/**
 * `perMinute` gives a key's documented requests a minute. Keys of one environment get lanes of their own until a 429
 * shows that they share a budget (developer API, Limits 4 leaves it open).
 */
export function createPacer(options: {
  clock: Clock;
  clockSpeed: number;
  perMinute(key: ApiKey): number;
  /** Called before a call with that key waits, with the milliseconds. */
  onWait?(key: ApiKey, ms: number): void;
}): Pacer {
  const { clock, perMinute } = options;
  // A little longer than the window itself: the deployment's clock starts when the call arrives, ours when it leaves.
  const windowMs = (minuteMs / options.clockSpeed) * 1.02 + 20;
  const lanes = new Map<string, Lane>();
  const sharedEnvironments = new Set<string>();
  /** The refusals since the last admitted call, of whatever key. */
  let refused = { count: 0, since: Infinity };

  const laneName = ({ origin, environment, secret }: ApiKey): string => {
    if (origin === 'unknown') {
      return unknownKeys;
    }
    return environment === 'workspace' || sharedEnvironments.has(environment) ? environment : secret;
  };
  const laneOf = (key: ApiKey): Lane => {
    const name = laneName(key);
    const lane = lanes.get(name) ?? newLane();
    lanes.set(name, lane);
    return lane;
  };

  /** When the next call of a route may be sent. Bad keys leave paused keys a head start. */
  const freeAt = (lane: Lane, key: ApiKey, route: string, now: number): number => {
    const own = laneFreeAt(lane, route, { limit: perMinute(key), windowMs, now });
    const paused = [...lanes.values()].filter((one) => one !== lane && one.pausedUntil > 0);
    const afterOthers = paused.map(({ pausedUntil }) => pausedUntil + headStart * windowMs);
    return key.origin === 'unknown' ? Math.max(own, ...afterOthers) : own;
  };

  const admittedInWindow = (some: Iterable<Lane>): number => admittedAfter(some, clock.now() - windowMs);

  /** Begins a pause of `paused`, the lane or one of its routes, unless one is under way: a burst is one event. */
  const beginPause = (key: ApiKey, lane: Lane, paused: PauseState, askedMs: number | null): void => {
    const now = clock.now();
    const given = askedMs === Infinity ? windowMs : askedMs;
    paused.isTooLong = askedMs === Infinity;
    if (now < paused.pausedUntil) {
      paused.pausedUntil = Math.max(paused.pausedUntil, now + (given ?? 0));
      return;
    }
    if (isSmoothing(key, lane, paused, given ?? 0)) {
      slowDown(lane, paused, { limit: perMinute(key), windowMs });
    }
    const ms = pauseLength(lane, paused, given, windowMs);
    if (paused === lane) {
      startSlowly(lane.start);
    }
    Object.assign(paused, { pauses: paused.pauses + 1, pausedMs: paused.pausedMs + ms, pausedUntil: now + ms });
  };

  /** Whether a refusal asks for a short pause at most although the window has room, and not for one route alone. */
  const isSmoothing = (key: ApiKey, lane: Lane, paused: PauseState, askedMs: number): boolean => {
    const drawing = sharedEnvironments.has(key.environment) ? lanes.values() : [lane];
    const hasRoom = admittedInWindow(drawing) < perMinute(key);
    return askedMs < windowMs * firstPause && hasRoom && (paused === lane || lane.routePauses.size > 1);
  };

  const isLaneStuck = ({ pausedMs, isTooLong }: Lane, mostWindows: number): boolean =>
    pausedMs > (isTooLong ? 1 : mostWindows) * windowMs;

  const nobodyWasAdmittedFor = (windows: number): boolean => clock.now() - refused.since > windows * windowMs;

  /** Whether the budget of some valid key is stuck. */
  const isOneStuck = (): boolean =>
    [...lanes].some(([name, lane]) => name !== unknownKeys && isLaneStuck(lane, mostWindowsOfKey));

  /** Whether keys may share a budget: together they used up a limit, or several pauses of this key did not help. */
  const isShared = (key: ApiKey, { pauses }: PauseState): boolean =>
    pauses >= pausesOfSharedBudget || admittedInWindow(lanes.values()) >= perMinute(key);

  return {
    async waitForTurn(key, route = '') {
      for (;;) {
        const lane = laneOf(key);
        const now = clock.now();
        dropUntil(lane.sentAt, now - windowMs);
        const until = freeAt(lane, key, route, now);
        if (until > now) {
          const ms = Math.max(until - now, 1);
          options.onWait?.(key, ms);
          await clock.sleep(ms);
        } else if (takeCredit(lane.start, now, windowMs * firstPause)) {
          lane.sentAt.push(now);
          return;
        } else {
          const { waiting, creditAt } = lane.start;
          await Promise.race([new Promise<void>((resolve) => waiting.push(resolve)), clock.sleep(creditAt - now)]);
        }
      }
    },
    noteSent(key) {
      laneOf(key).sentAt.push(clock.now());
    },
    pause(key, askedMs, route = '', isRouteAlone = false) {
      refused = { count: refused.count + 1, since: Math.min(refused.since, clock.now()) };
      const lane = laneOf(key);
      if (isRouteAlone) {
        lane.refusedWithCallsLeft.add(route);
      }
      if (isRouteAlone && lane.refusedWithCallsLeft.size < routesOfBudget) {
        const routePause = lane.routePauses.get(route) ?? { ...noPauses };
        lane.routePauses.set(route, routePause);
        beginPause(key, lane, routePause, askedMs);
        return;
      }
      if (isRouteAlone) {
        dropRoutePauses(lane);
      }
      beginPause(key, lane, lane, askedMs);
      lane.refusedRoutes.add(route);
      if (key.origin !== 'unknown' && isShared(key, lane)) {
        sharedEnvironments.add(key.environment);
      }
      const shared = laneOf(key);
      if (shared !== lane) {
        mergePause(lane, shared, route);
      }
    },
    noteAdmitted(key, route = '') {
      refused = { count: 0, since: Infinity };
      const lane = laneOf(key);
      const now = clock.now();
      dropUntil(lane.admittedAt, now - windowMs);
      lane.admittedAt.push(now);
      addCredit(lane.start);
      separateRefusedRoute(lane, route, windowMs);
      lane.refusedRoutes.clear();
      lane.refusedWithCallsLeft.clear();
      Object.assign(lane, { pauses: 0, isTooLong: false, ...(key.origin === 'unknown' ? {} : { pausedMs: 0 }) });
      Object.assign(lane.routePauses.get(route) ?? {}, { pauses: 0, pausedMs: 0, isTooLong: false });
    },
    limitOf: perMinute,
    admitsNobody: () => refused.count >= manyRefused && nobodyWasAdmittedFor(mostWindowsOfKey),
    // The last of the pauses that make a key stuck need not be over.
    isClosed: () => nobodyWasAdmittedFor(mostWindowsOfKey - 1) && (refused.count >= manyRefused || isOneStuck()),
    isStuck: (key, route = '', mostWindows = key.origin === 'unknown' ? mostWindowsOfBadKeys : mostWindowsOfKey) => {
      const lane = laneOf(key);
      const { routePauses, refusedRoutes } = lane;
      const isOtherRouteAlone = refusedRoutes.size === 1 && !refusedRoutes.has(route);
      const isBudgetStuck = isLaneStuck(lane, mostWindows) && !isOtherRouteAlone;
      return isBudgetStuck || (routePauses.get(route)?.pausedMs ?? 0) > mostWindowsOfRoute * windowMs;
    },
  };
}
