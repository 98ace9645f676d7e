import { randomBytes } from 'node:crypto';
import { systemClock } from '../common/clock.ts';
import { scopes } from '../contract/scopes.ts';
import type { KeyMaker } from '../load/runner/keys.ts';
import { Inconclusive, Skipped } from '../results/stop.ts';
import type { Settings } from '../settings/settings.ts';
import { developerApi } from '../suites/developer/api.ts';
import { makeKey } from '../suites/developer/keys/lending.ts';
import { cleanUp } from '../suites/records/clean-up.ts';
import { leftBehind } from '../suites/run/left-behind.ts';
import { openLedger } from '../suites/session/ledger/ledger-file.ts';
import { openSession } from '../suites/session/open-session.ts';
import { socketTransport } from '../suites/session/transport/undici-transport.ts';

/** Opens a maker of keys. Sends nothing yet. */
export function openKeyMaker(settings: Settings): KeyMaker {
  const origin = settings.BASE_URL ?? '';
  const tag = `load-${randomBytes(4).toString('hex')}`;
  const file = openLedger(tag);
  const socket = socketTransport({ connections: 2, timeoutMs: settings.TIMEOUT_MS });
  const session = openSession(developerApi, {
    origin,
    settings,
    clock: systemClock,
    transport: socket.transport,
    ledger: file.ledger,
    seed: 1,
    tag,
  });
  return {
    async make(environment, purpose) {
      try {
        const own = await makeKey(session, purpose, scopes, environment);
        await systemClock.sleep(settings.KEY_SETTLE_MS);
        return { secret: own.key.secret };
      } catch (error) {
        if (error instanceof Inconclusive || error instanceof Skipped) {
          return { why: error.message };
        }
        throw error;
      }
    },
    async close() {
      const lines = leftBehind(file.ledger, await cleanUp(session));
      await socket.close();
      file.close();
      return lines;
    },
  };
}
