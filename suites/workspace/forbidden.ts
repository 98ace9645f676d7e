import type { Endpoint } from '../../contract/endpoint.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';
import { createTally, type Outcome, type Tally } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import { findingOn } from '../engine/expect.ts';
import { partly } from '../engine/partly.ts';
import type { Answer } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import { refusesBody, succeeded } from './records.ts';
import { type Arranged, arrange, judgeRefusal } from './refusals.ts';
import { requireKey, type WorkspaceSession } from './session.ts';

/** Each documented call with a key that lacks permission: what is refused, is refused with 403. */
export async function judgeForbidden(session: WorkspaceSession): Promise<Outcome> {
  const key = requireKey(session, 'WORKSPACE_LIMITED_API_KEY');
  const tally = createTally();
  const seen: { endpoint: Endpoint; probe: Answer }[] = [];
  await Promise.all(
    workspaceEndpoints.map((endpoint) =>
      partly(tally, async () => {
        const call = await arrange(session, endpoint, 'a limited key');
        const { probe, twin } = await withLimited(call, key);
        seen.push({ endpoint, probe });
        if (!succeeded(probe)) {
          judgeRefusal(tally, {
            probe,
            twin,
            endpoint,
            status: 403,
            what: 'Call without permission is not refused with 403',
          });
        }
      }),
    ),
  );
  return conclusion(tally, seen);
}

/** How often a refusal that has another reason by its status is tried again. */
const mostTries = 3;

/**
 * The limited key's answer, and that to full permission. A call that the key may make can be refused for what the workspace
 * holds at the time (a cap, a state): such a refusal stands between two moments at which full permission was accepted.
 */
async function withLimited(call: Arranged, key: ApiKey): Promise<{ probe: Answer; twin: Answer }> {
  let probe = await call.send({ key, purpose: 'refusal' });
  for (let tries = 1; (refusesBody(probe) || probe.status === 409) && tries < mostTries; tries += 1) {
    const twin = await call.again();
    if (twin === null) {
      break;
    }
    if (!succeeded(twin)) {
      return { probe, twin };
    }
    probe = await call.send({ key, purpose: 'refusal' });
  }
  return { probe, twin: await call.twin() };
}

function conclusion(tally: Tally, seen: readonly { endpoint: Endpoint; probe: Answer }[]): Outcome {
  const refused = seen.filter(({ probe }) => !succeeded(probe));
  const [first] = seen;
  if (first === undefined) {
    return tally.outcome();
  }
  if (refused.length === 0) {
    const writes = seen.some(({ endpoint }) => endpoint.method !== 'GET');
    const finding = findingOn(first.probe, {
      message: `Key without sufficient permission is refused nowhere: all of ${seen.length} documented calls are accepted`,
      expected: '403 on at least one call',
      actual: 'no refusal',
      cause: 'The deployment does not look at permissions, or WORKSPACE_LIMITED_API_KEY may do everything',
    });
    // A key that may read is told from another by writing alone.
    if (!writes) {
      throw new Inconclusive({
        ...finding,
        cause: 'Its user may be allowed to read everything: set WRITES=all, so that writing is tried',
      });
    }
    tally.judge(finding);
  } else if (refused.length === seen.length && refused.every(({ probe }) => probe.status === 401)) {
    throw new Inconclusive(
      findingOn(first.probe, {
        message: `Limited key gets 401 on all of ${seen.length} documented calls: nothing tells it from a key that was never issued`,
        expected: '403',
        actual: '401',
        cause:
          'WORKSPACE_LIMITED_API_KEY may be no key of this workspace, or the deployment answers a lack of permission with 401',
      }),
    );
  }
  return tally.outcome();
}
