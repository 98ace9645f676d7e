import { CannotRun } from '../../common/cannot-run.ts';
import type { Settings } from '../../settings/settings.ts';
import { type Target, targetsOf } from '../../settings/target.ts';
import { TransportFailure } from '../../suites/session/transport.ts';
import { socketTransport } from '../../suites/session/undici-transport.ts';

/** A documented read of each API: called without a key, so that no budget is touched. */
const path: Readonly<Record<Target['api'], string>> = { developer: '/api/v1/platform/me', workspace: '/v1/agents' };

/** Throws CannotRun, naming the setting, where a target gives no answer at all; any answer will do. */
export async function reach(settings: Settings, apis: readonly Target['api'][]): Promise<void> {
  const { transport, close } = socketTransport({ connections: 1, timeoutMs: settings.TIMEOUT_MS });
  const bounds = { timeoutMs: settings.TIMEOUT_MS, maxBody: 5_000_000 };
  try {
    for (const { api, origin, setting } of targetsOf(settings).filter((target) => apis.includes(target.api))) {
      await transport(
        { method: 'GET', url: origin + path[api], headers: [['Accept', 'application/json']], body: null },
        bounds,
      ).catch((error: unknown) => {
        throw explained(error, setting, origin);
      });
    }
  } finally {
    await close();
  }
}

function explained(error: unknown, setting: string, origin: string): Error {
  if (!(error instanceof TransportFailure)) {
    return error as Error;
  }
  return new CannotRun(
    `Cannot reach ${setting} ${origin.replace(/\/\/[^/@]*@/, '//…@')}: ${error.message}; start the deployment, or correct ${setting}`,
  );
}
