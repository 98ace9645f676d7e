import { dayMs } from '../../contract/limits.ts';
import { listen } from '../../fixtures/reference/listen.ts';
import { createPlainReference } from '../../fixtures/reference/plain-deployment.ts';
import type { ScriptName } from '../../load/seam/plan.ts';
import type { Settings } from '../../settings/settings.ts';
import { settingsOfReference } from '../reference-settings.ts';

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
  return { settings: settingsOfReference(given, reference, urls), close };
}
