import { developerEndpoints } from '../../../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../../../contract/endpoint.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import { createTally, type Tally } from '../../../../results/outcome.ts';
import type { Check } from '../../../engine/check.ts';
import { judgePart } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ArrangedCall, Difference } from '../../../session/api.ts';
import type { ApiKey } from '../../../session/key.ts';
import type { Session } from '../../../session/session.ts';
import { bodyNull, cutOff, judgeOddBodies, type OddBody } from '../../../shared/refusals/odd-bodies.ts';
import { judgeRefusal } from '../../../shared/refusals/refusals.ts';
import { keysOfBothEnvironments } from '../../environments.ts';
import { twinWith } from './twins.ts';

const posts = developerEndpoints.filter(({ body }) => body !== undefined);

/** The accepted body without its quotes. */
const unquoted: OddBody = { ...cutOff, reshape: (body) => JSON.stringify(body).replaceAll('"', '') };
const list: OddBody = { what: 'A body that is an array', reshape: (body) => [body] };

/** A check: a body that is not JSON gets 400, on every POST that takes a body. */
export const judgeBrokenBodies: Check = judgeMalformed(posts, (index) => [index % 2 === 0 ? cutOff : unquoted]);

/** A check: a body that is JSON but not an object gets 400 where the document requires fields. */
export const judgeNotAnObject: Check = judgeMalformed(
  posts.filter(({ body }) => body?.some(({ required }) => required)),
  () => [bodyNull, list],
);

/** A check: such bodies get 400 on each of the calls, and the first one on one call with a live key, too. */
function judgeMalformed(
  endpoints: readonly Endpoint[],
  bodiesFor: (index: number) => readonly [OddBody, ...OddBody[]],
): Check {
  return async (session) => {
    const tally = createTally();
    const outcome = judgeOddBodies(session, endpoints, bodiesFor, async (call, difference) => {
      const [key] = await keysOfBothEnvironments(session, call.endpoint.id);
      return sendOrWithMainKey(call, key, difference);
    });
    const [first] = bodiesFor(0);
    await judgePart(tally, () => judgeLive(session, tally, endpointOf('POST /api/v1/inbox/draft'), first));
    tally.add(await outcome);
    return tally.outcome();
  };
}

/** Judges an odd body with a live key, if there is one; the twin is the plain call with that key. */
async function judgeLive(session: Session, tally: Tally, endpoint: Endpoint, odd: OddBody): Promise<void> {
  const [, key] = await keysOfBothEnvironments(session, endpoint.id);
  if (key !== undefined) {
    const twin = await twinWith(session, endpoint.id, key);
    const call = await session.api.arrange(session, endpoint, 'a broken body, live');
    const probe = await call.send({ purpose: 'off-document', reshape: odd.reshape, key });
    const what = `${odd.what} sent with a live key`;
    judgeRefusal(tally, { probe, twin, endpoint, status: 400, what });
  }
}

/** Sends a call with a key; where that gets 401 or 403, which other clauses judge, with the main key. */
export async function sendOrWithMainKey(call: ArrangedCall, key: ApiKey, difference: Difference): Promise<Answer> {
  const answer = await call.send({ ...difference, key });
  return [401, 403].includes(answer.status) ? call.send(difference) : answer;
}
