import type { Api as ApiName } from '../../../contract/clause.ts';
import { isWrite } from '../../../contract/endpoint.ts';
import { keyPrefix } from '../../../contract/scopes.ts';
import { Skipped } from '../../../results/stop.ts';
import type { Settings } from '../../../settings/settings.ts';
import type { Call } from '../call.ts';
import type { ApiKey } from '../key.ts';

/**
 * What a run may send: the settings WRITES, EXHAUST and MAX_REQUESTS, enforced for every call in one place.
 * All methods throw Skipped, which names the setting.
 */
export interface Policy {
  /** Before each call: counts it against MAX_REQUESTS, and of a create keeps one request for the delete that it will need. */
  admit(call: Admitted): void;
  /** After a create that made nothing: it needs no delete. */
  releaseDelete(): void;
  /** Before a key's budget is used up on purpose. */
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
    get sent() {
      return sent;
    },
    admit(call) {
      if (call.deletes) {
        releaseDelete();
      }
      assertMayWrite(api, settings.WRITES, call);
      const kept = call.creates ? 1 : 0;
      if (sent + reserved + 1 + kept > most) {
        const message = `MAX_REQUESTS is ${most}, and all of them are spent or kept for cleaning up`;
        throw new Skipped(message, { setting: 'MAX_REQUESTS' });
      }
      sent += 1;
      reserved += kept;
    },
    releaseDelete,
    assertMayExhaust(key) {
      const value = key.origin === 'own' ? 'own' : 'all';
      if (settings.EXHAUST !== 'all' && settings.EXHAUST !== value) {
        const message = `EXHAUST is ${settings.EXHAUST}: using up the budget of ${key.label} needs EXHAUST=${value}`;
        throw new Skipped(message, { setting: 'EXHAUST', value });
      }
    },
  };
}

/** A made-up key opens nothing in a conformant deployment; only one that looks live could touch live data in a broken one. */
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
