import type { Clock } from '../../../common/clock.ts';
import { minuteMs } from '../../../contract/limits.ts';
import type { Answer, ApiKey } from '../call.ts';

/**
 * Paces calls so that no key exceeds its documented limit in any rolling minute: that is safe under every limiter that
 * honours it. A key that is refused with 429 all the same pauses, for as long as Retry-After asks, or else for times
 * that double, and sends one call after the other from then on: somebody else draws on its budget, or the limit is not
 * the documented one.
 */
export type Pacer = ReturnType<typeof createPacer>;

interface PacerParts {
  readonly clock: Clock;
  readonly clockSpeed: number;
  /** The documented requests a minute of a key. */
  readonly perMinute: (key: ApiKey) => number;
  /** Whether all keys share one budget by the document. Else each has its own. */
  readonly keysShareBudget: boolean;
  /** Called before a call with that key waits, with the milliseconds. */
  readonly onWait?: (key: ApiKey, ms: number) => void;
}

/** The calls that draw on one budget. */
interface Lane {
  /** Ends when the last call in line has had its turn. */
  queue: Promise<unknown>;
  /** When the calls of the trailing window were sent, oldest first. */
  sentAt: number[];
  /** Epoch milliseconds before which no call is sent. */
  pausedUntil: number;
  /** Pauses in a row since the last admitted call. */
  pauses: number;
  /** When the first of them began. */
  refusedSince: number;
  /** Whether a call was ever refused. */
  isRefused: boolean;
}

/** The first pause where the answer does not say how long, as a share of a window; each further one doubles. */
const firstPause = 1 / 64;
/** Most windows of pauses without an admitted call. */
export const mostWindows = 3;
/** Most calls a minute of a key that was refused. */
const mostAfterRefusal = 120;
/** How many routes, refused with no admitted call between, show that the deployment admits nobody. */
const manyRoutes = 3;

export function createPacer({ clock, clockSpeed, perMinute, keysShareBudget, onWait }: PacerParts) {
  // A little longer than the deployment's window, whose clock starts later than ours.
  const windowMs = (minuteMs / clockSpeed) * 1.02 + 20;
  const lanes = new Map<string, Lane>();
  /** The refusals since the last admitted call, of whatever key. */
  let refused = { since: Infinity, routes: new Set<string>() };

  function laneOf({ origin, environment, secret }: ApiKey): Lane {
    const name = origin === 'unknown' ? 'bad keys' : keysShareBudget ? environment : secret;
    const idle = {
      queue: Promise.resolve(),
      sentAt: [],
      pausedUntil: 0,
      pauses: 0,
      refusedSince: Infinity,
      isRefused: false,
    };
    const lane: Lane = lanes.get(name) ?? idle;
    lanes.set(name, lane);
    return lane;
  }

  /** When the next call may be sent. */
  function freeAt(lane: Lane, key: ApiKey): number {
    const limit = perMinute(key);
    const windowHasRoomAt = (lane.sentAt.at(-limit) ?? -Infinity) + windowMs;
    const apart = lane.isRefused ? windowMs / Math.min(limit, mostAfterRefusal) : 0;
    return Math.max(lane.pausedUntil, windowHasRoomAt, (lane.sentAt.at(-1) ?? -Infinity) + apart);
  }

  const isStuck = ({ refusedSince, pausedUntil }: Lane): boolean =>
    pausedUntil - refusedSince > mostWindows * windowMs && clock.now() < pausedUntil;

  async function turn(lane: Lane, key: ApiKey): Promise<boolean> {
    for (let now = clock.now(); !isStuck(lane); now = clock.now()) {
      const until = freeAt(lane, key);
      if (until <= now) {
        lane.sentAt = [...lane.sentAt.filter((time) => time > now - windowMs), now];
        return true;
      }
      const ms = Math.max(until - now, 1);
      onWait?.(key, ms);
      await clock.sleep(ms);
    }
    return false;
  }

  return {
    /** The longest that a call waits for the pauses of its refusals, ms; one route may have a limit of its own. */
    mostWaitMs: mostWindows * windowMs,
    /**
     * Resolves when a call with that key may be sent, and counts it. false: waiting is no use, since three windows of
     * pauses brought no admitted call; after each further pause one call is let through, to see whether that is still
     * so.
     */
    waitForTurn(key: ApiKey): Promise<boolean> {
      const lane = laneOf(key);
      // Who is before this call in line may be stopped while it waits.
      const own = lane.queue.catch(() => {}).then(() => turn(lane, key));
      lane.queue = own;
      return own;
    },
    /** Counts a call that is sent without waiting for its turn: later calls with the key leave it its place. */
    noteSent(key: ApiKey): void {
      laneOf(key).sentAt.push(clock.now());
    },
    /** Notes an answer other than 429: the budget is not used up. */
    noteAdmitted(key: ApiKey): void {
      refused = { since: Infinity, routes: new Set() };
      Object.assign(laneOf(key), { pauses: 0, refusedSince: Infinity });
    },
    /** Notes a 429 that was not provoked, on that route. Gives how long the key pauses for it, ms. */
    pause(key: ApiKey, route: string, answer: Pick<Answer, 'header'>): number {
      const lane = laneOf(key);
      const now = clock.now();
      refused.since = Math.min(refused.since, now);
      refused.routes.add(route);
      lane.isRefused = true;
      lane.refusedSince = Math.min(lane.refusedSince, now);
      let ms = retryAfter(answer);
      if (now >= lane.pausedUntil) {
        // The refusals of a burst are one event. Whoever is told again and again to try at once must not hammer.
        ms = Math.max(ms, windowMs * firstPause * 2 ** lane.pauses);
        lane.pauses += 1;
      }
      lane.pausedUntil = Math.max(lane.pausedUntil, now + Math.min(ms, windowMs));
      return lane.pausedUntil - now;
    },
    /** Whether calls of several routes were refused for nearly as long, and none was admitted, whatever the key. */
    isClosed: (): boolean =>
      refused.routes.size >= manyRoutes && clock.now() - refused.since > (mostWindows - 1) * windowMs,
  };
}

/** How long Retry-After asks to pause, ms, and a little more; 0 where it is absent, or a date by another's clock. */
function retryAfter({ header }: Pick<Answer, 'header'>): number {
  const text = header('Retry-After') ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) * 1000 * 1.02 + 20 : 0;
}
