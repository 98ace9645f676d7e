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
import { variedRead } from './life/varied-read.ts';
import { assertCreated } from './records/creating.ts';
import { firstRecord } from './records/run-records.ts';

/** What the document leaves open about requests. */
export const requests: Checks = {
  'workspace.requests.content-type': observeContentType,
};

async function observeContentType(session: Session): Promise<Outcome> {
  const { answer: varied } = await variedRead(session);
  const headers = { 'Content-Type': '' };
  return observed({
    [listing('leads')]: outcomeOf(
      isSuccess(varied) ? varied : await send(session, listing('leads'), { headers, purpose: 'off-document' }),
    ),
    [creating('agents')]: await untypedCreate(session),
  });
}

/** An agent created without a content type, once no other needs room. */
async function untypedCreate(session: Session): Promise<string> {
  await settle(recordStory(session, 'agents'));
  const first = await resultOrNull(firstRecord(session, 'agents').then(assertCreated));
  if (first === null) {
    return notMet;
  }
  const { tag, body } = await first.another();
  const creation = { tag, body, headers: { 'Content-Type': '' }, purpose: 'off-document' } as const;
  return outcomeOf((await createRecord(session, first.collection, creation)).answer);
}

const outcomeOf = (answer: Answer): string =>
  isSuccess(answer) ? `accepted with ${answer.status}` : `refused with ${answer.status}`;
