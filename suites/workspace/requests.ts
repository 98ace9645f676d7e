import { endpointOf } from '../../contract/endpoints.ts';
import { notMet } from '../../results/drift.ts';
import { type Outcome, observed } from '../../results/outcome.ts';
import type { Checks } from '../engine/check.ts';
import { resultOrNull } from '../engine/parts.ts';
import { type Answer, isSuccess } from '../session/answer.ts';
import type { Session } from '../session/session.ts';
import { arrangeCall } from './calls.ts';
import { changing, listing } from './kinds.ts';
import { readVaried, withoutType } from './varied-read.ts';

/** What the document leaves open about requests. */
export const requests: Checks = {
  'workspace.requests.content-type': observeContentType,
};

/** What a read and a change without Content-Type get. */
async function observeContentType(session: Session): Promise<Outcome> {
  const list = await readVaried(session, withoutType);
  const change = await resultOrNull(arrangeCall(session, endpointOf(changing('agents'))));
  const changed = await change?.attempt({ ...withoutType, purpose: 'off-document' });
  return observed({
    [listing('leads')]: outcomeOf(list),
    [changing('agents')]: changed === undefined ? notMet : outcomeOf(changed.answer),
  });
}

const outcomeOf = (answer: Answer): string =>
  isSuccess(answer) ? `accepted with ${answer.status}` : `refused with ${answer.status}`;
