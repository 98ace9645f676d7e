import { newSlowStart, type SlowStart, startSlowly } from './slow-start.ts';

/** How long calls of a budget, or of one route, pause after refusals. */
export interface PauseState {
  /** Epoch milliseconds before which no call is sent. */
  pausedUntil: number;
  /** Pauses in a row since the last admitted call. */
  pauses: number;
  /** Their length in all, ms. */
  pausedMs: number;
  /** The last refusal asked for more than a run waits. One window is waited for, to find out whether that is true. */
  isTooLong: boolean;
}

/** The calls that draw on one budget. */
export interface Lane extends PauseState {
  /** When the calls of the trailing window were sent, oldest first. */
  readonly sentAt: number[];
  /** When those of them that were admitted got their answer, oldest first. */
  readonly admittedAt: number[];
  /** Routes that were refused since the last admitted call. */
  readonly refusedRoutes: Set<string>;
  /** Routes that were refused since then by answers that say that the budget has calls left. */
  readonly refusedWithCallsLeft: Set<string>;
  /** The pauses of routes that are refused although the budget has calls left. */
  readonly routePauses: Map<string, PauseState>;
  /** Least time between two calls, ms; above 0 once a call was refused although the window had room. */
  spacingMs: number;
  readonly start: SlowStart;
}

export const noPauses: PauseState = { pausedUntil: 0, pauses: 0, pausedMs: 0, isTooLong: false };

export const newLane = (): Lane => ({
  sentAt: [],
  admittedAt: [],
  refusedRoutes: new Set(),
  refusedWithCallsLeft: new Set(),
  routePauses: new Map(),
  spacingMs: 0,
  start: newSlowStart(),
  ...noPauses,
});

/** The limit of a lane, and the length of its window. */
export interface Pace {
  readonly limit: number;
  readonly windowMs: number;
}

/** When the next call of a route may be sent, as far as its own lane shows. */
export function laneFreeAt(
  lane: Lane,
  route: string,
  { limit, windowMs, now }: Pace & { readonly now: number },
): number {
  const windowHasRoomAt = lane.sentAt.length >= limit ? (lane.sentAt[0] ?? now) + windowMs : now;
  const spacedAt = (lane.sentAt.at(-1) ?? -Infinity) + lane.spacingMs;
  const routePausedUntil = lane.routePauses.get(route)?.pausedUntil ?? 0;
  return Math.max(lane.pausedUntil, routePausedUntil, windowHasRoomAt, spacedAt);
}

/** Drops the times up to `start`. `times`: oldest first. */
export function dropUntil(times: number[], start: number): void {
  while ((times[0] ?? Infinity) <= start) {
    times.shift();
  }
}

/** How many calls of the lanes were admitted after `start`. */
export const admittedAfter = (lanes: Iterable<Lane>, start: number): number =>
  [...lanes].reduce((sum, { admittedAt }) => sum + admittedAt.filter((time) => time > start).length, 0);

/** Puts the pause of a lane, and the refused route, on the lane of a budget that turns out to be the same. */
export function mergePause(from: Lane, into: Lane, route: string): void {
  into.pausedUntil = Math.max(into.pausedUntil, from.pausedUntil);
  into.pauses += from.pauses;
  into.pausedMs += from.pausedMs;
  into.isTooLong = from.isTooLong;
  into.refusedRoutes.add(route);
  into.spacingMs = Math.max(into.spacingMs, from.spacingMs);
  startSlowly(into.start);
  startSlowly(from.start);
}

/**
 * A call of `admittedRoute` is admitted after nothing but one other route was refused for more than `windowMs`: those
 * refusals were that route's own, and so are the pauses.
 */
export function separateRefusedRoute(lane: Lane, admittedRoute: string, windowMs: number): void {
  const [refused, ...others] = lane.refusedRoutes;
  if (refused !== undefined && others.length === 0 && refused !== admittedRoute && lane.pausedMs > windowMs) {
    const { pausedUntil, pauses, pausedMs, isTooLong } = lane;
    lane.routePauses.set(refused, { pausedUntil, pauses, pausedMs, isTooLong });
  }
}

/** Drops the pauses of the routes that were refused in spite of calls left: they were those of the budget. */
export function dropRoutePauses({ routePauses, refusedWithCallsLeft }: Lane): void {
  for (const route of refusedWithCallsLeft) {
    routePauses.delete(route);
  }
}
