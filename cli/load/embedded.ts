import { dayMs } from '../../contract/limits.ts';
import { settings as table } from '../../contract/settings.ts';
import { listen } from '../../fixtures/reference/listen.ts';
import { createPlainReference } from '../../fixtures/reference/plain-deployment.ts';
import type { ScriptName } from '../../load/seam/plan.ts';
import { parseSettings, type Settings } from '../../settings/settings.ts';

/** How many times faster than real time its windows pass: slow enough to fill one over a socket on a busy machine. */
const speeds: Readonly<Record<ScriptName, number>> = {
  'per-minute': 20,
  burst: 20,
  shared: 20,
  soak: 20,
  'per-day': 300,
};

/** Of the speeds near `about` the one whose day, counted from 1970 as the deployment counts it, has begun just now. */
export function freshDaySpeed(about: number, now: number): number {
  const candidates = Array.from({ length: 401 }, (_, step) => Math.round(about * (0.8 + step / 1000) * 1000) / 1000);
  const into = (speed: number): number => now % (dayMs / speed);
  return candidates.reduce((best, speed) => (into(speed) < into(best) ? speed : best));
}

/** Settings that say what a target is, has and allows: those of the reference are its own. */
const ofTarget = /^(BASE_URL|WORKSPACE_\w+|ENTERPRISE_\w+|\w+_API_KEY|WRITES|EXHAUST|CLOCK_SPEED)$/;

/**
 * Serves the reference deployment on loopback, on the machine's own clock since k6 is another process; gives the user's
 * settings with those of a target replaced by its.
 */
export async function openReference(
  given: Settings,
  script: ScriptName,
): Promise<{ settings: Settings; close: () => Promise<void> }> {
  const clockSpeed = script === 'per-day' ? freshDaySpeed(speeds[script], Date.now()) : speeds[script];
  const reference = createPlainReference({ clockSpeed });
  const { urls, close } = await listen(reference);
  const kept = table
    .filter(({ name }) => !ofTarget.test(name))
    .flatMap(({ name }) => {
      const value = given[name as keyof Settings];
      return value === undefined ? [] : [[name, String(value)]];
    });
  // Its enterprise key stays out: 1,000 calls a minute on a sped-up clock are more than a machine sends in a window.
  const { ENTERPRISE_API_KEY: _, ...own } = reference.settings;
  return { settings: parseSettings({ ...Object.fromEntries(kept), ...own, ...urls }), close };
}
