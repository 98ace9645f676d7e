import { minuteMs } from '../../contract/limits.ts';
import { type Answer, isSuccess } from './answer.ts';
import type { Call } from './call.ts';
import { withinMemory } from './evidence/memory-budget.ts';
import { createPackedStore } from './evidence/packed-store.ts';
import type { ApiKey, KeyMode } from './key.ts';
import { inTurn, noKey, paced, pastAccidents, pastLockouts, pastOutages, type Send, settled } from './layers.ts';
import { type ExchangeParts, exchange } from './one-exchange.ts';
import type { CallBook } from './pace/call-book.ts';
import { createLockouts } from './pace/lockouts.ts';
import { createOutages } from './pace/outages.ts';
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
  /** Whether the deployment answered every call with 429 for minutes, whatever the key. */
  isClosed(): boolean;
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

/**
 * A call passes through layers, each of which may send it again: for lockouts, for new keys and records, for outages,
 * for accidents, for 429s. `exchangeOnce` sends one request.
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

  const once: Send = (call) => exchangeOnce(call, true);
  const sendInTurn = inTurn(pacer, once);
  const limitClause = `${parts.api.name}.limits.per-minute`;
  const sendPaced = paced({ clock, pacer, lockouts, outages, windowMs, limitClause }, once);
  const sendPastOutages = pastOutages(outages, sendInTurn, pastAccidents(sendPaced));
  const sendAgain = pastLockouts(lockouts, sendInTurn, settled(clock, settling, sendPastOutages));

  async function send(withoutMode: Call): Promise<Answer> {
    const call = await withMode(withoutMode);
    // Before it waits for a turn, which a call that is not sent does not need.
    policy.assertMayWrite(call);
    return sendAgain(call);
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
    isClosed: () => pacer.isClosed(),
    async sendNow(call) {
      policy.assertMayWrite(call);
      pacer.noteSent(call.key ?? noKey);
      return exchangeOnce(await withMode(call), false);
    },
  };
}
