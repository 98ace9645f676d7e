import type { Api } from '../../contract/clause.ts';
import { isWrite } from '../../contract/endpoint.ts';
import { keyPrefix } from '../../contract/scopes.ts';
import { Skipped } from '../../results/stop.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ApiKey } from './key.ts';

/**
 * What a run may send: the settings WRITES, EXHAUST and MAX_REQUESTS, enforced for every call in one place.
 * All methods throw Skipped, which names the setting.
 */
export interface Permit {
  /** Before each call; counts it against MAX_REQUESTS. */
  spend(method: string, key: ApiKey | null): void;
  /** Before a key's budget is used up on purpose. */
  exhaust(key: ApiKey): void;
  /** Before a create: puts one request aside for the delete that it will need. */
  reserve(): void;
  /** Before that delete, or when the create made nothing. */
  release(): void;
  /** Requests sent so far. */
  readonly sent: number;
}

type Rules = Pick<Settings, 'WRITES' | 'EXHAUST' | 'MAX_REQUESTS'>;

export function createPermit(api: Api, settings: Rules): Permit {
  const most = settings.MAX_REQUESTS ?? Infinity;
  let sent = 0;
  let reserved = 0;
  const refuseAbove = (needed: number): void => {
    if (sent + reserved + needed > most) {
      throw new Skipped(`MAX_REQUESTS is ${most}, and all of them are spent or kept for cleaning up`, {
        setting: 'MAX_REQUESTS',
      });
    }
  };
  return {
    get sent() {
      return sent;
    },
    spend(method, key) {
      if (isWrite(method)) {
        refuseWrite(api, settings.WRITES, key);
      }
      refuseAbove(1);
      sent += 1;
    },
    exhaust(key) {
      const allowed = settings.EXHAUST === 'all' || (settings.EXHAUST === 'own' && key.origin === 'own');
      if (!allowed) {
        const value = key.origin === 'own' ? 'own' : 'all';
        throw new Skipped(
          `EXHAUST is ${settings.EXHAUST}: using up the budget of ${key.label} needs EXHAUST=${value}`,
          { setting: 'EXHAUST', value },
        );
      }
    },
    reserve() {
      refuseAbove(2);
      reserved += 1;
    },
    release() {
      reserved = Math.max(0, reserved - 1);
    },
  };
}

const needsAll = { setting: 'WRITES', value: 'all' } as const;

/** A made-up key opens nothing in a conformant deployment; only one that looks live could touch live data in a broken one. */
function refuseWrite(api: Api, writes: Settings['WRITES'], key: ApiKey | null): void {
  if (writes === 'all') {
    return;
  }
  if (api === 'workspace') {
    throw new Skipped(`WRITES is ${writes}: writing to the workspace needs WRITES=all`, needsAll);
  }
  if (writes === 'none') {
    throw new Skipped('WRITES is none: calls that create, change or delete need WRITES=sandbox or all', {
      setting: 'WRITES',
      value: 'sandbox',
    });
  }
  const live =
    key !== null && (key.origin === 'unknown' ? key.secret.startsWith(keyPrefix.live) : key.environment !== 'sandbox');
  if (live) {
    throw new Skipped(`WRITES is ${writes}: writing with ${key.label} needs WRITES=all`, needsAll);
  }
}
