import { minuteMs } from '../../contract/limits.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Answer } from './answer.ts';
import type { Call } from './call.ts';
import { isAway } from './evidence/accidents.ts';
import { createPackedStore } from './evidence/packed-store.ts';
import type { ApiKey, KeyMode } from './key.ts';
import { exchange, type Sending } from './one-exchange.ts';
import type { CallBook } from './pace/call-book.ts';
import { hasRoom, mayBeLimited, pauseAfter } from './pace/limited.ts';
import { createLockouts } from './pace/lockouts.ts';
import { createOutages, unanswered } from './pace/outages.ts';
import type { Pacer } from './pace/pacer.ts';
import type { Policy } from './pace/policy.ts';
import type { WriteGuard } from './pace/write-guard.ts';
import { createSemaphore } from './semaphore.ts';
import { withinMemory } from './transport/memory-budget.ts';

/** The only way to the deployment: paced, bounded, recorded, and no more than the settings allow. */
export interface Client {
  /**
   * Sends a call when its budget allows, waits out lockouts and 429s that were not provoked, and gives a new key time to settle;
   * every attempt is evidence. A transport failure is an answer of status 0.
   * Throws Skipped where the settings forbid it, Inconclusive where the key stays limited, or where the call would change a
   * record that is not known to be the run's.
   */
  send(call: Call): Promise<Answer>;
  /** Sends exactly one request, now, whatever the pace: for calls that are to meet the limit. Throws as `send` does. */
  sendNow(call: Call): Promise<Answer>;
  /** Resolves when no lockout holds the key of a call that is to be sent with `sendNow`. Throws as `send` does. */
  unlocked(call: Call): Promise<void>;
  /** Throws Skipped where EXHAUST forbids using up the key's budget. */
  assertMayExhaust(key: ApiKey): void;
  /** Requests sent so far. */
  readonly sent: number;
  /** The key that calls of that label were sent with; undefined: none was. */
  keyOf(label: string): ApiKey | undefined;
  /** The key of the run's own that has that id; undefined: no call was sent with it. */
  ownKeyOf(id: string): ApiKey | undefined;
}

interface ClientParts<S> extends Omit<Sending<S>, 'store'> {
  readonly book: CallBook;
  readonly pacer: Pacer;
  readonly policy: Policy;
  readonly writeGuard: WriteGuard;
  /** How a key is sent by calls that do not say it. */
  readonly usualMode: () => Promise<KeyMode>;
  readonly settleMs: number;
  readonly clockSpeed: number;
}

/** Most exchanges at a time. */
const concurrency = 12;
/** How often a call is sent that may be refused for want of budget, and not with 429: pauses that double come to a window. */
const mostDoubted = 6;
/** Stands for the calls without a key: a deployment may limit those too. */
const nobody: ApiKey = { secret: '', label: 'no key', environment: 'sandbox', origin: 'unknown' };

export function createClient<S>(parts: ClientParts<S>): Client {
  const { clock, pacer, policy } = parts;
  const withPermit = createSemaphore(concurrency);
  const store = createPackedStore();
  const sending = { ...parts, transport: withinMemory(parts.transport, store), store };
  const windowMs = minuteMs / parts.clockSpeed;
  const keys = new Map<string, ApiKey>();
  const lockouts = createLockouts(clock, windowMs, parts.api.keyModes[0]);
  const outages = createOutages(clock);

  const withMode = async (call: Call): Promise<Call> =>
    call.key === null || call.mode !== undefined ? call : { ...call, mode: await parts.usualMode() };

  const exchangeOnce = (call: Call): Promise<Answer> =>
    withPermit(async () => {
      parts.writeGuard.assert(call);
      policy.admit(call);
      if (call.key !== null && call.key.origin !== 'unknown') {
        keys.set(call.key.label, call.key);
      }
      const sentAt = lockouts.moment();
      const answer = await exchange(sending, call);
      lockouts.note(call, answer, sentAt);
      outages.note(call, answer);
      if (call.method === 'GET' && [403, 404].includes(answer.status)) {
        parts.writeGuard.noteNotFound(call);
      }
      parts.book.add(call, answer.status);
      if (call.creates && answer.status >= 400) {
        policy.releaseDelete();
      }
      return answer;
    });

  async function sendPaced(call: Call): Promise<Answer> {
    const key = call.key ?? nobody;
    const route = call.endpoint?.id ?? `${call.method} ${call.path}`;
    for (let tries = 1; ; tries += 1) {
      if (call.takes429 !== true && pacer.isStuck(key, route, lockouts.patience(call))) {
        throw stuck(call, key, `${parts.api.name}.limits.per-minute`);
      }
      await pacer.waitForTurn(key, route);
      await outages.over();
      const answer = await exchangeOnce(call);
      const isLimited =
        answer.status === 429 ||
        (tries < mostDoubted && key.origin !== 'unknown' && mayBeLimited(answer, pacer.limitOf(key)));
      if (!isLimited || call.takes429 === true) {
        if (answer.status !== 0 && answer.status !== 429) {
          pacer.admitted(key, route);
        }
        return answer;
      }
      pacer.pause(key, pauseAfter(answer, windowMs), route, hasRoom(answer, pacer.limitOf(key)));
    }
  }

  /**
   * A pooled connection may be closed just as a request goes out on it, and a 5xx may be an accident: a read is sent once
   * more, both attempts on record. So is what is to be refused, where a server before the deployment says that it is away.
   */
  async function sendTwice(call: Call): Promise<Answer> {
    const answer = await sendPaced(call);
    const isBroken = answer.status >= 500 || ['closed', 'reset'].includes(answer.exchange.failure?.kind ?? '');
    const isAccident = call.method === 'GET' ? isBroken : changesNothing(call) && isAway(answer.status);
    return isAccident ? sendPaced(call) : answer;
  }

  /** A restart of the deployment is waited for. What may have changed something meanwhile is not made again. */
  async function sendThrough(call: Call): Promise<Answer> {
    for (;;) {
      const answer = await sendTwice(call);
      if (!(await outages.met(call, answer, exchangeOnce))) {
        return answer;
      }
      if (call.method !== 'GET' && !changesNothing(call)) {
        return unanswered(answer);
      }
    }
  }

  /** A new key is given time to be known. */
  async function sendSettled(call: Call): Promise<Answer> {
    const isUnsettled = call.unsettled ?? ((status: number) => status === 401 && call.key?.origin === 'own');
    const until = (call.key?.since ?? 0) + parts.settleMs;
    let answer = await sendThrough(call);
    for (let pause = 50; isUnsettled(answer.status) && clock.now() < until; pause *= 2) {
      await clock.sleep(Math.min(pause, until - clock.now()));
      answer = await sendThrough(call);
    }
    return answer;
  }

  async function send(unmoded: Call): Promise<Answer> {
    const call = await withMode(unmoded);
    for (;;) {
      lockouts.assertOpen(call);
      const answer = await sendSettled(call);
      if (!(await lockouts.refused(call, answer, exchangeOnce))) {
        return answer;
      }
    }
  }

  return {
    get sent() {
      return policy.sent;
    },
    send,
    async unlocked(call) {
      const control = lockouts.doubted(call);
      if (control !== undefined) {
        await send(control);
      }
    },
    keyOf: (label) => keys.get(label),
    ownKeyOf: (id) => [...keys.values()].findLast((key) => key.id === id),
    assertMayExhaust: (key) => policy.assertMayExhaust(key),
    sendNow: async (call) => exchangeOnce(await withMode(call)),
  };
}

/** What is to be refused; a body that is sent as it is, is no JSON. */
const changesNothing = ({ purpose, body }: Call): boolean =>
  purpose === 'refusal' || (purpose === 'off-document' && typeof body === 'string');

const stuck = (call: Call, key: ApiKey, blames: string): Inconclusive =>
  new Inconclusive({
    message: `${call.method} ${call.path} is not tried: ${key.label} keeps getting 429 after whole minutes of waiting`,
    cause: 'Somebody else uses up the budget, or the limiter never lets go (see the limits clauses)',
    blames,
  });
