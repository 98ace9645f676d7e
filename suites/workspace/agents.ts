import { createTally, type Outcome, type Tally } from '../../results/outcome.ts';
import type { Checks } from '../engine/engine.ts';
import { cameOf, expectStatus, findingOn } from '../engine/expect.ts';
import { type Answer, callOf } from '../session/call.ts';
import { judgeChanged } from './changes.ts';
import { listing, reading } from './endpoints.ts';
import { lookFor, type Sighting, untilShown } from './lists.ts';
import { another, type Made, made, main, remove, succeeded } from './records.ts';
import { details, isShown, judgeCreated, judgeListed, judgeRead, notRemoved } from './records-judged.ts';
import type { WorkspaceSession } from './session.ts';

/** An agent of the run's that was deleted, and what is left of it. */
export interface Deleted {
  readonly record: Made;
  readonly answer: Answer;
  readonly later: Answer;
  readonly sighting: Sighting;
  /** The deployment shows it nowhere any more. */
  readonly gone: boolean;
}

/** Deletes an agent made for that, once a run. Throws Inconclusive where none can be made. */
export const deletedAgent = (session: WorkspaceSession): Promise<Deleted> =>
  session.once('deleted agent', async () => {
    const record = made(await another(session, 'agents', 'deleting'));
    const answer = await remove(session, record);
    const read = (): Promise<Answer> => session.client.send(callOf(reading('agents'), session.key, { id: record.id }));
    const later = await untilShown(session, read, ({ status }) => status === 404);
    const sighting = await untilShown(
      session,
      () => lookFor(session, 'agents', record),
      (one) => !isShown(one, record),
    );
    return { record, answer, later, sighting, gone: later.status === 404 && !isShown(sighting, record) };
  });

async function judgeDeleted(session: WorkspaceSession): Promise<Outcome> {
  const { record, answer, later, sighting } = await deletedAgent(session);
  const tally = createTally();
  tally.judge(notRemoved(answer, 'Agent is not deleted'));
  if (!succeeded(answer)) {
    return tally.outcome();
  }
  await judgeAbsence(session, tally, later);
  if (isShown(sighting, record)) {
    tally.judge(
      findingOn(sighting.answers.at(-1) ?? sighting.answers[0], {
        message: `Deleted agent is still listed: ${record.id} in ${listing('agents').id}`,
        expected: 'absent',
        actual: 'listed',
        place: 'body',
      }),
    );
  }
  return tally.outcome();
}

/** A 404 tells something where an agent that exists can be read. */
async function judgeAbsence(session: WorkspaceSession, tally: Tally, later: Answer): Promise<void> {
  const { answer: twin } = await details(session, 'agents');
  if (succeeded(twin) || succeeded(later)) {
    tally.judge(expectStatus(later, 404, 'Deleted agent is not gone'));
  } else {
    tally.leaveOpen(
      findingOn(twin, {
        message: `Whether a deleted agent is gone cannot be read: an agent that exists gets ${cameOf(twin)}`,
        blames: reading('agents').clause,
      }),
    );
  }
}

/** Agents: list, create, read, update, delete. */
export const agents: Checks<WorkspaceSession> = {
  'workspace.agents.list': (session) => judgeListed(session, 'agents', () => main(session, 'agents')),
  'workspace.agents.create': async (session) => judgeCreated(await main(session, 'agents')),
  'workspace.agents.get': (session) => judgeRead(session, 'agents'),
  'workspace.agents.update': (session) => judgeChanged(session, 'agents'),
  'workspace.agents.delete': judgeDeleted,
};
