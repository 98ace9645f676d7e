import { developerEndpoints } from '../../../contract/developer-endpoints.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import type { Tally } from '../../../results/outcome.ts';
import type { Check } from '../../engine/check.ts';
import { judgeEach, judgeInTurn, judgePart, resultOrNull } from '../../engine/parts.ts';
import type { Body } from '../../records/bodies.ts';
import type { Answer } from '../../session/answer.ts';
import type { Difference } from '../../session/api.ts';
import type { Session } from '../../session/session.ts';
import { bodyNull, cutOff, judgeOddBodies, type OddBody } from '../../shared/refusals/refusals.ts';
import { keysOfBothEnvironments } from '../environments.ts';
import { fullBody } from './succeeds.ts';
import { twinWith, without } from './twins.ts';

// Bodies that get 400 beside the accepted one: not JSON, no object, or without a required field.

const posts = developerEndpoints.filter(({ body }) => body !== undefined);
const liveOn = 'POST /api/v1/inbox/draft';

/** The accepted body without its quotes. */
const unquoted: OddBody = { ...cutOff, reshape: (body) => JSON.stringify(body).replaceAll('"', '') };
const list: OddBody = { what: 'A body that is an array', reshape: (body) => [body] };

/** A check: a body that is not JSON gets 400, on every POST that takes a body. */
export const judgeBrokenBodies: Check = (session) =>
  judgeEach(posts, (tally, { id }, index) =>
    judgeBodies(session, tally, id, [index % 2 === 0 ? cutOff : unquoted], id === liveOn ? [cutOff] : []),
  );

/** A check: a body that is JSON but not an object gets 400 where the document requires fields. */
export const judgeNotAnObject: Check = (session) =>
  judgeEach(
    posts.filter(({ body }) => body?.some(({ required }) => required)),
    (tally, { id }) => judgeBodies(session, tally, id, [bodyNull, list], id === liveOn ? [bodyNull] : []),
  );

/**
 * A check: an accepted body gets 400 without any of its required fields, in both environments; and so does the one with
 * all optional fields without the first.
 */
export const judgeMissingFields =
  (endpoint: string): Check =>
  (session) =>
    judgeInTurn([endpoint], async (tally, id) => {
      const required = (endpointOf(id).body ?? []).filter((field) => field.required);
      const bodies = required.map(({ name }) => lacking(name));
      const full = await resultOrNull(fullBody(session, id));
      const others = full?.answer.accepted ? required.slice(0, 1).map(({ name }) => lacking(name, full.body)) : [];
      await judgeBodies(session, tally, id, [...bodies, ...others], bodies);
    });

const lacking = (missing: string, more?: unknown): OddBody => ({
  what: `A body without ${missing}`,
  purpose: 'refusal',
  reshape: (body) => without({ ...(body as Body), ...(more as Body | undefined) }, missing),
});

/** Judges that bodies get 400 on a call; `live`: those that are sent with a live key, too, where there is one. */
async function judgeBodies(
  session: Session,
  tally: Tally,
  id: string,
  bodies: readonly OddBody[],
  live: readonly OddBody[],
): Promise<void> {
  const [key, liveKey] = await keysOfBothEnvironments(session, id);
  const call = await session.api.arrange(session, endpointOf(id), 'a broken body');
  const send = async (difference: Difference): Promise<Answer> => {
    const answer = await call.send({ ...difference, key });
    // That a key of the run gets 401 or 403 is for other clauses to judge.
    return [401, 403].includes(answer.status) ? call.send(difference) : answer;
  };
  await judgeOddBodies(tally, { ...call, send }, bodies);
  if (liveKey !== undefined && live.length > 0) {
    await judgePart(tally, async () => {
      const inLive = await session.api.arrange(session, endpointOf(id), 'a broken body, live');
      const sendLive = (difference: Difference): Promise<Answer> => inLive.send({ ...difference, key: liveKey });
      // A refusal proves something only beside its twin: the same call, with the same key.
      const twin = await twinWith(session, id, liveKey);
      await judgeOddBodies(tally, { ...inLive, send: sendLive, twin: async () => twin }, live, ' sent with a live key');
    });
  }
}
