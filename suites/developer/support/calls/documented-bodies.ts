import { endpointOf } from '../../../../contract/endpoints.ts';
import type { Outcome, Tally } from '../../../../results/outcome.ts';
import { expectAccepted } from '../../../engine/expect.ts';
import { judgeInTurn } from '../../../engine/parts.ts';
import { type Body, bodyRefused } from '../../../records/bodies.ts';
import type { Session } from '../../../session/session.ts';
import { judgeRefusal } from '../../../shared/refusals/refusals.ts';
import { keysOfBothEnvironments } from '../../environments.ts';
import { without } from '../bodies/bodies.ts';
import { sendOrWithMainKey } from './malformed-bodies.ts';
import type { Twin } from './post-twins.ts';
import { twinWith } from './twins.ts';

/**
 * Judges the plain call of an endpoint whose fields are documented; gives whether it was accepted. Throws Inconclusive
 * on a 400, since the document does not show which values the fields take, unless the same values were accepted with an
 * optional field added.
 */
export function judgePlainBody(tally: Tally, endpoint: string, { answer, recipe, refusedWithout }: Twin): boolean {
  const plain = refusedWithout ?? answer;
  if (refusedWithout !== undefined) {
    tally.judge(expectAccepted(plain, `${endpoint} fails without an optional field, and succeeds with it`));
  } else if (recipe !== undefined && plain.status === 400) {
    throw bodyRefused(endpoint, plain, recipe, {
      says: 'rejected every value that the suite tried for its documented fields',
    });
  } else {
    tally.judge(expectAccepted(plain));
  }
  return plain.accepted;
}

/** A body that lacks a required field, and may have optional ones added. */
interface Incomplete {
  readonly missing: string;
  readonly added?: Body;
}

/** An accepted body gets 400 without a required field, in both environments. `live`: the bodies for a second one. */
export async function judgeMissingFields(
  session: Session,
  endpoint: string,
  bodies: readonly Incomplete[],
  live = bodies,
): Promise<Outcome> {
  const keys = await keysOfBothEnvironments(session, endpoint);
  return judgeInTurn(keys, async (tally, key) => {
    const isMain = key === keys[0];
    const label = isMain ? 'a field missing' : `a field missing, ${key.environment}`;
    const call = await session.api.arrange(session, endpointOf(endpoint), label);
    // A refusal proves something only beside its twin: the same call, with the same key.
    const twin = await (isMain ? call.twin() : twinWith(session, endpoint, key));
    await Promise.all(
      (isMain ? bodies : live).map(async (body) => {
        const reshape = reshapeOf(body);
        const probe = await (isMain ? sendOrWithMainKey(call, key, { reshape }) : call.send({ key, reshape }));
        const what = `A body without ${body.missing}`;
        judgeRefusal(tally, { probe, twin, endpoint: call.endpoint, status: 400, what });
      }),
    );
  });
}

const reshapeOf =
  ({ missing, added = {} }: Incomplete) =>
  (body: unknown): Body =>
    without({ ...(body as Body), ...added }, missing);
