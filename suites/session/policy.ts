import type { Api as ApiName } from '../../contract/clause.ts';
import { isWrite } from '../../contract/endpoint.ts';
import { keyPrefix } from '../../contract/scopes.ts';
import { Skipped } from '../../results/stop.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ApiKey } from './key.ts';

/**
 * What a run may send: the settings WRITES, EXHAUST and MAX_REQUESTS, enforced for every call in one place.
 * All methods throw Skipped, which names the setting.
 */
export interface Policy {
  /** Before each call; counts it against MAX_REQUESTS. `makesLive`: what it makes is live, whatever the key. */
  admit(method: string, key: ApiKey | null, makesLive?: boolean): void;
  /** Before a key's budget is used up on purpose. */
  assertMayExhaust(key: ApiKey): void;
  /** Before a create: keeps one request for the delete that it will need. */
  reserveDelete(): void;
  /** Before that delete, or when the create made nothing. */
  releaseDelete(): void;
  /** Requests admitted so far. */
  readonly sent: number;
}

type Rules = Pick<Settings, 'WRITES' | 'EXHAUST' | 'MAX_REQUESTS'>;

export function createPolicy(api: ApiName, settings: Rules): Policy {
  const most = settings.MAX_REQUESTS ?? Infinity;
  let sent = 0;
  let reserved = 0;
  const assertRoomFor = (requests: number): void => {
    if (sent + reserved + requests > most) {
      const message = `MAX_REQUESTS is ${most}, and all of them are spent or kept for cleaning up`;
      throw new Skipped(message, { setting: 'MAX_REQUESTS' });
    }
  };
  return {
    get sent() {
      return sent;
    },
    admit(method, key, makesLive = false) {
      if (isWrite(method)) {
        assertMayWrite(api, settings.WRITES, key, makesLive);
      }
      assertRoomFor(1);
      sent += 1;
    },
    assertMayExhaust(key) {
      const value = key.origin === 'own' ? 'own' : 'all';
      if (settings.EXHAUST !== 'all' && settings.EXHAUST !== value) {
        const message = `EXHAUST is ${settings.EXHAUST}: using up the budget of ${key.label} needs EXHAUST=${value}`;
        throw new Skipped(message, { setting: 'EXHAUST', value });
      }
    },
    reserveDelete() {
      assertRoomFor(2);
      reserved += 1;
    },
    releaseDelete() {
      reserved = Math.max(0, reserved - 1);
    },
  };
}

/** A made-up key opens nothing in a conformant deployment; only one that looks live could touch live data in a broken one. */
function assertMayWrite(api: ApiName, writes: Settings['WRITES'], key: ApiKey | null, makesLive: boolean): void {
  if (writes === 'all') {
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
