import { systemClock } from '../../../common/clock.ts';
import { parseSettings } from '../../../settings/settings.ts';
import { developerApi } from '../../../suites/developer/api.ts';
import { memoryLedger } from '../../../suites/session/ledger.ts';
import { type OpenSession, openSession } from '../../../suites/session/open-session.ts';
import { socketTransport } from '../../../suites/session/undici-transport.ts';

/** A session with a developer API on loopback, its settings given as a user gives them. */
export function loopbackSession(
  origin: string,
  env: Record<string, string> = {},
): { session: OpenSession; close(): Promise<void> } {
  const settings = parseSettings({
    BASE_URL: origin,
    SANDBOX_API_KEY: 'svc_test_ofTheTest0123456789',
    WRITES: 'all',
    ...env,
  });
  const { transport, close } = socketTransport({ connections: 4, timeoutMs: settings.TIMEOUT_MS });
  const session = openSession(developerApi, {
    origin,
    settings,
    clock: systemClock,
    transport,
    ledger: memoryLedger(),
    seed: 1,
    tag: 'test',
  });
  return { session, close };
}
