import { minuteAt, planLimits } from '../../contract/limits.ts';
import { judged, type Outcome, observed } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import { atMoment, type Checks } from '../engine/check.ts';
import { describeAnswer } from '../engine/describe-answer.ts';
import { findingOn, undecided } from '../engine/expect.ts';
import { read } from '../records/reads.ts';
import { isSuccess } from '../session/answer.ts';
import type { ApiKey } from '../session/key.ts';
import { requireKey } from '../session/keys.ts';
import type { Session } from '../session/session.ts';
import { headerFormats, judgeLimitHeaders, judgeLimitValues } from '../shared/limits/headers.ts';
import {
  type Drives,
  judgeExceeded,
  judgePerMinute,
  judgeRecovery,
  observedWindow,
  skipPerDay,
} from '../shared/limits/limits.ts';
import { judgeRemaining } from '../shared/limits/remaining.ts';
import { driveWorkspace } from './drive.ts';
import { listing } from './kinds.ts';

/** Drives the workspace over its limit. It needs EXHAUST=all. */
const drives: Drives = (session) => [() => driveWorkspace(session)];

/** Keys of the judged workspace. The key of another one may have another plan. */
const workspaceKeys: ReadonlySet<ApiKey['setting']> = new Set([
  'WORKSPACE_API_KEY',
  'WORKSPACE_SECOND_API_KEY',
  'WORKSPACE_LIMITED_API_KEY',
]);

/** Limits. They are judged by one drive over the minute's limit; a day's limit takes the load scripts. */
export const limits: Checks = {
  'workspace.limits.headers': judgeLimitHeaders,
  'workspace.limits.exceeded': atMoment('quiet', judgeExceeded(drives)),
  'workspace.limits.per-minute': atMoment('quiet', judgePerMinute(drives)),
  'workspace.limits.per-day': skipPerDay(({ settings: { WORKSPACE_PLAN } }) => ({
    [WORKSPACE_PLAN]: planLimits[WORKSPACE_PLAN],
  })),
  'workspace.limits.per-workspace': atMoment('quiet', judgeSecondKey),
  'workspace.limits.recovery': atMoment('quiet', judgeRecovery(drives)),
  'workspace.limits.remaining': atMoment(
    'quiet',
    judgeRemaining(drives, async () => false),
  ),
  'workspace.limits.limit-value': atMoment(
    'quiet',
    judgeLimitValues(drives, ({ setting }, { settings: { WORKSPACE_PLAN } }) =>
      workspaceKeys.has(setting)
        ? { subject: `${WORKSPACE_PLAN} workspace`, limits: planLimits[WORKSPACE_PLAN] }
        : null,
    ),
  ),

  'workspace.limits.header-format': atMoment('quiet', async (session) => {
    const { verdict, samples } = await driveWorkspace(session);
    return observed(
      headerFormats(
        verdict.headers,
        samples.some(({ status }) => status === 429),
      ),
    );
  }),

  'workspace.limits.window': atMoment('quiet', async (session) => {
    return observed(observedWindow(await driveWorkspace(session)));
  }),
};

/** The second key, accepted before, is refused while the first one is. */
async function judgeSecondKey(session: Session): Promise<Outcome> {
  const key = requireKey(session, 'WORKSPACE_SECOND_API_KEY');
  const cannotTell = 'Cannot tell whether two keys share a limit';
  const own = await read(session, listing('agents'));
  const twin = isSuccess(own) ? await read(session, listing('agents'), { key }) : own;
  if (!isSuccess(twin)) {
    const message = `${cannotTell}: before the limit is reached, listing agents with ${twin === own ? 'the first' : 'the second'} one got ${describeAnswer(twin)}`;
    throw undecided(twin, message, twin === own ? 'workspace.agents.list' : 'workspace.auth.shared');
  }
  const { verdict, answerTo, decisive } = await driveWorkspace(session);
  const probe = verdict.probes.find((one) => one.key === key.label);
  const leak = verdict.probes.find((one) => one.outcome === 'admitted' && one.key !== key.label);
  if (verdict.exceeded.firstRefused === null) {
    throw undecided(decisive, `${cannotTell}: the first key was never refused with 429`, 'workspace.limits.exceeded');
  }
  if (leak !== undefined) {
    const message = `${cannotTell}: ${leak.route} is accepted while the limit is used up`;
    throw undecided(answerTo(leak.sample) ?? decisive, message, 'workspace.limits.per-minute');
  }
  if (probe?.outcome === 'refused' && probe.isBetweenRefusals) {
    return judged(null);
  }
  const answer = (probe && answerTo(probe.sample)) ?? decisive;
  if (probe?.outcome === 'admitted') {
    const message = 'Second key of the workspace has a limit of its own: it is accepted while the first key is refused';
    return judged(findingOn(answer, { message, expected: '429', actual: describeAnswer(answer) }));
  }
  const { CLOCK_SPEED } = session.settings;
  const advice = CLOCK_SPEED > 1 ? { advice: `Lower CLOCK_SPEED: a window lasts ${minuteAt(CLOCK_SPEED)} ms` } : {};
  const message = `${cannotTell}: the limit was reset before or while the second key was tried`;
  throw new Inconclusive(findingOn(answer, { message, ...advice }));
}
