import { minuteMs } from '../../contract/limits.ts';
import { type Answer, isSuccess } from './answer.ts';
import type { Call } from './call.ts';
import type { ApiKey, KeyMode } from './key.ts';
import { noKey, throughLayers } from './layers.ts';
import { type ExchangeParts, exchange } from './one-exchange.ts';
import type { CallBook } from './pace/call-book.ts';
import { createLockouts, type Lockouts } from './pace/lockouts.ts';
import { createOutages, type Outages } from './pace/outages.ts';
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

interface ClientParts<S> extends Omit<ExchangeParts<S>, 'received'> {
  readonly book: CallBook;
  readonly pacer: Pacer;
  readonly policy: Policy;
  readonly writeGuard: WriteGuard;
  /** How calls that name no mode send their key. */
  readonly usualMode: () => Promise<KeyMode>;
  readonly settling: Settling;
  readonly clockSpeed: number;
}

/** What looks at each call and its answer. */
interface Watching {
  readonly keys: KeyBook;
  readonly lockouts: Lockouts;
  readonly outages: Outages;
}

/** Most exchanges under way at a time. */
const concurrency = 12;

/** Opens a client for one API. */
export function createClient<S>(parts: ClientParts<S>): Client {
  const { api, clock, pacer, policy, settling } = parts;
  const windowMs = minuteMs / parts.clockSpeed;
  const keys = createKeyBook();
  const lockouts = createLockouts(clock, windowMs, api.keyModes[0]);
  const outages = createOutages(clock);
  const exchangeOnce = createExchangeOnce(parts, { keys, lockouts, outages });
  const limitClause = `${api.name}.limits.per-minute`;
  const layers = { clock, pacer, lockouts, outages, settling, windowMs, limitClause };
  const sendAgain = throughLayers(layers, (call) => exchangeOnce(call, true));

  const withMode = async (call: Call): Promise<Call> =>
    call.key === null || call.mode !== undefined ? call : { ...call, mode: await parts.usualMode() };

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
    noteKey: keys.note,
    keyByLabel: keys.byLabel,
    ownKeyById: keys.ownById,
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

/**
 * Makes the function that sends one request, if the last gate lets it pass, and tells all who watch of its answer.
 * `isPaced`: the call waited for its turn.
 */
function createExchangeOnce<S>(
  parts: ClientParts<S>,
  { keys, lockouts, outages }: Watching,
): (call: Call, isPaced: boolean) => Promise<Answer> {
  const { policy, writeGuard, settling, book } = parts;
  const withPermit = createSemaphore(concurrency);
  const exchangeParts = { ...parts, received: { bytes: 0 } };
  return (call, isPaced) =>
    withPermit(async () => {
      writeGuard.assert(call);
      policy.admit(call);
      if (call.key !== null && call.key.origin !== 'unknown') {
        keys.note(call.key);
      }
      const callsBefore = lockouts.callCount();
      const answer = await exchange(exchangeParts, call);
      lockouts.note(call, answer, callsBefore);
      outages.note(call, answer);
      settling.note(call, answer);
      if (call.method === 'GET' && [403, 404].includes(answer.status)) {
        writeGuard.noteNotFound(call);
      }
      if (answer.accepted) {
        writeGuard.noteFound(call);
      }
      book.add(call, answer.status, isPaced);
      if (call.creates ? answer.status >= 400 : call.deletes && isSuccess(answer)) {
        policy.releaseReserved();
      }
      return answer;
    });
}

/** The keys that a run has sent, or may not send, by label. */
interface KeyBook {
  note(key: ApiKey): void;
  /** The key with that label; undefined: there is none. */
  byLabel(label: string): ApiKey | undefined;
  /** The key that the run made and that has that id; undefined: it is not known. */
  ownById(id: string): ApiKey | undefined;
}

function createKeyBook(): KeyBook {
  const keys = new Map<string, ApiKey>();
  return {
    note(key) {
      keys.set(key.label, key);
    },
    byLabel: (label) => keys.get(label),
    ownById: (id) => [...keys.values()].findLast((key) => key.id === id),
  };
}
