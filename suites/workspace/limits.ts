import { commandOf } from '../../common/suite.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { planLimits } from '../../contract/limits.ts';
import { headerOf } from '../../results/exchange.ts';
import { Inconclusive } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import { atMoment, type Checks, resultOrNull } from '../engine/check.ts';
import { describeAnswer, findingOn, needAccepted, undecided } from '../engine/expect.ts';
import { cleanUp } from '../records/clean-up.ts';
import { read, workingRead } from '../records/reads.ts';
import { type ApiKey, type CallDetails, callOf, isOfOtherWorkspace, isSuccess } from '../session/call.ts';
import type { Entry } from '../session/ledger/ledger.ts';
import { givenKey, mainKey, requireKey, type Session, step } from '../session/session.ts';
import { limitChecks, observedWindow } from '../shared/limits/checks.ts';
import { createCall, type Drive, deleteCall, driveOver, type OtherCall, plainCall } from '../shared/limits/drive.ts';
import { assertCreated, changing, kinds, listing, pathOf, reading } from './records/creating.ts';
import { firstOf } from './records/run-records.ts';
import { recordStory } from './stories/record-story.ts';

const checks = limitChecks('workspace', {
  // It needs EXHAUST=all.
  drives: (session) => [driveWorkspace(session)],
  // The key of another workspace may have another plan.
  limitsOf: (key, { settings: { WORKSPACE_PLAN } }) =>
    key.origin === 'given' && !isOfOtherWorkspace(key)
      ? { subject: `${WORKSPACE_PLAN} workspace`, limits: planLimits[WORKSPACE_PLAN] }
      : null,
});

/** Limits. They are judged by one drive over the minute's limit; a day's limit takes the load scripts. */
export const limits: Checks = {
  ...checks,
  // All keys of a workspace draw on one budget, and those of another workspace do not.
  'workspace.limits.per-workspace': atMoment('quiet', async (session, tally) => {
    const outsider = givenKey(session, 'WORKSPACE_OTHER_API_KEY');
    const shared = outsider && (await refusedOutsider(session, outsider));
    tally.judge(shared ?? (await judgeSecondKey(session)));
  }),
  'workspace.limits.window': atMoment('quiet', async (session) => observedWindow(await driveWorkspace(session))),
};

/** Fewer calls that are left to another workspace may have been used up by somebody else when it is tried. */
const fewestLeft = 10;

/**
 * The finding on another workspace's key that is refused while this workspace's is; null: it is not, or nothing shows
 * that it had calls left.
 */
async function refusedOutsider(session: Session, key: ApiKey): Promise<Finding | null> {
  const before = await resultOrNull(read(session, listing('agents'), { key }));
  const left = Number(before?.exchange.response && headerOf(before.exchange.response.headers, 'x-ratelimit-remaining'));
  const drive = before && isSuccess(before) && left >= fewestLeft ? await driveWorkspace(session) : null;
  const probe = drive?.verdict.probes.find((one) => one.key === key.label);
  const answer = probe && drive?.answers.get(probe.sample);
  if (answer?.status !== 429 || probe?.isBetweenRefusals !== true) {
    return null;
  }
  return findingOn(answer, {
    message: `Another workspace shares the limit: its key, which had ${left} calls left before, is refused while this workspace's key is`,
    expected: 'a limit per workspace',
    actual: describeAnswer(answer),
    cause: 'Calls are counted by address or all together, or WORKSPACE_OTHER_API_KEY is a key of this workspace',
  });
}

/** The finding on a second key, accepted before, that is not refused while the first one is; null: it is. */
async function judgeSecondKey(session: Session): Promise<Finding | null> {
  const key = requireKey(session, 'WORKSPACE_SECOND_API_KEY');
  const cannotTell = 'Cannot tell whether two keys share a limit';
  const twin = await read(session, listing('agents'), { key });
  needAccepted(twin, 'The second key cannot list agents', 'workspace.auth.shared');
  const { verdict, answers, decisive } = await driveWorkspace(session);
  const probe = verdict.probes.find((one) => one.key === key.label);
  if (verdict.exceeded.firstRefused === null) {
    throw undecided(decisive, `${cannotTell}: the first key was never refused with 429`, 'workspace.limits.exceeded');
  }
  if (probe?.outcome === 'refused' && probe.isBetweenRefusals) {
    return null;
  }
  const answer = (probe && answers.get(probe.sample)) ?? decisive;
  if (probe?.outcome === 'admitted') {
    const message = 'Second key of the workspace has a limit of its own: it is accepted while the first key is refused';
    return findingOn(answer, { message, expected: '429', actual: describeAnswer(answer) });
  }
  const message = `${cannotTell}: the limit was reset before or while the second key was tried`;
  throw new Inconclusive(
    findingOn(answer, { message, advice: `Run ${commandOf('load', 'shared')} for a closer look` }),
  );
}

/** Throws Skipped where EXHAUST forbids it, Inconclusive where no list can be read. */
const driveWorkspace = step(async (session): Promise<Drive> => {
  const key = mainKey(session);
  session.client.assertMayExhaust(key);
  const plain = callOf(await workingRead(session), key);
  const lists = await Promise.all(kinds.map((kind) => read(session, listing(kind))));
  const readable = kinds.map(listing).filter((id, index) => id !== plain.endpoint?.id && lists[index]?.accepted);
  // The drive needs the first agent; what it does not need is deleted before: a limiter might admit no calls
  // afterwards. A lead cannot be deleted, so its id stays the run's.
  const agent = await resultOrNull(firstOf(session, 'agents').then(assertCreated));
  const lead = await resultOrNull(firstOf(session, 'leads').then(assertCreated));
  const change = await resultOrNull(recordStory(session, 'leads').then((story) => story.change()));
  await session.until('quiet');
  const isUnused = ({ number }: Entry): boolean => number !== agent?.entry.number;
  await cleanUp(session, session.ledger.toDelete().filter(isUnused));
  const second = givenKey(session, 'WORKSPACE_SECOND_API_KEY');
  const calling = (id: string, details: CallDetails = {}): OtherCall => plainCall(callOf(endpointOf(id), key, details));
  return driveOver(session, {
    subject: 'workspace',
    key,
    limit: planLimits[session.settings.WORKSPACE_PLAN].perMinute,
    call: plain,
    others: [
      ...readable.map((id) => calling(id)),
      plainCall({ ...plain, query: { limit: 1 }, purpose: 'off-document' }),
      ...(agent === null
        ? []
        : [
            calling(reading('agents'), { id: agent.id }),
            createCall(session, pathOf('agents'), agent.another),
            deleteCall(session, key, agent),
          ]),
      ...(lead === null ? [] : [calling(reading('leads'), { id: lead.id })]),
      ...(lead !== null && change !== null && isSuccess(change.answer)
        ? [calling(changing('leads'), { id: lead.id, body: change.body })]
        : []),
      ...(second === undefined ? [] : [plainCall({ ...plain, key: second }, ' with the second key')]),
    ],
    outsider: givenKey(session, 'WORKSPACE_OTHER_API_KEY'),
    isUnused: false,
    blames: session.api.keyClause,
  });
});
