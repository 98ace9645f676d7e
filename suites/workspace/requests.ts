import { notMet } from '../../results/drift.ts';
import { type Outcome, observed } from '../../results/outcome.ts';
import type { Checks } from '../engine/check.ts';
import { isUndecided } from '../engine/parts.ts';
import { type Answer, isSuccess } from '../session/answer.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { creating, listing } from './support/kinds.ts';
import { untypedAgent } from './support/records/second-agent.ts';
import { variedRead } from './support/records/varied-read.ts';

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

async function untypedCreate(session: Session): Promise<string> {
  try {
    return outcomeOf((await untypedAgent(session)).answer);
  } catch (error) {
    if (isUndecided(error)) {
      return notMet;
    }
    throw error;
  }
}

const outcomeOf = (answer: Answer): string =>
  isSuccess(answer) ? `accepted with ${answer.status}` : `refused with ${answer.status}`;
