import { type KeyType, perMinuteOf } from '../../contract/limits.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Checks, Suite } from '../engine/engine.ts';
import { cameOf } from '../engine/expect.ts';
import { callOf } from '../session/call.ts';
import { answered } from '../session/evidence.ts';
import type { ApiKey } from '../session/key.ts';
import { type OpenSession, openSession, type SessionParts } from '../session/open-session.ts';
import type { Session } from '../session/session.ts';
import { ads } from './ads.ts';
import { auth } from './auth.ts';
import { endpoint, mainKey, read } from './calls.ts';
import { cleanUp } from './clean-up.ts';
import { envelope } from './envelope.ts';
import { errors } from './errors.ts';
import { filters } from './filters.ts';
import { generation } from './generation.ts';
import { inWorkingMode } from './key-mode.ts';
import { keys } from './keys.ts';
import { limits } from './limits.ts';
import { modules } from './modules.ts';
import { sandbox } from './sandbox.ts';
import { scheduling } from './scheduling.ts';
import { scopes } from './scopes.ts';

const checks: Checks = {
  ...envelope,
  ...errors,
  ...auth,
  ...scopes,
  ...modules,
  ...ads,
  ...scheduling,
  ...generation,
  ...filters,
  ...sandbox,
  ...keys,
  ...limits,
};

/** All checks of the developer API. */
export const developerSuite: Suite = {
  checks,
  quiet: (id) => id.startsWith('developer.limits.') || id === 'developer.sandbox.reseed',
  distrust,
};

/** Where it is looked for whether calls with and without a key are told apart, if nothing has shown it. */
const reads = ['GET /api/v1/ads/campaigns', 'GET /api/v1/ads/health-score', 'GET /api/v1/ads/keywords'];

/** A deployment that nowhere both accepted a call with a key and refused it without one tells no good call from a bad one. */
async function distrust(session: Session): Promise<Finding | null> {
  if (tellsApart(session)) {
    return null;
  }
  let seen = '';
  for (const id of reads) {
    const [good, bad] = [
      await read(session, id),
      await session.client.send(callOf(endpoint(id), null, { purpose: 'refusal' })),
    ];
    if (tellsApart(session)) {
      return null;
    }
    seen = `${cameOf(good)} with ${mainKey(session).label}, ${cameOf(bad)} without a key`;
  }
  return {
    message: `Passes cannot be trusted: the deployment answers calls with and without a key alike: ${seen}`,
    cause: 'An empty stub or a proxy in between may answer everything the same way',
    blames: 'developer.auth.missing-key',
  };
}

function tellsApart(session: Session): boolean {
  const accepted = new Set<string | null>();
  const refused = new Set<string | null>();
  for (const { endpoint: id, keyValid, response } of answered(session.evidence)) {
    if (keyValid && Math.floor(response.status / 100) === 2) {
      accepted.add(id);
    }
    if (!keyValid && response.status === 401) {
      refused.add(id);
    }
  }
  return [...accepted].some((id) => refused.has(id));
}

/** A key's documented requests a minute: what its calls are paced by. */
const limitOf =
  (settings: Settings) =>
  ({ origin, environment }: ApiKey): number =>
    origin === 'unknown' ? Infinity : perMinuteOf(environment as KeyType, settings.ENTERPRISE_PER_MINUTE);

/** Opens a session with a deployment of the developer API; sends nothing. */
export const openDeveloperSession = (parts: Omit<SessionParts, 'api' | 'limitOf'>): OpenSession =>
  inWorkingMode(openSession({ ...parts, api: 'developer', limitOf: limitOf(parts.settings) }));

/** Deletes what the run created; what could not be deleted stays in the ledger, and stands in the session's notes. */
export const closeDeveloperSession = (session: OpenSession): Promise<void> => cleanUp(session);
