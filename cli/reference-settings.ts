import { settings as table } from '../contract/settings.ts';
import type { Reference } from '../fixtures/reference/plain-deployment.ts';
import { parseSettings, type Settings } from '../settings/settings.ts';

/** The kinds of settings that describe a target, and further settings that do. The reference has its own. */
const kindsOfTarget = new Set(['origin', 'secret']);
const namesOfTarget = new Set([
  'WORKSPACE_PLAN',
  'ENTERPRISE_PER_MINUTE',
  'WEBHOOK_PUBLIC_URL',
  'WRITES',
  'EXHAUST',
  'CLOCK_SPEED',
]);

/**
 * The user's settings, with those that describe a target replaced by the reference's. `urls` are its URLs by setting.
 */
export function settingsOfReference(
  given: Settings,
  reference: Pick<Reference, 'settings'>,
  urls: Readonly<Record<string, string>>,
): Settings {
  const kept = table
    .filter(({ name, kind }) => !kindsOfTarget.has(kind) && !namesOfTarget.has(name))
    .flatMap(({ name }) => {
      const value = given[name as keyof Settings];
      return value === undefined ? [] : [[name, String(value)]];
    });
  // The enterprise key is left out: its 1,000 calls would take longer than the rest of a run, and a machine may not be
  // able to make so many in a window of a sped-up clock.
  const { ENTERPRISE_API_KEY: _, ...own } = reference.settings;
  return parseSettings({ ...Object.fromEntries(kept), ...own, ...urls });
}
