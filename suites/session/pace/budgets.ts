import type { Clock } from '../../../common/clock.ts';
import { minuteMs } from '../../../contract/limits.ts';
import type { ApiKey } from '../key.ts';
import {
  admittedAfter,
  dropRoutePauses,
  dropUntil,
  type Lane,
  laneFreeAt,
  mergePause,
  newLane,
  noPauses,
  type PauseState,
  separateRefusedRoute,
} from './lane.ts';
import { firstPause, pauseLength, slowDown } from './pauses.ts';
import { addCredit, startSlowly } from './slow-start.ts';

/** What a pacer knows of the budgets of all keys. */
interface Budgets {
  readonly clock: Clock;
  /** The documented requests a minute of a key. */
  readonly perMinute: (key: ApiKey) => number;
  /** How long a window of the deployment takes, ms, and a little more. */
  readonly windowMs: number;
  readonly lanes: Map<string, Lane>;
  /** Whether all keys share one by the document. */
  readonly keysShareBudget: boolean;
  /** Environments whose keys turned out to share one. */
  readonly sharedEnvironments: Set<string>;
  /** The refusals since the last admitted call, of whatever key. */
  refused: Refused;
}

/** What a pacer is told of the budgets. */
export type BudgetParts = Pick<Budgets, 'clock' | 'perMinute' | 'keysShareBudget'> & { readonly clockSpeed: number };

interface Refused {
  readonly count: number;
  readonly since: number;
  readonly routes: ReadonlySet<string>;
}

const noneRefused: Refused = { count: 0, since: Infinity, routes: new Set() };

/** A call that draws on a budget. */
interface BudgetCall {
  readonly key: ApiKey;
  readonly route: string;
}

/** The same, and the moment at which it is asked about: a clock that is read twice has moved on. */
type BudgetCallNow = BudgetCall & { readonly now: number };

/** After how many windows of pauses, without an admitted call between, a key's budget counts as stuck. */
export const mostWindowsOfKey = 3;
/** The same of calls without a valid key, counted over the whole run. */
export const mostWindowsOfBadKeys = 8;
/** The same of one route: it may have a cooldown that lasts for hours. */
const mostWindowsOfRoute = 1.5;

/** Head start, as a share of a window, that paused keys get over bad keys, which may lock them out again. */
const headStart = 1 / 30;

/** How many pauses in a row show that other keys draw on a budget. */
const pausesOfSharedBudget = 3;

/** This many refusals in a row, whatever the key, show that the deployment admits nobody any more. */
const manyRefused = 20;

/** The lane of the calls without a valid key. */
const unknownKeys = 'unknown';

/** How many routes, refused with no admitted call between, show that a budget is used up, whatever the answers say. */
const routesOfBudget = 3;

/** The budgets before any call. A window is a little longer than the deployment's: its clock starts later than ours. */
export const newBudgets = ({ clock, clockSpeed, perMinute, keysShareBudget }: BudgetParts): Budgets => ({
  clock,
  perMinute,
  keysShareBudget,
  windowMs: (minuteMs / clockSpeed) * 1.02 + 20,
  lanes: new Map(),
  sharedEnvironments: new Set(),
  refused: noneRefused,
});

/** The lane of a key. Keys of one environment have their own until a 429 shows that they share a budget. */
export function laneOf(
  { lanes, keysShareBudget, sharedEnvironments }: Budgets,
  { origin, environment, secret }: ApiKey,
): Lane {
  const isShared = keysShareBudget || sharedEnvironments.has(environment);
  const name = origin === 'unknown' ? unknownKeys : isShared ? environment : secret;
  const lane = lanes.get(name) ?? newLane();
  lanes.set(name, lane);
  return lane;
}

/** When the next call may be sent: `now` or later, epoch milliseconds. Bad keys leave paused keys a head start. */
export function freeAt(
  { lanes, perMinute, windowMs }: Budgets,
  lane: Lane,
  { key, route, now }: BudgetCallNow,
): number {
  const own = laneFreeAt(lane, route, { limit: perMinute(key), windowMs, now });
  const paused = [...lanes.values()].filter((one) => one !== lane && one.pausedUntil > 0);
  const afterOthers = paused.map(({ pausedUntil }) => pausedUntil + headStart * windowMs);
  return key.origin === 'unknown' ? Math.max(own, ...afterOthers) : own;
}

/** Notes a refusal, as `Pacer.pause` says. */
export function noteRefused(budgets: Budgets, call: BudgetCall, askedMs: number | null, isRouteAlone: boolean): void {
  const { clock, refused, sharedEnvironments } = budgets;
  const { key, route } = call;
  budgets.refused = {
    count: refused.count + 1,
    since: Math.min(refused.since, clock.now()),
    routes: new Set([...refused.routes, route]),
  };
  const lane = laneOf(budgets, key);
  if (isRouteAlone) {
    lane.refusedWithCallsLeft.add(route);
  }
  if (isRouteAlone && lane.refusedWithCallsLeft.size < routesOfBudget) {
    const routePause = lane.routePauses.get(route) ?? { ...noPauses };
    lane.routePauses.set(route, routePause);
    beginPause(budgets, { key, lane, paused: routePause }, askedMs);
    return;
  }
  if (isRouteAlone) {
    dropRoutePauses(lane);
  }
  beginPause(budgets, { key, lane, paused: lane }, askedMs);
  lane.refusedRoutes.add(route);
  if (key.origin !== 'unknown' && isShared(budgets, key, lane)) {
    sharedEnvironments.add(key.environment);
  }
  const shared = laneOf(budgets, key);
  if (shared !== lane) {
    mergePause(lane, shared, route);
  }
}

/** What pauses: the lane of a key, or one of its routes. */
interface Pausing {
  readonly key: ApiKey;
  readonly lane: Lane;
  readonly paused: PauseState;
}

/** Begins a pause, unless one is under way: a burst is one event. */
function beginPause(budgets: Budgets, pausing: Pausing, askedMs: number | null): void {
  const { clock, perMinute, windowMs } = budgets;
  const { key, lane, paused } = pausing;
  const now = clock.now();
  const given = askedMs === Infinity ? windowMs : askedMs;
  paused.isTooLong = askedMs === Infinity;
  if (now < paused.pausedUntil) {
    paused.pausedUntil = Math.max(paused.pausedUntil, now + (given ?? 0));
    return;
  }
  if (isSmoothing(budgets, pausing, given ?? 0)) {
    slowDown(lane, paused, { limit: perMinute(key), windowMs });
  }
  const ms = pauseLength(lane, paused, given, windowMs);
  if (paused === lane) {
    startSlowly(lane.start);
  }
  Object.assign(paused, { pauses: paused.pauses + 1, pausedMs: paused.pausedMs + ms, pausedUntil: now + ms });
}

/** Whether a refusal asks for a short pause at most although the window has room, and not for one route alone. */
function isSmoothing(budgets: Budgets, { key, lane, paused }: Pausing, askedMs: number): boolean {
  const { lanes, sharedEnvironments, perMinute, windowMs } = budgets;
  const drawing = sharedEnvironments.has(key.environment) ? lanes.values() : [lane];
  const hasRoom = admittedInWindow(budgets, drawing) < perMinute(key);
  return askedMs < windowMs * firstPause && hasRoom && (paused === lane || lane.routePauses.size > 1);
}

/** Whether keys may share a budget: together they used up a limit, or several pauses of this key did not help. */
const isShared = (budgets: Budgets, key: ApiKey, { pauses }: PauseState): boolean =>
  pauses >= pausesOfSharedBudget || admittedInWindow(budgets, budgets.lanes.values()) >= budgets.perMinute(key);

const admittedInWindow = ({ clock, windowMs }: Budgets, lanes: Iterable<Lane>): number =>
  admittedAfter(lanes, clock.now() - windowMs);

/** Notes an admitted call: neither the budget nor the route is stuck. */
export function noteAdmitted(budgets: Budgets, { key, route }: BudgetCall): void {
  const { clock, windowMs } = budgets;
  budgets.refused = noneRefused;
  const lane = laneOf(budgets, key);
  const now = clock.now();
  dropUntil(lane.admittedAt, now - windowMs);
  lane.admittedAt.push(now);
  addCredit(lane.start);
  separateRefusedRoute(lane, route, windowMs);
  lane.refusedRoutes.clear();
  lane.refusedWithCallsLeft.clear();
  Object.assign(lane, { pauses: 0, isTooLong: false, ...(key.origin === 'unknown' ? {} : { pausedMs: 0 }) });
  Object.assign(lane.routePauses.get(route) ?? {}, { pauses: 0, pausedMs: 0, isTooLong: false });
}

/** Whether waiting longer is no use to a key on a route. */
export function isStuck(budgets: Budgets, { key, route }: BudgetCall, mostWindows: number): boolean {
  const lane = laneOf(budgets, key);
  const { routePauses, refusedRoutes } = lane;
  const isOtherRouteAlone = refusedRoutes.size === 1 && !refusedRoutes.has(route);
  const isBudgetStuck = isLaneStuck(budgets, lane, mostWindows) && !isOtherRouteAlone;
  return isBudgetStuck || (routePauses.get(route)?.pausedMs ?? 0) > mostWindowsOfRoute * budgets.windowMs;
}

const isLaneStuck = ({ windowMs }: Budgets, { pausedMs, isTooLong }: Lane, mostWindows: number): boolean =>
  pausedMs > (isTooLong ? 1 : mostWindows) * windowMs;

/** Whether many calls of several routes were refused in three windows, and none admitted, whatever the key. */
export const admitsNobody = (budgets: Budgets): boolean =>
  budgets.refused.count >= manyRefused && hasAdmittedNobodyFor(budgets, mostWindowsOfKey);

/**
 * Whether calls of several routes were refused and none was admitted while there were many, or while one key became
 * stuck: the last of the pauses that make it stuck need not be over.
 */
export function isClosed(budgets: Budgets): boolean {
  const isOneStuck = [...budgets.lanes].some(
    ([name, lane]) => name !== unknownKeys && isLaneStuck(budgets, lane, mostWindowsOfKey),
  );
  const isRefused = budgets.refused.count >= manyRefused || isOneStuck;
  return isRefused && hasAdmittedNobodyFor(budgets, mostWindowsOfKey - 1);
}

const hasAdmittedNobodyFor = ({ clock, refused, windowMs }: Budgets, windows: number): boolean =>
  refused.routes.size >= routesOfBudget && clock.now() - refused.since > windows * windowMs;
