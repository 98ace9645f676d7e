import { notMet } from '../../results/drift.ts';
import { type Outcome, observed } from '../../results/outcome.ts';
import type { Checks } from '../engine/check.ts';
import { type Answer, isSuccess } from '../session/answer.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { creating, listing } from './kinds.ts';
import { variedRead } from './life/varied-read.ts';
import { untypedAgent } from './standing.ts';

/** What the document leaves open about requests. */
export const requests: Checks = {
  'workspace.requests.content-type': observeContentType,
};

async function observeContentType(session: Session): Promise<Outcome> {
  const { answer: varied } = await variedRead(session);
  const agent = await untypedAgent(session);
  const headers = { 'Content-Type': '' };
  return observed({
    [listing('leads')]: outcomeOf(
      isSuccess(varied) ? varied : await send(session, listing('leads'), { headers, purpose: 'off-document' }),
    ),
    [creating('agents')]: agent === null ? notMet : outcomeOf(agent.answer),
  });
}

const outcomeOf = (answer: Answer): string =>
  isSuccess(answer) ? `accepted with ${answer.status}` : `refused with ${answer.status}`;
