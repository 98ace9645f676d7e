import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';
import { callOf, type Answer } from '../kit/call.ts';
import type { Checks } from '../kit/engine.ts';
import { accepted, cameOf, expectAccepted, findingOn } from '../kit/expect.ts';
import { createTally, judged, type Outcome, type Tally } from '../kit/outcome.ts';
import { Inconclusive } from '../kit/stop.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { kinds, listing } from './endpoints.ts';
import { emptyKey, neverIssued } from './keys.ts';
import { firstPage } from './lists.ts';
import { partly } from '../kit/partly.ts';
import { refusesBody, succeeded } from './records.ts';
import { arrange, judgeRefusal, judgeRefusals } from './refusals.ts';
import { requireKey, type WorkspaceSession } from './session.ts';

/** One documented call that accepts the key is enough: whether each works is its own clause. */
async function judgeBearer(session: WorkspaceSession): Promise<Outcome> {
  let first: Answer | undefined;
  for (const kind of kinds) {
    const answer = await firstPage(session, kind);
    first ??= answer;
    if (accepted(answer)) return judged(null);
  }
  return judged(first ? expectAccepted(first, 'Key sent as a bearer token is not accepted') : null);
}

async function judgeForbidden(session: WorkspaceSession): Promise<Outcome> {
  const key = requireKey(session, 'WORKSPACE_LIMITED_API_KEY');
  const tally = createTally();
  const seen: { endpoint: Endpoint; probe: Answer }[] = [];
  await Promise.all(workspaceEndpoints.map((endpoint) => partly(tally, async () => {
    const call = await arrange(session, endpoint, 'a limited key');
    const probe = await call.send({ key, purpose: 'refusal' });
    seen.push({ endpoint, probe });
    if (succeeded(probe)) return;
    // Whatever else may refuse it (a cap, a state) refuses full permission too, at the same time.
    const fresh = probe.status === 403 || endpoint.method === 'DELETE' ? call.twin() : call.send({});
    judgeForbiddenCall(tally, endpoint, probe, await fresh);
  })));
  return conclusion(tally, seen);
}

/** A refused call of a limited key is refused with 403; what every key gets says nothing of permission. */
function judgeForbiddenCall(tally: Tally, endpoint: Endpoint, probe: Answer, twin: Answer): void {
  if (probe.status === twin.status || (refusesBody(probe) && refusesBody(twin))) {
    tally.leaveOpen(findingOn(probe, { message: `Permission for ${endpoint.id} cannot be told: it is refused with full permission too: ${cameOf(twin)}`, cause: `See ${endpoint.clause}` }));
  } else {
    judgeRefusal(tally, { probe, twin, endpoint, status: 403, what: 'Call without permission is not refused with 403' });
  }
}

function conclusion(tally: Tally, seen: readonly { endpoint: Endpoint; probe: Answer }[]): Outcome {
  const refused = seen.filter(({ probe }) => !succeeded(probe));
  const [first] = seen;
  if (first === undefined) return tally.outcome();
  if (refused.length === 0) {
    const writes = seen.some(({ endpoint }) => endpoint.method !== 'GET');
    const finding = findingOn(first.probe, {
      message: `Key without sufficient permission is refused nowhere: all of ${seen.length} documented calls are accepted`, expected: '403 on at least one call', actual: 'no refusal',
      cause: 'The deployment does not look at permissions, or WORKSPACE_LIMITED_API_KEY may do everything',
    });
    // A key that may read is told from another by writing alone.
    if (!writes) throw new Inconclusive(finding);
    tally.judge(finding);
  } else if (refused.length === seen.length && refused.every(({ probe }) => probe.status === 401)) {
    throw new Inconclusive(findingOn(first.probe, {
      message: `Limited key gets 401 on all of ${seen.length} documented calls: nothing tells it from a key that was never issued`,
      expected: '403', actual: '401', cause: 'WORKSPACE_LIMITED_API_KEY may be no key of this workspace, or the deployment answers a lack of permission with 401',
    }));
  }
  return tally.outcome();
}

const otherWays = [
  ['in Basic authentication', 'basic'], ['in X-API-Key', 'header'], ['in the query', 'query'],
] as const;

async function judgeScheme(session: WorkspaceSession): Promise<Outcome> {
  const tally = createTally();
  const { endpoint, twin } = await guardedList(session);
  await Promise.all(otherWays.map(async ([name, mode]) => {
    const probe = await session.client.send(callOf(endpoint, session.key, { mode, purpose: 'refusal' }));
    judgeRefusal(tally, { probe, twin, endpoint, status: 401, what: `Key sent ${name} is not refused with 401` });
  }));
  return tally.outcome();
}

/** A list that asks for a key at all: elsewhere it matters to nobody how one is sent. Throws Inconclusive where there is none. */
async function guardedList(session: WorkspaceSession): Promise<{ endpoint: Endpoint; twin: Answer }> {
  for (const kind of kinds) {
    const endpoint = listing(kind);
    const bare = await session.client.send(callOf(endpoint, null, { purpose: 'refusal' }));
    if (bare.status === 401) return { endpoint, twin: await firstPage(session, kind) };
  }
  throw new Inconclusive({ message: 'How a key is sent cannot be judged: no list refuses a call without a key with 401', cause: 'See workspace.auth.missing-key' });
}

/** Authentication: who is let in, and who is turned away. */
export const auth: Checks<WorkspaceSession> = {
  'workspace.auth.bearer': judgeBearer,

  'workspace.auth.missing-key': async (session) =>
    (await judgeRefusals(session, { purpose: 'a missing key', status: 401, forms: [{ name: 'without a key', call: { key: null } }] })).outcome(),

  'workspace.auth.invalid-key': async (session) => {
    const [lookalike, altered] = neverIssued(session.key);
    return (await judgeRefusals(session, {
      purpose: 'an invalid key', status: 401,
      forms: [
        { name: 'with an unknown key', call: { key: lookalike } },
        { name: 'with a key of which one character is altered', call: { key: altered } },
        // An empty token is no key: what a missing one gets, wrong or not, is the other clause's.
        { name: 'with an empty bearer token', call: { key: emptyKey }, like: { key: null } },
      ],
    })).outcome();
  },

  'workspace.auth.revoked-key': async (session) => {
    const key = requireKey(session, 'WORKSPACE_REVOKED_API_KEY');
    return (await judgeRefusals(session, {
      purpose: 'a revoked key', status: 401, forms: [{ name: 'with a revoked key', call: { key } }],
    })).outcome();
  },

  'workspace.auth.forbidden': judgeForbidden,
  'workspace.auth.scheme': judgeScheme,
};
