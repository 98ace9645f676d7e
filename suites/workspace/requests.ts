import { endpointOf } from '../../contract/endpoints.ts';
import { type Outcome, observed } from '../../results/outcome.ts';
import type { Checks } from '../engine/check.ts';
import { isUndecided } from '../engine/parts.ts';
import { type Answer, isSuccess } from '../session/answer.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { arrangeCall } from './support/arrange.ts';
import { creating, listing } from './support/kinds.ts';
import { variedRead } from './support/varied-read.ts';

/** What the document leaves open about requests. */
export const requests: Checks = {
  'workspace.requests.content-type': observeContentType,
};

const untyped = { headers: { 'Content-Type': '' }, purpose: 'off-document' } as const;

async function observeContentType(session: Session): Promise<Outcome> {
  const { answer: varied } = await variedRead(session);
  return observed({
    [listing('leads')]: outcomeOf(isSuccess(varied) ? varied : await send(session, listing('leads'), untyped)),
    [creating('agents')]: await untypedCreate(session),
  });
}

async function untypedCreate(session: Session): Promise<string> {
  try {
    const call = await arrangeCall(session, endpointOf(creating('agents')));
    return isSuccess(await call.twin())
      ? outcomeOf((await call.attempt(untyped)).answer)
      : 'not tried: no body is known that is taken';
  } catch (error) {
    if (isUndecided(error)) {
      return `not tried: ${error.message}`;
    }
    throw error;
  }
}

const outcomeOf = (answer: Answer): string =>
  isSuccess(answer) ? `accepted with ${answer.status}` : `refused with ${answer.status}`;
