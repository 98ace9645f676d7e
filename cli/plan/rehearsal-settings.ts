import { systemClock } from '../../common/clock.ts';
import { settings as table } from '../../contract/settings.ts';
import { createPlainReference } from '../../fixtures/reference/plain-deployment.ts';
import { parseSettings, type Settings } from '../../settings/settings.ts';
import type { OpenDeployment } from '../../suites/run/prepare.ts';
import { settingsOfReference } from '../reference-settings.ts';

/** Where the reference would be listening: nobody is called there. */
const nowhere = { BASE_URL: 'http://127.0.0.1:1', WORKSPACE_API_URL: 'http://127.0.0.1:2' };

/** The settings of a run that brings the reference along, without starting one. */
export async function embeddedSettings(given: Settings): Promise<OpenDeployment> {
  return {
    settings: settingsOfReference(given, createPlainReference(), nowhere),
    clock: systemClock,
    wrap: (transport) => transport,
    close: () => Promise.resolve(),
  };
}

/** What is told of a deployment elsewhere, and means nothing to the reference. */
const left = new Set(['WEBHOOK_PUBLIC_URL', 'WEBHOOK_SECRET', 'BODIES']);

/** The user's settings, with the reference's own key in place of each key that is set. */
export function rehearsalSettings(given: Settings, reference: Readonly<Record<string, string>>): Settings {
  const entries = table.flatMap(({ name, kind }) => {
    const value = given[name as keyof Settings];
    if (value === undefined || left.has(name)) {
      return [];
    }
    const shown = kind === 'secret' ? reference[name] : String(value);
    return shown === undefined ? [] : [[name, shown]];
  });
  return parseSettings(Object.fromEntries(entries));
}
