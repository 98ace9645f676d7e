import { endpointOf } from '../../contract/endpoints.ts';
import { planLimits } from '../../contract/limits.ts';
import { Inconclusive } from '../../results/stop.ts';
import { resultOrNull } from '../engine/parts.ts';
import { cleanUp } from '../records/clean-up.ts';
import { read } from '../records/reads.ts';
import { type Answer, isSuccess } from '../session/answer.ts';
import { type Call, callOf } from '../session/call.ts';
import { givenKey, mainKey } from '../session/keys.ts';
import type { Entry } from '../session/ledger/ledger.ts';
import type { Session } from '../session/session.ts';
import { step } from '../session/step.ts';
import { type Drive, driveOver } from '../shared/limits/drive.ts';
import { createCall, deleteCall, type OtherCall, plainCall } from '../shared/limits/other-calls.ts';
import { changing, kinds, listing, pathOf, reading } from './kinds.ts';
import { recordStory } from './life/story.ts';
import { assertCreated, type Created } from './records/creating.ts';
import { firstRecord } from './records/run-records.ts';

/** Throws Skipped where EXHAUST forbids it, Inconclusive where no list can be read. */
export const driveWorkspace = step(async (session): Promise<Drive> => {
  const key = mainKey(session);
  session.client.assertMayExhaust(key);
  const [plain, ...reads] = await readsToDrive(session);
  // The drive needs the first agent; what it does not need is deleted before: a limiter might admit no calls afterwards.
  const agent = await resultOrNull(firstRecord(session, 'agents').then(assertCreated));
  const change = await changeOfLead(session);
  await session.until('quiet');
  const isUnused = ({ number }: Entry): boolean => number !== agent?.entry.number;
  await cleanUp(session, session.ledger.toDelete().filter(isUnused));
  const second = givenKey(session, 'WORKSPACE_SECOND_API_KEY');
  const lead = await resultOrNull(firstRecord(session, 'leads').then(assertCreated));
  return driveOver(session, {
    subject: 'workspace',
    key,
    limit: planLimits[session.settings.WORKSPACE_PLAN].perMinute,
    call: plain,
    others: [
      ...reads.map((call) => plainCall(call)),
      plainCall({ ...plain, query: { limit: 1 }, purpose: 'off-document' }),
      ...(agent === null ? [] : callsWith(session, agent)),
      ...(lead === null ? [] : [plainCall(callOf(endpointOf(reading('leads')), key, { id: lead.id }))]),
      ...change,
      ...(second === undefined ? [] : [plainCall({ ...plain, key: second }, ' with the second key')]),
    ],
    isOwnBudget: false,
    isUnused: false,
    blames: session.api.keyClause,
  });
});

/** The lists that can be read. Throws Inconclusive where there is none. */
async function readsToDrive(session: Session): Promise<readonly [Call, ...Call[]]> {
  const answers = await Promise.all(kinds.map((kind) => read(session, listing(kind))));
  const [first, ...others] = kinds.flatMap((kind, index) =>
    isSuccess(answers[index] as Answer) ? [callOf(endpointOf(listing(kind)), mainKey(session))] : [],
  );
  if (first === undefined) {
    const message = 'The limit was not tried: no list can be read';
    throw new Inconclusive({ message, blames: 'workspace.agents.list' });
  }
  return [first, ...others];
}

/** Calls that read the run's agent, create another one like it, and delete it. */
function callsWith(session: Session, agent: Created): readonly OtherCall[] {
  const key = mainKey(session);
  return [
    plainCall(callOf(endpointOf(reading('agents')), key, { id: agent.id })),
    createCall(session, pathOf('agents'), agent.another),
    deleteCall(session, key, agent),
  ];
}

/** The accepted change of the run's lead, to be sent again. A lead cannot be deleted, so that its id stays the run's. */
async function changeOfLead(session: Session): Promise<readonly OtherCall[]> {
  const change = await resultOrNull(recordStory(session, 'leads').then((story) => story.change()));
  if (change === null || !isSuccess(change.answer)) {
    return [];
  }
  const { record, body, headers } = change;
  return [plainCall(callOf(endpointOf(changing('leads')), mainKey(session), { id: record.id, body, headers }))];
}
