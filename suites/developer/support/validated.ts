import { endpointOf } from '../../../contract/endpoints.ts';
import { createTally, type Outcome, type Tally } from '../../../results/outcome.ts';
import { expectAccepted } from '../../engine/expect.ts';
import { judgePart } from '../../engine/parts.ts';
import type { Session } from '../../session/session.ts';
import { judgeRefusal } from '../../shared/refusals.ts';
import { type Body, without } from './bodies.ts';
import { bodyRefused, type Twin } from './twins.ts';

/**
 * Whether the plain call of a documented body was accepted. The values that its fields may have are not shown, so a 400
 * leaves it open, unless the same values were taken with an optional field added.
 */
export function judgePlainBody(tally: Tally, endpoint: string, { answer, refusedWithout }: Twin): boolean {
  const plain = refusedWithout ?? answer;
  if (refusedWithout !== undefined) {
    tally.judge(
      expectAccepted(plain, `${endpoint} insists on an optional field, with which the same values are taken`),
    );
  } else if (plain.status === 400) {
    throw bodyRefused(endpoint, plain, "takes none of the suite's values for its documented fields");
  } else {
    tally.judge(expectAccepted(plain));
  }
  return plain.accepted;
}

/** A body that works gets 400 as soon as a required field is missing. `added`: fields that stand in it besides. */
export async function judgeMissingFields(
  session: Session,
  endpoint: string,
  bodies: readonly { readonly missing: string; readonly added?: Body }[],
): Promise<Outcome> {
  const tally = createTally();
  await Promise.all(
    bodies.map(({ missing, added = {} }) =>
      judgePart(tally, async () => {
        const call = await session.api.arrange(session, endpointOf(endpoint), `no ${missing}`);
        const probe = await call.send({ reshape: (body) => without({ ...(body as Body), ...added }, missing) });
        const what = `Body without ${missing} is not refused with 400`;
        judgeRefusal(tally, { probe, twin: await call.twin(), endpoint: call.endpoint, status: 400, what });
      }),
    ),
  );
  return tally.outcome();
}
