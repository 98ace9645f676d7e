import { endpointOf } from '../../../../contract/endpoints.ts';
import type { Tally } from '../../../../results/outcome.ts';
import { expectAccepted, undecided } from '../../../engine/expect.ts';
import { judgePart } from '../../../engine/parts.ts';
import type { Body } from '../../../records/bodies.ts';
import type { Answer } from '../../../session/answer.ts';
import { callOf } from '../../../session/call.ts';
import type { ApiKey } from '../../../session/key.ts';
import type { Session } from '../../../session/session.ts';
import { keysOfBothEnvironments } from '../../environments.ts';
import { remarked } from '../bodies/bodies.ts';
import { twinWith } from './twins.ts';

/**
 * Judges a write that was accepted with the main key, with a live key, too, where there is one and WRITES allows it.
 * `body`: the accepted body, if it is not that of the plain call.
 */
export const judgeLiveWrite = (session: Session, tally: Tally, endpoint: string, body?: Body): Promise<void> =>
  judgePart(tally, async () => {
    const [, key] = await keysOfBothEnvironments(session, endpoint);
    if (key !== undefined) {
      const answer = await (body === undefined
        ? twinWith(session, endpoint, key)
        : sendMarked(session, endpoint, key, body));
      judgeLiveAnswer(tally, endpoint, answer);
    }
  });

const sendMarked = (session: Session, endpoint: string, key: ApiKey, body: Body): Promise<Answer> =>
  session.client.send(callOf(endpointOf(endpoint), key, { body: remarked(session, body, key.environment) }));

/** Which values live data know, such as skills and products, is open, and other clauses judge keys and scopes. */
const leavesOpen: readonly number[] = [400, 401, 403, 404];

/** Judges the answer to a write with a live key that the sandbox accepted. Throws Inconclusive where it is open. */
export function judgeLiveAnswer(tally: Tally, endpoint: string, answer: Answer): void {
  const what = `${endpoint} failed with a live key`;
  if (leavesOpen.includes(answer.status)) {
    throw undecided(answer, `${what}, perhaps because of its key or its values`);
  }
  tally.judge(expectAccepted(answer, what));
}
