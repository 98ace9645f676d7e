import type { Clock } from '../../../common/clock.ts';
import { minuteMs } from '../../../contract/limits.ts';
import type { ApiKey } from '../key.ts';

/**
 * Paces calls so that no key exceeds its documented limit in any rolling minute, and keeps off a key that was limited all
 * the same. Never more than the limit in a trailing window is safe under every limiter that honours it.
 */
export interface Pacer {
  /** Resolves when a call of that route with that key may be sent, and counts it. */
  waitForTurn(key: ApiKey, route?: string): Promise<void>;
  /**
   * A 429 that was not provoked: nobody draws on that budget for so many milliseconds. null: nothing says for how long, so that
   * it is tried again sooner at first, and then later and later. `isItsOwn`: the budget is told to have room, so that it was
   * this route's refusal alone. Infinity: longer than a run waits.
   */
  pause(key: ApiKey, ms: number | null, route?: string, isItsOwn?: boolean): void;
  /** An admitted call: neither the budget nor the route is stuck. */
  admitted(key: ApiKey, route?: string): void;
  /** The documented requests a minute of a key. */
  limitOf(key: ApiKey): number;
  /** Whether so many whole windows of waiting brought no admitted call that waiting longer is no use; one route's refusals stop no other. */
  isStuck(key: ApiKey, route?: string, most?: number): boolean;
}

interface Pauses {
  pausedUntil: number;
  /** Pauses in a row since the last admitted call, and how long they were, ms. */
  pauses: number;
  pausedMs: number;
  /** The last one is to take longer than a run waits: one window tells whether that is so. */
  isLong: boolean;
}

/** Calls that draw on one budget. */
interface Lane extends Pauses {
  /** When calls of the trailing window were sent, oldest first. */
  readonly sentAt: number[];
  /** When calls of it were admitted. */
  readonly admittedAt: number[];
  /** Routes that were refused since the last admitted call. */
  readonly refusedBy: Set<string>;
  /** Routes that were refused by themselves. */
  readonly routes: Map<string, Pauses>;
  /** Refused although the window had room: a limiter that smooths, or somebody else. From then on so many ms lie between two calls. */
  spacing: number;
}

/** How many whole windows of pauses in a row a budget may need before it counts as stuck; those without a valid key in all. */
const [mostWindows, mostWindowsOfBadKeys] = [3, 8];
/** Head start, as a share of a window, that paused keys get over bad keys, which may lock them out again. */
const headStart = 1 / 30;
/** The same of one route: it may be a cooldown that lasts for hours. */
const mostWindowsOfRoute = 1.5;

const noPauses: Pauses = { pausedUntil: 0, pauses: 0, pausedMs: 0, isLong: false };

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
    const lane = lanes.get(name) ?? {
      sentAt: [],
      admittedAt: [],
      refusedBy: new Set(),
      routes: new Map(),
      spacing: 0,
      ...noPauses,
    };
    lanes.set(name, lane);
    return lane;
  };

  /** When a lane has room for another call. */
  const roomAt = (lane: Lane, key: ApiKey, now: number, route: string): number => {
    const limit = perMinute(key);
    const windowRoom = lane.sentAt.length >= limit ? (lane.sentAt[0] ?? now) + windowMs : now;
    const evenRoom = (lane.sentAt.at(-1) ?? -Infinity) + lane.spacing;
    const pausedUntil = Math.max(lane.pausedUntil, lane.routes.get(route)?.pausedUntil ?? 0, windowRoom, evenRoom);
    const others =
      key.origin !== 'unknown' ? [] : [...lanes.values()].filter((one) => one !== lane && one.pausedUntil > 0);
    return Math.max(pausedUntil, ...others.map((one) => one.pausedUntil + headStart * windowMs));
  };

  const dropOld = (times: number[], now: number): void => {
    while ((times[0] ?? Infinity) <= now - windowMs) {
      times.shift();
    }
  };

  const admittedSince = (lanes: Iterable<Lane>, since: number): number =>
    [...lanes].reduce((sum, { admittedAt }) => sum + admittedAt.filter((at) => at > since).length, 0);
  const inWindow = (lanes: Iterable<Lane>): number => admittedSince(lanes, clock.now() - windowMs);

  /** At the pace of the limit; where a call that was let in is followed by a refusal again and again, at half of what it was. */
  const space = (lane: Lane, limit: number, { pauses, pausedUntil }: Pauses): void => {
    const isTooFast = pauses === 0 && admittedSince([lane], pausedUntil) < limit * firstPause;
    const slower = Math.min(windowMs * firstPause, 2 * lane.spacing);
    lane.spacing = Math.max(windowMs / limit, isTooFast ? slower : lane.spacing);
  };

  /** Begins a pause, unless one is under way: a burst of refusals is one event. */
  const begin = (key: ApiKey, lane: Lane, paused: Pauses, told: number | null): void => {
    const [now, limit] = [clock.now(), perMinute(key)];
    const given = told === Infinity ? windowMs : told;
    paused.isLong = told === Infinity;
    if (now < paused.pausedUntil) {
      paused.pausedUntil = Math.max(paused.pausedUntil, now + (given ?? 0));
      return;
    }
    const isShort = (given ?? 0) < windowMs * firstPause;
    const hasRoom = inWindow(sharedEnvironments.has(key.environment) ? lanes.values() : [lane]) < limit;
    // One route has a limit of its own; several have a limiter that smooths before them.
    if (isShort && hasRoom && (paused === lane || lane.routes.size > 1)) {
      space(lane, limit, paused);
    }
    const first = lane.spacing || windowMs * firstPause;
    const ms = given ?? Math.min(windowMs, first * 2 ** paused.pauses);
    Object.assign(paused, { pauses: paused.pauses + 1, pausedMs: paused.pausedMs + ms, pausedUntil: now + ms });
  };

  /** Another route is let in after one alone was refused for long: that one was refused by itself. */
  const keepApart = (lane: Lane, route: string): void => {
    const [refused, ...others] = lane.refusedBy;
    if (refused !== undefined && others.length === 0 && refused !== route && lane.pausedMs > windowMs) {
      const { pausedUntil, pauses, pausedMs, isLong } = lane;
      lane.routes.set(refused, { pausedUntil, pauses, pausedMs, isLong });
    }
  };

  /** Whether too few calls were made to use up a budget that keys share, and waiting may still help. */
  const isApart = (limit: number, { pauses }: Pauses): boolean => pauses < 3 && inWindow(lanes.values()) < limit;

  return {
    async waitForTurn(key, route = '') {
      for (;;) {
        const [lane, now] = [laneOf(key), clock.now()];
        dropOld(lane.sentAt, now);
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
    pause(key, given, route = '', isItsOwn = false) {
      const lane = laneOf(key);
      if (isItsOwn) {
        const ofRoute = lane.routes.get(route) ?? { ...noPauses };
        lane.routes.set(route, ofRoute);
        begin(key, lane, ofRoute, given);
        return;
      }
      begin(key, lane, lane, given);
      lane.refusedBy.add(route);
      if (key.origin !== 'unknown' && !isApart(perMinute(key), lane)) {
        sharedEnvironments.add(key.environment);
      }
      const shared = laneOf(key);
      if (shared !== lane) {
        shared.pausedUntil = Math.max(shared.pausedUntil, lane.pausedUntil);
        shared.pauses += lane.pauses;
        shared.pausedMs += lane.pausedMs;
        shared.isLong = lane.isLong;
        shared.refusedBy.add(route);
        shared.spacing = Math.max(shared.spacing, lane.spacing);
      }
    },
    admitted(key, route = '') {
      const [lane, now] = [laneOf(key), clock.now()];
      dropOld(lane.admittedAt, now);
      lane.admittedAt.push(now);
      keepApart(lane, route);
      lane.refusedBy.clear();
      Object.assign(lane, { pauses: 0, isLong: false, ...(key.origin === 'unknown' ? {} : { pausedMs: 0 }) });
      Object.assign(lane.routes.get(route) ?? {}, { pauses: 0, pausedMs: 0, isLong: false });
    },
    limitOf: perMinute,
    isStuck: (key, route = '', most = key.origin === 'unknown' ? mostWindowsOfBadKeys : mostWindows) => {
      const { pausedMs, isLong, routes, refusedBy } = laneOf(key);
      const ofRoute = routes.get(route)?.pausedMs ?? 0;
      const mayHelp = refusedBy.size === 1 && !refusedBy.has(route);
      return (pausedMs > (isLong ? 1 : most) * windowMs && !mayHelp) || ofRoute > mostWindowsOfRoute * windowMs;
    },
  };
}
