import type { Finding } from '../../results/verdict.ts';
import type { Checks, Suite } from '../engine/engine.ts';
import { cameOf } from '../engine/expect.ts';
import { callOf } from '../session/call.ts';
import { answered } from '../session/evidence.ts';
import { agents } from './agents.ts';
import { auth } from './auth.ts';
import { bookings } from './bookings.ts';
import { kinds, listing } from './endpoints.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { leads } from './leads.ts';
import { limits } from './limits.ts';
import { firstPage } from './lists.ts';
import { succeeded } from './records.ts';
import { requests } from './requests.ts';
import { responses } from './responses.ts';
import type { WorkspaceSession } from './session.ts';
import { signature } from './signature.ts';
import { webhooks } from './webhooks.ts';

const checks: Checks<WorkspaceSession> = {
  ...responses,
  ...errors,
  ...auth,
  ...agents,
  ...leads,
  ...bookings,
  ...requests,
  ...webhooks,
  ...signature,
  ...events,
  ...limits,
};

/** All checks of the workspace API. */
export const workspaceSuite: Suite<WorkspaceSession> = {
  checks,
  // limits.headers is judged on every response, and asks for no quiet.
  quiet: (id) => id.startsWith('workspace.limits.'),
  distrust,
};

/** A deployment that nowhere both accepted a call with a key and refused it without one tells no good call from a bad one. */
async function distrust(session: WorkspaceSession): Promise<Finding | null> {
  if (tellsApart(session)) {
    return null;
  }
  let seen = '';
  for (const kind of kinds) {
    const good = await firstPage(session, kind);
    const bad = await session.client.send(callOf(listing(kind), null, { purpose: 'refusal' }));
    if (tellsApart(session)) {
      return null;
    }
    seen ||= `${listing(kind).id} gets ${cameOf(good)} with WORKSPACE_API_KEY, ${cameOf(bad)} without a key`;
  }
  return {
    message: `Passes cannot be trusted: the deployment answers calls with and without a key alike: ${seen}`,
    cause: 'An empty stub or a proxy in between may answer everything the same way',
    blames: 'workspace.auth.missing-key',
  };
}

function tellsApart({ evidence }: WorkspaceSession): boolean {
  const accepted = new Set<string>();
  const refused = new Set<string>();
  for (const { endpoint, keyValid, keyLabel, response } of answered(evidence)) {
    if (endpoint === null) {
      continue;
    }
    if (keyValid && succeeded(response) && Object(response.json) === response.json) {
      accepted.add(endpoint);
    }
    if (keyLabel === null && response.status >= 400 && response.status !== 429) {
      refused.add(endpoint);
    }
  }
  return [...accepted].some((endpoint) => refused.has(endpoint));
}

export { closeWorkspace } from './clean-up.ts';
export { openWorkspaceSession } from './session.ts';
