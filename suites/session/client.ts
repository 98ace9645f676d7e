import { minuteMs } from '../../contract/limits.ts';
import { Inconclusive } from '../../results/stop.ts';
import { type Answer, isSuccess } from './answer.ts';
import type { Call } from './call.ts';
import { isGatewayError } from './evidence/accidents.ts';
import { withinMemory } from './evidence/memory-budget.ts';
import { createPackedStore } from './evidence/packed-store.ts';
import type { ApiKey, KeyMode } from './key.ts';
import { type ExchangeParts, exchange } from './one-exchange.ts';
import type { CallBook } from './pace/call-book.ts';
import { hasCallsLeft, isDisguised429, pauseAskedFor } from './pace/limited.ts';
import { createLockouts } from './pace/lockouts.ts';
import { asUnanswered, createOutages } from './pace/outages.ts';
import type { Pacer } from './pace/pacer.ts';
import type { Policy } from './pace/policy.ts';
import type { Settling } from './pace/settling.ts';
import type { WriteGuard } from './pace/write-guard.ts';
import { createSemaphore } from './semaphore.ts';

/** The only way to the deployment: paced, bounded, recorded, and no more than the settings allow. */
export interface Client {
  /**
   * Sends a call when the budget of its key has room, waits out lockouts, outages and 429s that were not provoked, and
   * gives a new key or record time to settle; every attempt is evidence. A transport failure is an answer of status 0.
   * Throws Skipped where the settings forbid the call, and Inconclusive where its key stays limited or locked out, or
   * where it would change a record that is not known to be the run's.
   */
  send(call: Call): Promise<Answer>;
  /**
   * Sends exactly one request, now, whatever the pace: for calls that must meet the limit. It counts for the pace of
   * later calls with its key. Throws as `send` does.
   */
  sendNow(call: Call): Promise<Answer>;
  /** Resolves when no lockout holds the key of a call that is about to go through `sendNow`. Throws as `send` does. */
  waitUntilUnlocked(call: Call): Promise<void>;
  /** Throws Skipped where EXHAUST forbids using up the key's budget. */
  assertMayExhaust(key: ApiKey): void;
  /** Lets clean-up, which nothing follows, spend what MAX_REQUESTS keeps for it. */
  spendReserved(): void;
  /** Requests sent so far. */
  readonly sent: number;
  /** Notes a key that the run made, and that may never be sent. */
  noteKey(key: ApiKey): void;
  /** The key with that label, last sent or noted; undefined: there is none. */
  keyByLabel(label: string): ApiKey | undefined;
  /** The key that the run made and that has that id; undefined: it is not known. */
  ownKeyById(id: string): ApiKey | undefined;
}

/** The same client, whose every call is sent now (`sendNow`). */
export const unpaced = (client: Client): Client =>
  Object.assign(Object.create(client) as Client, { send: client.sendNow });

interface ClientParts<S> extends Omit<ExchangeParts<S>, 'store'> {
  readonly book: CallBook;
  readonly pacer: Pacer;
  readonly policy: Policy;
  readonly writeGuard: WriteGuard;
  /** How calls that name no mode send their key. */
  readonly usualMode: () => Promise<KeyMode>;
  readonly settling: Settling;
  readonly clockSpeed: number;
}

/** Most exchanges under way at a time. */
const concurrency = 12;
/** For how many windows a call is sent again that gets a limiter's 403 or 503 instead of 429. */
const mostDisguisedWindows = 1.25;
/** Stands for the calls without a key: a deployment may limit those too. */
const nobody: ApiKey = { secret: '', label: 'no key', environment: 'sandbox', origin: 'unknown' };

/**
 * A call passes through layers, each of which may send it again: `send` for lockouts, `sendSettled` for new keys and
 * records, `sendPastOutages`, `sendPastAccidents`, `sendPaced` for 429s. `exchangeOnce` sends one request.
 */
export function createClient<S>(parts: ClientParts<S>): Client {
  const { clock, pacer, policy, settling } = parts;
  const withPermit = createSemaphore(concurrency);
  const store = createPackedStore();
  const exchangeParts = { ...parts, transport: withinMemory(parts.transport, store), store };
  const windowMs = minuteMs / parts.clockSpeed;
  const keys = new Map<string, ApiKey>();
  const lockouts = createLockouts(clock, windowMs, parts.api.keyModes[0]);
  const outages = createOutages(clock);

  const withMode = async (call: Call): Promise<Call> =>
    call.key === null || call.mode !== undefined ? call : { ...call, mode: await parts.usualMode() };

  const exchangeOnce = (call: Call, isPaced: boolean): Promise<Answer> =>
    withPermit(async () => {
      parts.writeGuard.assert(call);
      policy.admit(call);
      if (call.key !== null && call.key.origin !== 'unknown') {
        keys.set(call.key.label, call.key);
      }
      const callsBefore = lockouts.callCount();
      const answer = await exchange(exchangeParts, call);
      lockouts.note(call, answer, callsBefore);
      outages.note(call, answer);
      settling.note(call, answer);
      if (call.method === 'GET' && [403, 404].includes(answer.status)) {
        parts.writeGuard.noteNotFound(call);
      }
      if (answer.accepted) {
        parts.writeGuard.noteFound(call);
      }
      parts.book.add(call, answer.status, isPaced);
      if (call.creates ? answer.status >= 400 : call.deletes && isSuccess(answer)) {
        policy.releaseReserved();
      }
      return answer;
    });

  /** Sends a call once, when its budget has room. */
  async function sendInTurn(call: Call): Promise<Answer> {
    await pacer.waitForTurn(call.key ?? nobody, routeOf(call));
    return exchangeOnce(call, true);
  }

  /** Sends a call when its budget has room, and again after each 429, as long as waiting may help. */
  async function sendPaced(call: Call): Promise<Answer> {
    const key = call.key ?? nobody;
    const route = routeOf(call);
    let disguisedSince = Infinity;
    for (;;) {
      if (call.takes429 !== true && pacer.isStuck(key, route, lockouts.mostWindows(call))) {
        throw stuck(call, key, `${parts.api.name}.limits.per-minute`);
      }
      await pacer.waitForTurn(key, route);
      await outages.waitUntilOver();
      const answer = await exchangeOnce(call, true);
      const isDisguised = key.origin !== 'unknown' && isDisguised429(answer, pacer.limitOf(key));
      disguisedSince = isDisguised ? Math.min(disguisedSince, clock.now()) : Infinity;
      const isWaitedFor = isDisguised && clock.now() < disguisedSince + mostDisguisedWindows * windowMs;
      const isLimited = answer.status === 429 || isWaitedFor;
      if (!isLimited || call.takes429 === true) {
        if (answer.status !== 0 && answer.status !== 429) {
          pacer.noteAdmitted(key, route);
        }
        return answer;
      }
      pacer.pause(key, pauseAskedFor(answer, windowMs), route, hasCallsLeft(answer, pacer.limitOf(key)));
    }
  }

  /**
   * A pooled connection may be closed just as a request goes out on it, and a 5xx may be an accident: a read is sent
   * once more, and both attempts are evidence. So is a call that must be refused, where a gateway says that the
   * deployment is away.
   */
  async function sendPastAccidents(call: Call): Promise<Answer> {
    const answer = await sendPaced(call);
    const isBroken = answer.status >= 500 || ['closed', 'reset'].includes(answer.exchange.failure?.kind ?? '');
    const isAccident = call.method === 'GET' ? isBroken : changesNothing(call) && isGatewayError(answer.status);
    if (!isAccident) {
      return answer;
    }
    // Sent even where the key is stuck at its limit, since any other answer shows that the first one was an accident.
    const again = await sendPaced({ ...call, takes429: true });
    return again.status === 429 && call.takes429 !== true ? sendPaced(call) : again;
  }

  /** Waits while the deployment restarts. A call that may have changed something then is not sent again. */
  async function sendPastOutages(call: Call): Promise<Answer> {
    for (let isAgain = false; ; isAgain = true) {
      const answer = await sendPastAccidents(call);
      const presence = await outages.waitOut(call, answer, sendInTurn);
      if (presence === 'here' || (presence === 'unknown' && isAgain)) {
        return answer;
      }
      if (call.method !== 'GET' && !changesNothing(call)) {
        return presence === 'away' ? asUnanswered(answer) : answer;
      }
    }
  }

  /** Sends a call again, with pauses that double, while its key or its record may be too new to be known. */
  async function sendSettled(call: Call): Promise<Answer> {
    for (let pause = 50; ; pause *= 2) {
      const answer = await sendPastOutages(call);
      const left = (settling.deadline(call, answer.status) ?? 0) - clock.now();
      if (left <= 0) {
        return answer;
      }
      await clock.sleep(Math.min(pause, left));
    }
  }

  async function send(withoutMode: Call): Promise<Answer> {
    const call = await withMode(withoutMode);
    // Before it waits for a turn, which a call that is not sent does not need.
    policy.assertMayWrite(call);
    for (;;) {
      lockouts.assertMaySend(call);
      const answer = await sendSettled(call);
      if (!(await lockouts.waitOut(call, answer, sendInTurn))) {
        return answer;
      }
    }
  }

  return {
    get sent() {
      return policy.sent;
    },
    send,
    async waitUntilUnlocked(call) {
      const control = lockouts.controlFor(call);
      if (control !== undefined) {
        await send(control);
      }
    },
    noteKey(key) {
      keys.set(key.label, key);
    },
    keyByLabel: (label) => keys.get(label),
    ownKeyById: (id) => [...keys.values()].findLast((key) => key.id === id),
    assertMayExhaust: (key) => policy.assertMayExhaust(key),
    spendReserved: policy.spendReserved,
    async sendNow(call) {
      policy.assertMayWrite(call);
      pacer.noteSent(call.key ?? nobody);
      return exchangeOnce(await withMode(call), false);
    },
  };
}

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
