import type { Api as ApiName } from '../../../contract/clause.ts';
import { isWrite } from '../../../contract/endpoint.ts';
import { keyPrefix } from '../../../contract/scopes.ts';
import { Skipped } from '../../../results/stop.ts';
import type { Settings } from '../../../settings/settings.ts';
import type { Call } from '../call.ts';
import type { ApiKey } from '../key.ts';

/** What a run may send: the settings WRITES, EXHAUST and MAX_REQUESTS, enforced for every call in this one place. */
export interface Policy {
  /** Throws Skipped, which names the setting, where WRITES forbids the call. */
  assertMayWrite(call: Admitted): void;
  /**
   * Counts a call against MAX_REQUESTS before it is sent; for a create it also reserves the request that will delete
   * the record. Throws Skipped, which names the setting, where WRITES or MAX_REQUESTS forbids the call.
   */
  admit(call: Admitted): void;
  /** Gives a reserved request back: a create made nothing, so it needs no delete. */
  releaseReserved(): void;
  /** Throws Skipped, which names the setting, where EXHAUST forbids using up the key's budget on purpose. */
  assertMayExhaust(key: ApiKey): void;
  /** Requests admitted so far. */
  readonly sent: number;
}

type Admitted = Pick<Call, 'method' | 'key' | 'creates' | 'deletes' | 'makesLive'>;
type Rules = Pick<Settings, 'WRITES' | 'EXHAUST' | 'MAX_REQUESTS'>;

export function createPolicy(api: ApiName, settings: Rules): Policy {
  const most = settings.MAX_REQUESTS ?? Infinity;
  let sent = 0;
  let reserved = 0;
  const releaseDelete = (): void => {
    reserved = Math.max(0, reserved - 1);
  };
  return {
    assertMayWrite: (call) => assertMayWrite(api, settings.WRITES, call),
    get sent() {
      return sent;
    },
    admit(call) {
      if (call.deletes) {
        releaseDelete();
      }
      assertMayWrite(api, settings.WRITES, call);
      const toReserve = call.creates ? 1 : 0;
      if (sent + reserved + 1 + toReserve > most) {
        const message = `MAX_REQUESTS is ${most}, and all of them are spent or kept for cleaning up`;
        throw new Skipped(message, { setting: 'MAX_REQUESTS' });
      }
      sent += 1;
      reserved += toReserve;
    },
    releaseReserved: releaseDelete,
    assertMayExhaust(key) {
      const value = key.origin === 'own' ? 'own' : 'all';
      if (settings.EXHAUST !== 'all' && settings.EXHAUST !== value) {
        const message = `EXHAUST is ${settings.EXHAUST}: using up the budget of ${key.label} needs EXHAUST=${value}`;
        throw new Skipped(message, { setting: 'EXHAUST', value });
      }
    },
  };
}

/** A made-up key opens nothing in a conformant deployment. In a broken one it could open live data if it looks live. */
function assertMayWrite(api: ApiName, writes: Settings['WRITES'], { method, key, makesLive }: Admitted): void {
  if (writes === 'all' || !isWrite(method)) {
    return;
  }
  const needsAll = { setting: 'WRITES', value: 'all' };
  if (api === 'workspace') {
    throw new Skipped(`WRITES is ${writes}: writing to the workspace needs WRITES=all`, needsAll);
  }
  if (writes === 'none') {
    const message = 'WRITES is none: calls that create, change or delete need WRITES=sandbox or all';
    throw new Skipped(message, { setting: 'WRITES', value: 'sandbox' });
  }
  if (key !== null && isLive(key)) {
    throw new Skipped(`WRITES is ${writes}: writing with ${key.label} needs WRITES=all`, needsAll);
  }
  if (makesLive) {
    throw new Skipped(`WRITES is ${writes}: making a live key needs WRITES=all`, needsAll);
  }
}

const isLive = ({ origin, secret, environment }: ApiKey): boolean =>
  origin === 'unknown' ? secret.startsWith(keyPrefix.live) : environment !== 'sandbox';
