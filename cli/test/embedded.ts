import { deliverOverHttp } from '../../fixtures/reference/deliver.ts';
import { listen } from '../../fixtures/reference/listen.ts';
import { createPlainReference } from '../../fixtures/reference/plain-deployment.ts';
import type { Settings } from '../../settings/settings.ts';
import type { OpenDeployment } from '../../suites/run/prepare.ts';
import { settingsOfReference } from '../reference-settings.ts';
import { createLeapingClock } from './leaping-clock.ts';

/**
 * Starts the reference deployment on loopback. The settings are the user's, with those that describe a target replaced
 * by its own.
 */
export async function openEmbedded(given: Settings): Promise<OpenDeployment> {
  const clock = createLeapingClock();
  const reference = createPlainReference({ clock, deliver: (request) => clock.during(deliverOverHttp(request)) });
  const { urls, close } = await listen(reference, { clock });
  return {
    settings: settingsOfReference(given, reference, urls),
    clock,
    wrap: (transport) => (request, bounds) => clock.during(transport(request, bounds)),
    close,
  };
}
