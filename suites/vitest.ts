import { openEmbedded } from '../fixtures/embedded.ts';
import { readSettings } from '../settings/settings.ts';
import { noneTargeted, targetsOf } from '../settings/target.ts';
import { developerSuite } from './developer/suite.ts';
import { declareClauses } from './run/declare.ts';
import { workspaceSuite } from './workspace/suite.ts';

/**
 * `two-api-conformance/vitest`: declares the clauses of an API as tests of the file that calls it, in a Vitest project
 * of any team's. The deployment and its keys are those of the settings: given here, in the environment, or in `.env`.
 * Without a target, the reference deployment is judged, with a warning. Throws CannotRun for settings that cannot be
 * used.
 */
export function clauses(api: 'developer' | 'workspace', given: Readonly<Record<string, string>> = {}): void {
  const suite = api === 'developer' ? developerSuite : workspaceSuite;
  const settings = readSettings({ ...environment(), ...given });
  if (targetsOf(settings).length === 0) {
    console.warn(noneTargeted);
  }
  declareClauses(suite, settings, openEmbedded);
}

/** Vite puts the base path of a web page into BASE_URL, in the place of the user's. */
function environment(): Record<string, string | undefined> {
  const { BASE_URL, ...others } = process.env;
  return BASE_URL?.startsWith('/') || BASE_URL?.startsWith('./') ? others : process.env;
}
