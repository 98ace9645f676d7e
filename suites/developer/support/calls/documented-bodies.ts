import { endpointOf } from '../../../../contract/endpoints.ts';
import type { Outcome, Tally } from '../../../../results/outcome.ts';
import { expectAccepted } from '../../../engine/expect.ts';
import { judgeInTurn } from '../../../engine/parts.ts';
import type { Session } from '../../../session/session.ts';
import { bodyRefused } from '../../../shared/complaints/refused-body.ts';
import { judgeRefusal } from '../../../shared/refusals/refusals.ts';
import { keysOfBothEnvironments } from '../data/environments.ts';
import { type Body, without } from './bodies.ts';
import { sendOrWithMainKey } from './malformed-bodies.ts';
import type { Twin } from './post-twins.ts';
import { twinWith } from './twins.ts';

/**
 * Whether the plain call of a documented body was accepted. The values that its fields may have are not shown, so a 400
 * leaves it open, unless the same values were taken with an optional field added.
 */
export function judgePlainBody(tally: Tally, endpoint: string, { answer, refusedWithout }: Twin): boolean {
  const plain = refusedWithout ?? answer;
  if (refusedWithout !== undefined) {
    tally.judge(expectAccepted(plain, `${endpoint} requires an optional field: with it, the same values are accepted`));
  } else if (plain.status === 400) {
    throw bodyRefused(endpoint, plain, "accepts none of the suite's values for its documented fields");
  } else {
    tally.judge(expectAccepted(plain));
  }
  return plain.accepted;
}

/** A field that is left out of a body, and fields that stand in it besides. */
interface Missing {
  readonly missing: string;
  readonly added?: Body;
}

/** A body that works gets 400 as soon as a required field is missing, in both environments. */
export async function judgeMissingFields(
  session: Session,
  endpoint: string,
  bodies: readonly Missing[],
): Promise<Outcome> {
  const [own, ...others] = await keysOfBothEnvironments(session, endpoint);
  return judgeInTurn([own, ...others], async (tally, key) => {
    const label = key === own ? 'a field missing' : `a field missing, ${key.environment}`;
    const call = await session.api.arrange(session, endpointOf(endpoint), label);
    // A refusal proves something only beside its twin: the same call, with the same key.
    const twin = await (key === own ? call.twin() : twinWith(session, endpoint, key));
    await Promise.all(
      bodies.map(async (body) => {
        const reshape = reshapeOf(body);
        const probe = await (key === own ? sendOrWithMainKey(call, key, { reshape }) : call.send({ key, reshape }));
        const what = `Body without ${body.missing} is not refused with 400`;
        judgeRefusal(tally, { probe, twin, endpoint: call.endpoint, status: 400, what });
      }),
    );
  });
}

const reshapeOf =
  ({ missing, added = {} }: Missing) =>
  (body: unknown): Body =>
    without({ ...(body as Body), ...added }, missing);
