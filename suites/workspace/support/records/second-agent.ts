import { resultOrNull } from '../../../engine/parts.ts';
import { mentions } from '../../../reading/own-words.ts';
import { createRecord } from '../../../records/own.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { pathOf } from '../kinds.ts';
import { type Attempt, assertCreated, type Created } from './create.ts';
import { firstRecord, recordFor } from './run-records.ts';

/** An agent created by a call without a content type. Throws Inconclusive where no accepted body is known. */
export const untypedAgent = step(async (session): Promise<Attempt> => {
  const first = assertCreated(await firstRecord(session, 'agents'));
  const { tag, body, fields } = await first.another();
  const creation = { tag, body, headers: { 'Content-Type': '' }, purpose: 'off-document' } as const;
  return { ...first, fields, ...(await createRecord(session, pathOf('agents'), creation)) };
});

/**
 * The agent that exists while the first one is changed, and is then deleted. Agents that serve no other clause any more
 * are used before a new one is created, since a deployment may cap their number. Throws Inconclusive where there is
 * none.
 */
export const secondAgent = step(async (session): Promise<Created> => {
  if (session.clauses.has('workspace.requests.content-type')) {
    const first = await firstRecord(session, 'agents');
    const untyped = await resultOrNull(untypedAgent(session).then(assertCreated));
    // Without a content type, the deployment may have read nothing of the body.
    if (untyped !== null && showsWords(untyped) === showsWords(first)) {
      return untyped;
    }
  }
  return assertCreated(await recordFor(session, 'agents', 'deleting'));
});

const showsWords = ({ answer, tag }: Attempt): boolean => mentions(answer.json, tag);

/** Whether the run judges the deletion of an agent: the agent that other clauses use is then chosen after it. */
export const isAgentDeletionJudged = ({ clauses }: Pick<Session, 'clauses'>): boolean =>
  clauses.has('workspace.agents.delete');
