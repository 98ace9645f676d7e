import { settings as table } from '../contract/settings.ts';
import type { Reference } from '../fixtures/reference/plain-deployment.ts';
import { parseSettings, type Settings } from '../settings/settings.ts';

/** Settings that say what a target is, has and allows: those of the reference are its own. */
const ofTarget = new Set(['origin', 'secret']);
const alsoOfTarget = new Set([
  'WORKSPACE_PLAN',
  'ENTERPRISE_PER_MINUTE',
  'WEBHOOK_PUBLIC_URL',
  'WRITES',
  'EXHAUST',
  'CLOCK_SPEED',
]);

/** The user's settings, with those of a target replaced by the reference's. `urls`: where it listens. */
export function settingsOfReference(
  given: Settings,
  reference: Pick<Reference, 'settings'>,
  urls: Readonly<Record<string, string>>,
): Settings {
  const kept = table
    .filter(({ name, kind }) => !ofTarget.has(kind) && !alsoOfTarget.has(name))
    .flatMap(({ name }) => {
      const value = given[name as keyof Settings];
      return value === undefined ? [] : [[name, String(value)]];
    });
  // Its enterprise key stays out: 1,000 calls a minute would cost more than the rest of a run, and are more than a machine sends
  // in a window of a sped-up clock.
  const { ENTERPRISE_API_KEY: _, ...own } = reference.settings;
  return parseSettings({ ...Object.fromEntries(kept), ...own, ...urls });
}
