import { isWrite } from '../../../contract/endpoint.ts';
import { Skipped } from '../../../results/outcome.ts';
import type { Settings } from '../../../settings/settings.ts';
import type { Api } from '../api.ts';
import type { ApiKey, Call } from '../call.ts';

/** What a run may send: the settings WRITES, EXHAUST and MAX_REQUESTS, enforced for every call in this one place. */
export type Policy = ReturnType<typeof createPolicy>;

type Admitted = Pick<Call, 'method' | 'key' | 'makesLive'>;
type Rules = Pick<Settings, 'WRITES' | 'EXHAUST' | 'MAX_REQUESTS'>;
type ApiRules = Pick<Api<never>, 'name' | 'hasSandbox' | 'opensLive'>;

/** How many requests are reserved for each record: for the read that proves whose it is, and its deletion. */
const reservedForEach = 2;
/** How many are reserved besides: for ids that have to be looked for, a lockout, or a list of several pages. */
const reservedForAll = 5;

/** `openRecords`: how many records the run has made, or is about to make, and has not deleted yet. */
export function createPolicy(api: ApiRules, settings: Rules, openRecords = (): number => 0) {
  const most = settings.MAX_REQUESTS ?? Infinity;
  let sent = 0;
  let isCleaningUp = false;
  const reserved = (): number => {
    const count = isCleaningUp || most === Infinity ? 0 : openRecords();
    return count === 0 ? 0 : reservedForAll + reservedForEach * count;
  };
  return {
    /** Throws Skipped, which names the setting, where WRITES forbids the call. */
    assertMayWrite: (call: Admitted): void => assertMayWrite(api, settings.WRITES, call),
    /**
     * Counts a call against MAX_REQUESTS, of which the requests that will delete the run's records are reserved, before
     * it is sent. Throws Skipped, which names the setting, where WRITES or MAX_REQUESTS forbids the call.
     */
    admit(call: Admitted): void {
      assertMayWrite(api, settings.WRITES, call);
      if (sent + 1 + reserved() > most) {
        const message = `MAX_REQUESTS=${most} is used up (the rest is reserved for clean-up)`;
        throw new Skipped(message, { setting: 'MAX_REQUESTS', value: 'more' });
      }
      sent += 1;
    },
    /** Lets clean-up, which nothing follows, spend all that is reserved. */
    spendReserved(): void {
      isCleaningUp = true;
    },
    /** Throws Skipped, which names the setting, where EXHAUST forbids using up the key's budget on purpose. */
    assertMayExhaust(key: Pick<ApiKey, 'label' | 'origin'>): void {
      const value = key.origin === 'own' ? 'own' : 'all';
      if (settings.EXHAUST !== 'all' && settings.EXHAUST !== value) {
        const message = `Using up the limit of ${key.label} needs EXHAUST=${value} (now: ${settings.EXHAUST})`;
        throw new Skipped(message, { setting: 'EXHAUST', value });
      }
    },
  };
}

function assertMayWrite(api: ApiRules, writes: Settings['WRITES'], { method, key, makesLive }: Admitted): void {
  if (writes === 'all' || !isWrite(method)) {
    return;
  }
  const needs = (value: Settings['WRITES'], what: string): Skipped =>
    new Skipped(`${what} (now: ${writes})`, { setting: 'WRITES', value });
  if (!api.hasSandbox) {
    throw needs('all', `Writing to the ${api.name} needs WRITES=all`);
  }
  if (writes === 'none') {
    throw needs('sandbox', 'Calls that create, change or delete need WRITES=sandbox or all');
  }
  if (makesLive || (key !== null && api.opensLive(key))) {
    const what = key !== null && api.opensLive(key) ? `Writing with ${key.label}` : 'Creating a live key';
    throw needs('all', `${what} needs WRITES=all`);
  }
}
