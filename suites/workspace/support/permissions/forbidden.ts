import type { Endpoint } from '../../../../contract/endpoint.ts';
import { workspaceEndpoints } from '../../../../contract/workspace-endpoints.ts';
import { createTally, type Outcome, type Tally } from '../../../../results/outcome.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { describeAnswer, findingOn, undecided } from '../../../engine/expect.ts';
import { judgeEach } from '../../../engine/parts.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import { requireKey } from '../../../session/keys.ts';
import type { Session } from '../../../session/session.ts';
import { refusesBody } from '../../../shared/complaints/refused-body.ts';
import { judgeRefusal } from '../../../shared/refusals/refusals.ts';
import { takesOthers } from '../deletions/taken-others.ts';
import { kindOf } from '../kinds.ts';
import { arrangeCall, sentWith } from './arrange.ts';

/** What the limited key got on an endpoint. */
interface Probe {
  readonly endpoint: Endpoint;
  readonly probe: Answer;
}

/** Each documented call with a key that lacks permission: what is refused, is refused with 403. */
export async function judgeForbidden(session: Session): Promise<Outcome> {
  const key = requireKey(session, 'WORKSPACE_LIMITED_API_KEY');
  const probes: Probe[] = [];
  const tally = createTally();
  const refusals = await judgeEach(workspaceEndpoints, async (part, endpoint) => {
    const { probe, twin } = await withLimitedKey(session, endpoint, key);
    probes.push({ endpoint, probe });
    if (!isSuccess(probe)) {
      const what = 'Call without permission is not refused with 403';
      judgeRefusal(part, { probe, twin, endpoint, status: 403, what });
    }
  });
  tally.add(refusals);
  judgeAll(tally, probes);
  return tally.outcome();
}

/** How often a refusal that has another reason by its status is tried again. */
const mostTries = 3;

/** Whether a refusal may be for something else than the key: the body, the state of the workspace, a record that is gone. */
const hasOtherReason = (answer: Answer): boolean =>
  refusesBody(answer) || answer.status === 404 || answer.status === 409 || answer.status >= 500;

/**
 * The limited key's answer, and that to full permission. A call that the key may make can be refused for what the workspace
 * holds at the time (a cap, a state): such a refusal stands between two moments at which full permission was accepted.
 */
async function withLimitedKey(
  session: Session,
  endpoint: Endpoint,
  key: ApiKey,
): Promise<{ probe: Answer; twin: Answer }> {
  const call = await arrangeCall(session, endpoint);
  let { answer: probe } = await sentWith(session, endpoint, key);
  for (let tries = 1; hasOtherReason(probe) && tries < mostTries; tries += 1) {
    const twin = await call.again();
    if (twin === null) {
      await assertStood(session, endpoint, probe);
      break;
    }
    if (!isSuccess(twin)) {
      return { probe, twin };
    }
    ({ answer: probe } = await call.attempt({ key }));
  }
  return { probe, twin: await call.twin() };
}

/** What was to be deleted had not gone with another. */
async function assertStood(session: Session, endpoint: Endpoint, probe: Answer): Promise<void> {
  if (await takesOthers(session, kindOf(endpoint))) {
    const message = `What ${endpoint.id} refuses is unknown: an accepted deletion takes others along, and this got ${describeAnswer(probe)}`;
    throw undecided(probe, message, endpoint.clause);
  }
}

/** A key that lacks permission is refused somewhere, and not everywhere as an unknown one is. */
function judgeAll(tally: Tally, probes: readonly Probe[]): void {
  const [first] = probes;
  const refused = probes.filter(({ probe }) => !isSuccess(probe));
  if (first === undefined) {
    return;
  }
  if (refused.length === 0) {
    tally.judge(refusedNowhere(first.probe, probes));
  } else if (refused.length === probes.length && refused.every(({ probe }) => probe.status === 401)) {
    throw new Inconclusive(
      findingOn(first.probe, {
        message: `Limited key gets 401 on all of ${probes.length} documented calls: it may never have been issued`,
        expected: '403',
        actual: '401',
        cause:
          'WORKSPACE_LIMITED_API_KEY may be no key of this workspace, or the deployment answers a lack of permission with 401',
      }),
    );
  }
}

/** Throws Inconclusive where nothing was written: a key that may read shows its limit by writing alone. */
function refusedNowhere(answer: Answer, probes: readonly Probe[]): Finding {
  const finding = findingOn(answer, {
    message: `Key without sufficient permission is refused nowhere: all of ${probes.length} documented calls are accepted`,
    expected: '403 on at least one call',
    actual: 'no refusal',
    cause: 'The deployment does not look at permissions, or WORKSPACE_LIMITED_API_KEY may do everything',
  });
  if (probes.every(({ endpoint }) => endpoint.method === 'GET')) {
    throw new Inconclusive({
      ...finding,
      cause: 'Its user may be allowed to read everything: set WRITES=all, so that writing is tried',
      needs: { setting: 'WRITES', value: 'all' },
    });
  }
  return finding;
}
