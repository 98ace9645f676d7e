import type { Clock } from '../../common/clock.ts';
import { Inconclusive } from '../../results/stop.ts';
import { type Answer, isAdmitted } from './answer.ts';
import type { Call } from './call.ts';
import { isGatewayError } from './evidence/accidents.ts';
import type { ApiKey } from './key.ts';
import { hasCallsLeft, isDisguised429, pauseAskedFor } from './pace/limited.ts';
import type { Lockouts } from './pace/lockouts.ts';
import { asUnanswered, type Outages } from './pace/outages.ts';
import type { Pacer } from './pace/pacer.ts';
import type { Settling } from './pace/settling.ts';

// The layers that a call passes through. Each may send it again with the next one.

/** Sends a call and gives the answer. */
type Send = (call: Call) => Promise<Answer>;

/** For how many windows a call is sent again that gets a limiter's 403 or 503 instead of 429. */
const mostDisguisedWindows = 1.25;

/** Stands for the calls without a key: a deployment may limit those too. */
export const noKey: ApiKey = { secret: '', label: 'no key', environment: 'sandbox', origin: 'unknown' };

/** What the layers ask and tell. */
interface LayerParts extends PacedParts {
  readonly lockouts: Lockouts;
  readonly outages: Outages;
  readonly settling: Settling;
}

/**
 * Puts the layers in their order around `once`, which sends one request: lockouts are waited out first of all, then new
 * keys and records get time to settle, then outages, accidents and 429s are met.
 */
export function throughLayers(parts: LayerParts, once: Send): Send {
  const { clock, pacer, lockouts, outages, settling } = parts;
  const sendInTurn = inTurn(pacer, once);
  const sendPastOutages = pastOutages(outages, sendInTurn, pastAccidents(paced(parts, once)));
  return pastLockouts(lockouts, sendInTurn, settled(clock, settling, sendPastOutages));
}

/** What paces calls. */
interface PacedParts {
  readonly clock: Clock;
  readonly pacer: Pacer;
  readonly lockouts: Pick<Lockouts, 'mostWindows'>;
  readonly outages: Pick<Outages, 'waitUntilOver'>;
  readonly windowMs: number;
  /** The clause that a key breaks that stays limited. */
  readonly limitClause: string;
}

/** Sends a call once, when its budget has room. */
const inTurn =
  (pacer: Pacer, next: Send): Send =>
  async (call) => {
    await pacer.waitForTurn(call.key ?? noKey, routeOf(call));
    return next(call);
  };

/** Sends a call when its budget has room, and again after each 429, as long as waiting may help. */
const paced =
  ({ clock, pacer, lockouts, outages, windowMs, limitClause }: PacedParts, next: Send): Send =>
  async (call) => {
    const key = call.key ?? noKey;
    const route = routeOf(call);
    let disguisedSince = Infinity;
    for (;;) {
      const isStuck = call.takes429 !== true && pacer.isStuck(key, route, lockouts.mostWindows(call));
      if (isStuck || pacer.admitsNobody()) {
        throw stuck(call, key, limitClause);
      }
      await pacer.waitForTurn(key, route);
      await outages.waitUntilOver();
      const answer = await next(call);
      const isDisguised = key.origin !== 'unknown' && isDisguised429(answer, pacer.limitOf(key));
      disguisedSince = isDisguised ? Math.min(disguisedSince, clock.now()) : Infinity;
      const isWaitedFor = isDisguised && clock.now() < disguisedSince + mostDisguisedWindows * windowMs;
      const isLimited = answer.status === 429 || isWaitedFor;
      if (!isLimited || call.takes429 === true) {
        if (isAdmitted(answer)) {
          pacer.noteAdmitted(key, route);
        }
        return answer;
      }
      pacer.pause(key, pauseAskedFor(answer, windowMs), route, hasCallsLeft(answer, pacer.limitOf(key)));
    }
  };

/**
 * A pooled connection may be closed just as a request goes out on it, and a 5xx may be an accident: a read is sent once
 * more, and both attempts are evidence. So is a call that must be refused, where a gateway says that the deployment is
 * away.
 */
const pastAccidents =
  (next: Send): Send =>
  async (call) => {
    const answer = await next(call);
    const isBroken = answer.status >= 500 || ['closed', 'reset'].includes(answer.exchange.failure?.kind ?? '');
    const isAccident = call.method === 'GET' ? isBroken : changesNothing(call) && isGatewayError(answer.status);
    if (!isAccident) {
      return answer;
    }
    // Sent even where the key is stuck at its limit, since any other answer shows that the first one was an accident.
    const again = await next({ ...call, takes429: true });
    return again.status === 429 && call.takes429 !== true ? next(call) : again;
  };

/** Waits while the deployment restarts. A call that may have changed something then is not sent again. */
const pastOutages =
  (outages: Pick<Outages, 'waitOut'>, sendInTurn: Send, next: Send): Send =>
  async (call) => {
    for (let isAgain = false; ; isAgain = true) {
      const answer = await next(call);
      const presence = await outages.waitOut(call, answer, sendInTurn);
      if (presence === 'here' || (presence === 'unknown' && isAgain)) {
        return answer;
      }
      if (call.method !== 'GET' && !changesNothing(call)) {
        return presence === 'away' ? asUnanswered(answer) : answer;
      }
    }
  };

/** Sends a call again, with pauses that double, while its key or its record may be too new to be known. */
const settled =
  (clock: Clock, settling: Pick<Settling, 'deadline'>, next: Send): Send =>
  async (call) => {
    for (let pause = 50; ; pause *= 2) {
      const answer = await next(call);
      const left = (settling.deadline(call, answer.status) ?? 0) - clock.now();
      if (left <= 0) {
        return answer;
      }
      await clock.sleep(Math.min(pause, left));
    }
  };

/** Sends a call again after each lockout that refused it. */
const pastLockouts =
  (lockouts: Pick<Lockouts, 'assertMaySend' | 'waitOut'>, sendInTurn: Send, next: Send): Send =>
  async (call) => {
    for (;;) {
      lockouts.assertMaySend(call);
      const answer = await next(call);
      if (!(await lockouts.waitOut(call, answer, sendInTurn))) {
        return answer;
      }
    }
  };

const routeOf = ({ endpoint, method, path }: Call): string => endpoint?.id ?? `${method} ${path}`;

/** Whether a call must be refused, or sends a body as it is: such a body is no JSON. */
const changesNothing = ({ purpose, body }: Call): boolean =>
  purpose === 'refusal' || (purpose === 'off-document' && typeof body === 'string');

const stuck = (call: Call, key: ApiKey, blames: string): Inconclusive =>
  new Inconclusive({
    message: `${call.method} ${call.path} was skipped: ${key.label} still got 429 after minutes of waiting`,
    cause: 'Another client is using up the limit, or the limiter never resets',
    blames,
  });
