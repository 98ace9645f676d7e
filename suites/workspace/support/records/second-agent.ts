import { resultOrNull } from '../../../engine/parts.ts';
import { mentions } from '../../../session/reading/own-words.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { createRecord } from '../../../shared/records.ts';
import { readableAgent } from '../events/registrations.ts';
import { pathOf } from '../kinds.ts';
import { type Attempt, assertCreated, type Created } from './create.ts';
import { firstRecord, recordFor } from './records.ts';

/**
 * Another agent, made by a call without a content type: what that gets is a question of its own. Throws Inconclusive where no body
 * is known that is taken.
 */
export const untypedAgent = step(async (session): Promise<Attempt> => {
  const first = assertCreated(await firstRecord(session, 'agents'));
  const { tag, body, fields } = await first.another();
  const creation = { tag, body, headers: { 'Content-Type': '' }, purpose: 'off-document' } as const;
  return { ...first, fields, ...(await createRecord(session, pathOf('agents'), creation)) };
});

/**
 * The agent that stands beside the first while that is changed, and is deleted then. One that was made without a content type will
 * do where it looks as the others do. Throws Inconclusive where none can be made.
 */
export const secondAgent = step(async (session): Promise<Created> => {
  if (session.clauses.has('workspace.requests.content-type')) {
    const first = await firstRecord(session, 'agents');
    const untyped = await resultOrNull(untypedAgent(session).then(assertCreated));
    if (untyped !== null && showsWords(untyped) === showsWords(first)) {
      return untyped;
    }
  }
  // A deployment may cap their number: one that is there and serves nothing else any more will do, too.
  const [spare] = readableAgent.begun(session);
  const kept = spare === undefined ? null : await resultOrNull(spare.then(assertCreated));
  return kept ?? assertCreated(await recordFor(session, 'agents', 'deleting'));
});

const showsWords = ({ answer, tag }: Attempt): boolean => mentions(answer.json, tag);

/** Whether the run looks at what deleting an agent does: the agent that others stand on is then chosen after it. */
export const agentsDeletionIsJudged = ({ clauses }: Pick<Session, 'clauses'>): boolean =>
  clauses.has('workspace.agents.delete');
