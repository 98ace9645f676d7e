import { endpointOf } from '../../contract/endpoints.ts';
import type { Tally } from '../../results/outcome.ts';
import { atMoment, type Checks } from '../engine/check.ts';
import { describeAnswer, expectStatus, findingOn } from '../engine/expect.ts';
import { mentions } from '../reading/own-words.ts';
import { isUnguessable } from '../reading/unguessable.ts';
import { judgeNotListed } from '../records/listed-records.ts';
import { type Answer, isSuccess } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import { reading } from './kinds.ts';
import type { Created } from './records/creating.ts';
import { detailView } from './stories/detail-view.ts';
import { judgeChanged, judgeKept } from './stories/judge-changes.ts';
import { judgeCreates, judgeDeletion, judgeListed, judgeRead, judgeStaysGone } from './stories/judge-records.ts';
import { recordStory } from './stories/record-story.ts';

/** Agents: list, create, read, update, delete. */
export const agents: Checks = {
  'workspace.agents.list': judgeListed('agents'),
  'workspace.agents.create': judgeCreates('agents'),
  'workspace.agents.get': judgeRead('agents'),
  'workspace.agents.update': judgeChanged('agents'),
  'workspace.agents.update-keeps': judgeKept('agents'),
  'workspace.agents.delete': atMoment('badKeys', judgeDeleted),
};

/** DELETE succeeds, that agent is then gone, and no other is. */
async function judgeDeleted(session: Session, tally: Tally): Promise<void> {
  const deletion = (await recordStory(session, 'agents')).deletion();
  const { record, before, later, search } = deletion;
  if (judgeDeletion(tally, deletion, 'Agent was not deleted')) {
    if (later !== null) {
      await judgeNotFound(session, tally, record, later);
    }
    judgeNotListed(tally, search, record, before);
    await judgeStaysGone(session, tally, deletion);
  }
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
