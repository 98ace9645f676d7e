import { createReference } from '../../fixtures/reference/deployment.ts';
import { listen } from '../../fixtures/reference/serve.ts';
import { settings as table } from '../../contract/settings.ts';
import { parseSettings, type Settings } from '../kit/settings.ts';

/** How much faster than real time its limit windows pass: slow enough to fill one over a socket on a busy machine. */
const clockSpeed = 30;

/** Settings that say what a target is, has and allows: those of the embedded one are its own. */
const ofTarget = new Set(['origin', 'secret']);
const alsoOfTarget = new Set(['WORKSPACE_PLAN', 'ENTERPRISE_PER_MINUTE', 'WEBHOOK_PUBLIC_URL', 'WEBHOOK_LISTEN', 'WRITES', 'EXHAUST', 'CLOCK_SPEED']);

/** It announces events at once; the default is meant for deployments that do so through a queue. */
const eventWaitMs = '1500';
const defaultWait = table.find(({ name }) => name === 'EVENT_WAIT_MS')?.default;

export interface Embedded {
  readonly settings: Settings;
  close(): Promise<void>;
}

/** Starts the reference deployment on loopback; the settings are the user's own with those of a target replaced by its. */
export async function openEmbedded(given: Settings): Promise<Embedded> {
  const reference = createReference({ clockSpeed });
  const { urls, close } = await listen(reference, {});
  const kept = table.filter(({ name, kind }) => !ofTarget.has(kind) && !alsoOfTarget.has(name)).flatMap(({ name }) => {
    const value = given[name as keyof Settings];
    return value === undefined ? [] : [[name, String(value)]];
  });
  // Its enterprise key stays out: driving that over 1,000 calls a minute would cost more than the rest of the run.
  const { ENTERPRISE_API_KEY: _, ...own } = reference.settings;
  const wait = String(given.EVENT_WAIT_MS) === defaultWait ? { EVENT_WAIT_MS: eventWaitMs } : {};
  return { settings: parseSettings({ ...Object.fromEntries(kept), ...wait, ...own, ...urls }), close };
}
