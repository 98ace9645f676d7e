import type { Clock } from '../../common/clock.ts';
import { minuteMs } from '../../contract/limits.ts';
import type { ApiKey } from './key.ts';

/**
 * Paces calls so that no key exceeds its documented limit in any rolling minute, and keeps off a key that was limited all
 * the same. Never more than the limit in a trailing window is safe under every limiter that honours it.
 */
export interface Pacer {
  /** Resolves when a call of that route with that key may be sent, and counts it. */
  waitForTurn(key: ApiKey, route?: string): Promise<void>;
  /**
   * A 429 that was not provoked: nobody draws on that budget for so many milliseconds. null: nothing says for how long, so that
   * it is tried again sooner at first, and then later and later. `route`: where the budget is told to have room, so that it was
   * this route's refusal alone.
   */
  pause(key: ApiKey, ms: number | null, route?: string): void;
  /** An admitted call: neither the budget nor the route is stuck. */
  admitted(key: ApiKey, route?: string): void;
  /** The documented requests a minute of a key. */
  limitOf(key: ApiKey): number;
  /** Whether so many whole windows of waiting brought no admitted call that waiting longer is no use. */
  isStuck(key: ApiKey, route?: string, most?: number): boolean;
}

interface Pauses {
  pausedUntil: number;
  /** Pauses in a row since the last admitted call, and how long they were, ms. */
  pauses: number;
  pausedMs: number;
}

/** Calls that draw on one budget. */
interface Lane extends Pauses {
  /** When calls of the trailing window were sent, oldest first. */
  readonly sentAt: number[];
  /** Routes that were refused by themselves. */
  readonly routes: Map<string, Pauses>;
  /** Refused although the window had room: a limiter that smooths, or somebody else. Calls go out evenly from then on. */
  isEven: boolean;
}

/** How many whole windows of pauses in a row a budget may need before it counts as stuck; those without a valid key in all. */
const [mostWindows, mostWindowsOfStrangers] = [3, 8];
/** So much of a window keys that were paused go ahead of those who may lock them out again. */
const headStart = 1 / 30;
/** The same of one route: it may be a cooldown that lasts for hours. */
const mostWindowsOfRoute = 1.5;

const noPauses: Pauses = { pausedUntil: 0, pauses: 0, pausedMs: 0 };

/** The first pause is this share of a window where nothing says how long it takes; each further one is twice as long. */
const firstPause = 1 / 16;

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
    const lane = lanes.get(name) ?? { sentAt: [], routes: new Map(), isEven: false, ...noPauses };
    lanes.set(name, lane);
    return lane;
  };

  /** When a lane has room for another call. */
  const roomAt = (lane: Lane, key: ApiKey, now: number, route: string): number => {
    const limit = perMinute(key);
    const windowRoom = lane.sentAt.length >= limit ? (lane.sentAt[0] ?? now) + windowMs : now;
    const evenRoom = lane.isEven ? (lane.sentAt.at(-1) ?? -Infinity) + windowMs / limit : now;
    const pausedUntil = Math.max(lane.pausedUntil, lane.routes.get(route)?.pausedUntil ?? 0, windowRoom, evenRoom);
    const others =
      key.origin !== 'unknown' ? [] : [...lanes.values()].filter((one) => one !== lane && one.pausedUntil > 0);
    return Math.max(pausedUntil, ...others.map((one) => one.pausedUntil + headStart * windowMs));
  };

  return {
    async waitForTurn(key, route = '') {
      for (;;) {
        const [lane, now] = [laneOf(key), clock.now()];
        while ((lane.sentAt[0] ?? Infinity) <= now - windowMs) {
          lane.sentAt.shift();
        }
        const until = roomAt(lane, key, now, route);
        if (until <= now) {
          lane.sentAt.push(now);
          return;
        }
        const ms = Math.max(until - now, 1);
        options.onWait?.(key, ms);
        await clock.sleep(ms);
      }
    },
    pause(key, given, route) {
      const lane = laneOf(key);
      const paused: Pauses = route === undefined ? lane : (lane.routes.get(route) ?? { ...noPauses });
      const ms = given ?? windowMs * Math.min(1, firstPause * 2 ** paused.pauses);
      const now = clock.now();
      // One pause at a time counts: a burst of refusals is one event.
      if (now >= paused.pausedUntil) {
        paused.pauses += 1;
        paused.pausedMs += ms;
      }
      paused.pausedUntil = Math.max(paused.pausedUntil, now + ms);
      if (route !== undefined) {
        lane.routes.set(route, paused);
        // One route has a limit of its own; several have a limiter that smooths before them.
        lane.isEven ||= lane.routes.size > 1;
        return;
      }
      lane.isEven ||= given === null && lane.sentAt.length < perMinute(key);
      if (key.origin !== 'unknown') {
        sharedEnvironments.add(key.environment);
      }
      const shared = laneOf(key);
      if (shared !== lane) {
        shared.pausedUntil = Math.max(shared.pausedUntil, lane.pausedUntil);
        shared.pauses += lane.pauses;
        shared.pausedMs += lane.pausedMs;
        shared.isEven ||= lane.isEven;
      }
    },
    admitted(key, route = '') {
      const lane = laneOf(key);
      Object.assign(lane, { pauses: 0, ...(key.origin === 'unknown' ? {} : { pausedMs: 0 }) });
      Object.assign(lane.routes.get(route) ?? {}, { pauses: 0, pausedMs: 0 });
    },
    limitOf: perMinute,
    isStuck: (key, route = '', most = key.origin === 'unknown' ? mostWindowsOfStrangers : mostWindows) => {
      const { pausedMs, routes } = laneOf(key);
      const ofRoute = routes.get(route)?.pausedMs ?? 0;
      return pausedMs > most * windowMs || ofRoute > mostWindowsOfRoute * windowMs;
    },
  };
}
