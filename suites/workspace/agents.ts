import { endpointOf } from '../../contract/endpoints.ts';
import { createTally, type Outcome, type Tally } from '../../results/outcome.ts';
import { atMoment, type Checks } from '../engine/check.ts';
import { describeAnswer } from '../engine/describe-answer.ts';
import { expectStatus, findingOn } from '../engine/expect.ts';
import { mentions } from '../reading/own-words.ts';
import { isUnguessable } from '../reading/unguessable.ts';
import { judgeNotListed, stillListedTest } from '../records/listed-records.ts';
import { isShownGone } from '../records/shown-gone.ts';
import { type Answer, isSuccess } from '../session/answer.ts';
import type { Session } from '../session/session.ts';
import { judgeChanged, judgeKept } from './support/changes/judge-changes.ts';
import { agentDeletion } from './support/deletions/deletions.ts';
import { judgeGone, tookAnother } from './support/deletions/gone.ts';
import { reading } from './support/kinds.ts';
import type { Created } from './support/records/create.ts';
import { detailView } from './support/records/details.ts';
import { judgeListed } from './support/records/judge-lists.ts';
import { judgeCreated, judgeDeletion, judgeRead } from './support/records/judge-records.ts';
import { mainRecord } from './support/records/main-record.ts';

/** Agents: list, create, read, update, delete. */
export const agents: Checks = {
  'workspace.agents.list': (session) => judgeListed(session, 'agents', () => mainRecord(session, 'agents')),
  'workspace.agents.create': async (session) => judgeCreated(await mainRecord(session, 'agents')),
  'workspace.agents.get': (session) => judgeRead(session, 'agents'),
  'workspace.agents.update': atMoment('quiet', (session) => judgeChanged(session, 'agents')),
  'workspace.agents.update-keeps': (session) => judgeKept(session, 'agents'),
  'workspace.agents.delete': atMoment('quiet', judgeDeleted),
};

/** DELETE succeeds, that agent is then gone, and no other is. */
async function judgeDeleted(session: Session): Promise<Outcome> {
  const { record, answer, later, search, before, other, otherListed, isOtherLost } = await agentDeletion(session);
  const tally = createTally();
  judgeDeletion(tally, { record, row: before.row, answer }, 'Agent was not deleted');
  if (isSuccess(answer)) {
    await judgeNotFound(session, tally, record, later);
    judgeNotListed(tally, search, record, before);
    const lost = { noun: 'agent', deleted: record.id, taken: other.id };
    tally.judge(isOtherLost ? tookAnother(search.last, lost) : null);
    await judgeGone(session, tally, {
      kind: 'agents',
      record,
      answer,
      before: otherListed,
      after: search,
      isThere: stillListedTest(before, record),
      isGone: (row) => isShownGone(row),
    });
  }
  return tally.outcome();
}

/** Reading the deleted agent gets 404. Left open where other reads fail, or the id may now belong to another agent. */
async function judgeNotFound(session: Session, tally: Tally, { id, tag }: Created, later: Answer): Promise<void> {
  const { answer: twin } = await detailView(session, 'agents');
  if (isSuccess(later) && !isUnguessable(id) && !mentions(later.json, tag)) {
    const message = `Cannot tell whether a deleted agent is gone: its id ${id} may have been reused`;
    tally.leaveOpen(findingOn(later, { message, blames: 'workspace.errors.not-found' }));
  } else if (isSuccess(twin) || isSuccess(later)) {
    tally.judge(expectStatus(later, 404, 'Reading a deleted agent'));
  } else {
    const message = `Cannot tell whether a deleted agent is gone: an existing one got ${describeAnswer(twin)}`;
    tally.leaveOpen(findingOn(twin, { message, blames: endpointOf(reading('agents')).clause }));
  }
}
