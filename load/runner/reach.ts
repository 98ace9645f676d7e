import { request } from 'undici';
import { CannotRun } from '../../common/cannot-run.ts';
import { explainFailure } from '../../common/explain-failure.ts';
import { cannotReach } from '../../settings/advice.ts';
import type { Settings } from '../../settings/settings.ts';
import { targetsOf } from '../../settings/target.ts';
import type { KeyName } from './arguments.ts';
import { plainRead } from './reads.ts';

/**
 * Throws CannotRun, which names the setting, if a target gives no response at all. Calls without a key, so that no
 * budget is used.
 */
export async function assertReachable(settings: Settings, keys: readonly KeyName[]): Promise<void> {
  const apis = new Set(keys.map((key) => (key === 'workspace' ? 'workspace' : 'developer')));
  for (const { api, origin, setting } of targetsOf(settings).filter((target) => apis.has(target.api))) {
    try {
      const signal = AbortSignal.timeout(settings.TIMEOUT_MS);
      const { body } = await request(origin + plainRead[api], { headers: { Accept: 'application/json' }, signal });
      await body.dump();
    } catch (error) {
      throw new CannotRun(cannotReach(setting, origin, explainFailure(error)));
    }
  }
}
