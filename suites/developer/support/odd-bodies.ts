import { developerEndpoints } from '../../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import type { Outcome } from '../../../results/outcome.ts';
import type { Answer } from '../../session/answer.ts';
import type { Arranged, Difference } from '../../session/api.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { bodyNull, cutOff, judgeOddBodies, type OddBody } from '../../shared/refusals/odd-bodies.ts';
import { keysOfBothEnvironments } from './environments.ts';

const posts = developerEndpoints.filter(({ body }) => body !== undefined);

/** The accepted body with names that stand without quotes. */
const unquoted: OddBody = { ...cutOff, reshape: (body) => JSON.stringify(body).replaceAll('"', '') };
const list: OddBody = { what: 'Body that is a list', reshape: (body) => [body] };

/** A body that is not JSON gets 400, on every POST that takes a body. */
export const judgeBrokenBodies = (session: Session): Promise<Outcome> =>
  judge(session, posts, (index) => [index % 2 === 0 ? cutOff : unquoted]);

/** A body that is JSON and no object gets 400, where fields are required. */
export const judgeNotAnObject = (session: Session): Promise<Outcome> => {
  const demanding = posts.filter(({ body }) => body?.some(({ required }) => required) === true);
  return judge(session, demanding, () => [bodyNull, list]);
};

const judge = (
  session: Session,
  endpoints: readonly Endpoint[],
  bodiesFor: (index: number) => readonly OddBody[],
): Promise<Outcome> =>
  judgeOddBodies(session, endpoints, bodiesFor, async (call, difference) => {
    const [key] = await keysOfBothEnvironments(session, call.endpoint.id);
    return sendWith(call, key, difference);
  });

/** Sends a call with a key of the run's; with the main key, that of the twin, where the other is kept out. */
export async function sendWith(call: Arranged, key: ApiKey, difference: Difference): Promise<Answer> {
  const answer = await call.send({ ...difference, key });
  return [401, 403].includes(answer.status) ? call.send(difference) : answer;
}
