import { systemClock } from '../../common/clock.ts';
import { settings as table } from '../../contract/settings.ts';
import { createPlainReference } from '../../fixtures/reference/plain-deployment.ts';
import { settingsOfReference } from '../../fixtures/reference-settings.ts';
import { parseSettings, type Settings } from '../../settings/settings.ts';
import type { OpenDeployment } from '../../suites/run/prepare.ts';

/** URLs for a reference that does not listen; nothing is sent to them. */
const nowhere = { BASE_URL: 'http://127.0.0.1:1', WORKSPACE_API_URL: 'http://127.0.0.1:2' };

/** The settings of a run that judges the embedded reference, without starting one. */
export async function embeddedSettings(given: Settings): Promise<OpenDeployment> {
  return {
    settings: settingsOfReference(given, createPlainReference(), nowhere),
    clock: systemClock,
    wrap: (transport) => transport,
    close: () => Promise.resolve(),
  };
}

/** Settings about the user's deployment that do not apply to the reference. */
const leftOut = new Set(['WEBHOOK_PUBLIC_URL', 'WEBHOOK_SECRET', 'BODIES', 'OPENAPI']);

/** The user's settings, with each key that is set replaced by the reference's. */
export function rehearsalSettings(given: Settings, reference: Readonly<Record<string, string>>): Settings {
  const entries = table.flatMap(({ name, kind }) => {
    const value = given[name as keyof Settings];
    if (value === undefined || typeof value === 'object' || leftOut.has(name)) {
      return [];
    }
    const shown = kind === 'secret' ? reference[name] : String(value);
    return shown === undefined ? [] : [[name, shown]];
  });
  return parseSettings(Object.fromEntries(entries));
}
