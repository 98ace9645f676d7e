import { settings as table } from '../../contract/settings.ts';
import { deliverOverHttp } from '../../fixtures/reference/deliver.ts';
import { listen } from '../../fixtures/reference/listen.ts';
import { createPlainReference, type Reference } from '../../fixtures/reference/plain-deployment.ts';
import { parseSettings, type Settings } from '../../settings/settings.ts';
import type { Embedded } from '../../suites/run/prepare.ts';
import { createLeapingClock } from './leaping-clock.ts';

/** Settings that say what a target is, has and allows: those of the embedded one are its own. */
const ofTarget = new Set(['origin', 'secret']);
const alsoOfTarget = new Set([
  'WORKSPACE_PLAN',
  'ENTERPRISE_PER_MINUTE',
  'WEBHOOK_PUBLIC_URL',
  'WRITES',
  'EXHAUST',
  'CLOCK_SPEED',
]);

/** Starts the reference deployment on loopback; the settings are the user's own with those of a target replaced by its. */
export async function openEmbedded(given: Settings): Promise<Embedded> {
  const clock = createLeapingClock();
  const reference = createPlainReference({ clock, deliver: (request) => clock.during(deliverOverHttp(request)) });
  const { urls, close } = await listen(reference, { clock });
  return {
    settings: settingsOfEmbedded(given, reference, urls),
    clock,
    around: (transport) => (request, bounds) => clock.during(transport(request, bounds)),
    close,
  };
}

/** The user's settings, with those of a target replaced by the reference's. */
export function settingsOfEmbedded(
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
  // Its enterprise key stays out: driving that over 1,000 calls a minute would cost more than the rest of the run.
  const { ENTERPRISE_API_KEY: _, ...own } = reference.settings;
  return parseSettings({ ...Object.fromEntries(kept), ...own, ...urls });
}
