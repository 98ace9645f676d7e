import { notMet } from '../../results/drift.ts';
import { type Outcome, observed } from '../../results/outcome.ts';
import type { Checks } from '../engine/check.ts';
import { resultOrNull, settle } from '../engine/parts.ts';
import { createRecord } from '../records/own.ts';
import { type Answer, isSuccess } from '../session/answer.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { creating, listing } from './kinds.ts';
import { recordStory } from './life/story.ts';
import { firstRecord } from './records/run-records.ts';

/** What the document leaves open about requests. */
export const requests: Checks = {
  'workspace.requests.content-type': observeContentType,
};

/** What a read and a create without Content-Type get. */
async function observeContentType(session: Session): Promise<Outcome> {
  const untyped = { headers: { 'Content-Type': '' }, purpose: 'off-document' } as const;
  const list = await send(session, listing('leads'), untyped);
  // A deployment may cap the number of agents: those of the story come first.
  await settle(recordStory(session, 'agents'));
  const first = await resultOrNull(firstRecord(session, 'agents'));
  const agent =
    first?.id === undefined
      ? null
      : await createRecord(session, first.collection, { ...(await first.another()), ...untyped });
  return observed({
    [listing('leads')]: outcomeOf(list),
    [creating('agents')]: agent === null ? notMet : outcomeOf(agent.answer),
  });
}

const outcomeOf = (answer: Answer): string =>
  isSuccess(answer) ? `accepted with ${answer.status}` : `refused with ${answer.status}`;
