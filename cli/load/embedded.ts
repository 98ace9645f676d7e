import { dayMs } from '../../contract/limits.ts';
import { listen } from '../../fixtures/reference/listen.ts';
import { createPlainReference } from '../../fixtures/reference/plain-deployment.ts';
import { settingsOfReference } from '../../fixtures/reference-settings.ts';
import type { ScriptName } from '../../load/seam/plan.ts';
import type { Settings } from '../../settings/settings.ts';

/** How many times faster than real time windows pass: slow enough to fill one over a socket on a busy machine. */
const speeds: Readonly<Record<ScriptName, number>> = {
  'per-minute': 20,
  burst: 20,
  shared: 20,
  soak: 20,
  'per-day': 300,
};

/** A clock speed near `about` with which the deployment's day, counted from 1970, has just begun. */
export function freshDaySpeed(about: number, now: number): number {
  const candidates = Array.from({ length: 401 }, (_, step) => Math.round(about * (0.8 + step / 1000) * 1000) / 1000);
  const into = (speed: number): number => now % (dayMs / speed);
  return candidates.reduce((best, speed) => (into(speed) < into(best) ? speed : best));
}

/**
 * Serves the reference deployment on loopback, by the real clock, since k6 is another process. Gives the user's
 * settings with those that describe a target replaced by the reference's.
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
