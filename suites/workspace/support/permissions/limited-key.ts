import type { Endpoint } from '../../../../contract/endpoint.ts';
import { workspaceEndpoints } from '../../../../contract/workspace-endpoints.ts';
import { createTally, type Outcome, type Tally } from '../../../../results/outcome.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { describeAnswer } from '../../../engine/describe-answer.ts';
import { findingOn, undecided } from '../../../engine/expect.ts';
import { judgeEach } from '../../../engine/parts.ts';
import { refusesBody } from '../../../records/bodies.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import { requireKey } from '../../../session/keys.ts';
import type { Session } from '../../../session/session.ts';
import { judgeRefusal } from '../../../shared/refusals/refusals.ts';
import { kindOf } from '../../kinds.ts';
import { deletesOthersToo } from '../../life/collateral.ts';
import { arrangeCall, callWithKey } from './arrange.ts';

/** The limited key's answer on an endpoint. */
interface Probe {
  readonly endpoint: Endpoint;
  readonly probe: Answer;
}

/** A key that lacks permission is refused by at least one documented call, and always with 403. */
export async function judgeForbidden(session: Session): Promise<Outcome> {
  const key = requireKey(session, 'WORKSPACE_LIMITED_API_KEY');
  const probes: Probe[] = [];
  const tally = createTally();
  const refusals = await judgeEach(workspaceEndpoints, async (part, endpoint) => {
    const { probe, twin } = await tryLimitedKey(session, endpoint, key);
    probes.push({ endpoint, probe });
    if (!isSuccess(probe)) {
      const what = 'A call without permission';
      judgeRefusal(part, { probe, twin, endpoint, status: 403, what });
    }
  });
  tally.add(refusals);
  judgeTogether(tally, probes, refusals.notTried ?? []);
  return tally.outcome();
}

/** How often a call is tried whose refusal may have another reason than the key. */
const mostTries = 3;

/** Whether a refusal may be due to the body, the state of the workspace or a missing record, and not to the key. */
const mayHaveOtherReason = (answer: Answer): boolean =>
  refusesBody(answer) || answer.status === 404 || answer.status === 409 || answer.status >= 500;

/**
 * The limited key's answer, and the answer to the main key. A call that the limited key may make can be refused for the
 * state of the workspace, such as a full one: such a refusal counts only where the main key was accepted right before
 * and after it.
 */
async function tryLimitedKey(
  session: Session,
  endpoint: Endpoint,
  key: ApiKey,
): Promise<{ probe: Answer; twin: Answer }> {
  const call = await arrangeCall(session, endpoint);
  let { answer: probe } = await callWithKey(session, endpoint, key);
  for (let tries = 1; mayHaveOtherReason(probe) && tries < mostTries; tries += 1) {
    const twin = await call.again();
    if (twin === null) {
      await assertTargetExisted(session, endpoint, probe);
      break;
    }
    if (!isSuccess(twin)) {
      return { probe, twin };
    }
    ({ answer: probe } = await call.attempt({ key }));
  }
  return { probe, twin: await call.twin() };
}

/** Throws Inconclusive where the record that should be deleted may have been deleted along with another one. */
async function assertTargetExisted(session: Session, endpoint: Endpoint, probe: Answer): Promise<void> {
  if (await deletesOthersToo(session, kindOf(endpoint))) {
    const message = `Cannot tell why ${endpoint.id} got ${describeAnswer(probe)}: an accepted deletion removes others too`;
    throw undecided(probe, message, endpoint.clause);
  }
}

/** The limited key is refused somewhere. Throws Inconclusive where all calls get 401, as with an unknown key. */
function judgeTogether(tally: Tally, probes: readonly Probe[], notTried: readonly Finding[]): void {
  const [first] = probes;
  const refused = probes.filter(({ probe }) => !isSuccess(probe));
  if (first === undefined) {
    return;
  }
  if (refused.length === 0) {
    tally.judge(refusedNowhere(first.probe, probes, notTried));
  } else if (refused.length === probes.length && refused.every(({ probe }) => probe.status === 401)) {
    throw new Inconclusive(
      findingOn(first.probe, {
        message: `Limited key gets 401 on all of ${probes.length} documented calls: it may never have been issued`,
        expected: '403',
        actual: '401',
        cause:
          'WORKSPACE_LIMITED_API_KEY may not be a key of this workspace, or the deployment answers a lack of permission with 401',
      }),
    );
  }
}

/** Throws Inconclusive where only reads, or not all calls, were tried: the key may be allowed to make these. */
function refusedNowhere(answer: Answer, probes: readonly Probe[], [notTried]: readonly Finding[]): Finding {
  const finding = findingOn(answer, {
    message: `The limited key is never refused: all ${probes.length} documented calls succeed`,
    expected: '403 on at least one call',
    actual: 'no refusal',
    cause: 'Permissions are not checked, or WORKSPACE_LIMITED_API_KEY has them all',
  });
  const areReads = probes.every(({ endpoint }) => endpoint.method === 'GET');
  if (areReads && notTried?.needs?.setting === 'WRITES') {
    throw new Inconclusive({
      ...finding,
      advice: 'Set WRITES=all to try writes too: its user may be allowed to read everything',
      needs: { setting: 'WRITES', value: 'all' },
    });
  }
  if (areReads && notTried === undefined) {
    throw new Inconclusive({
      ...finding,
      cause: 'Its user may be allowed to read everything, and no write was answered',
    });
  }
  if (notTried !== undefined) {
    throw new Inconclusive({
      ...finding,
      cause: `Its user may lack only permissions that were not tried: ${notTried.message}`,
      ...(notTried.needs === undefined ? {} : { needs: notTried.needs }),
    });
  }
  return finding;
}
