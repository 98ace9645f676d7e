import { endpointOf } from '../../../contract/endpoints.ts';
import { createTally, type Outcome, type Tally } from '../../../results/outcome.ts';
import { expectAccepted } from '../../engine/expect.ts';
import { judgePart } from '../../engine/parts.ts';
import type { Answer } from '../../session/answer.ts';
import { callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import { mainKey } from '../../session/keys.ts';
import type { Session } from '../../session/session.ts';
import { judgeRefusal } from '../../shared/refusals.ts';
import { type Body, remarked, without } from './bodies.ts';
import { liveKey } from './make-key.ts';
import { bodyRefused, type Twin, twinOf } from './twins.ts';

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

/** A body without a required field, and with some besides. */
interface Lacking {
  readonly missing: string;
  readonly added?: Body;
}

/**
 * A body that works gets 400 as soon as a required field is missing, from keys of both environments. `added`: fields that
 * stand in it besides.
 */
export async function judgeMissingFields(
  session: Session,
  endpoint: string,
  bodies: readonly Lacking[],
): Promise<Outcome> {
  const tally = createTally();
  await Promise.all([
    judgeLacking(session, tally, endpoint, bodies, {}),
    judgePart(tally, async () => {
      if (mainKey(session).environment !== 'live') {
        await judgeLacking(session, tally, endpoint, bodies, { key: (await liveKey(session)).key });
      }
    }),
  ]);
  return tally.outcome();
}

async function judgeLacking(
  session: Session,
  tally: Tally,
  endpoint: string,
  bodies: readonly Lacking[],
  difference: { readonly key?: ApiKey },
): Promise<void> {
  const twin = await plainCall(session, endpoint, difference.key);
  await Promise.all(
    bodies.map(({ missing, added = {} }) =>
      judgePart(tally, async () => {
        const call = await session.api.arrange(session, endpointOf(endpoint), `no ${missing}`);
        const reshape = (body: unknown): Body => without({ ...(body as Body), ...added }, missing);
        const probe = await call.send({ ...difference, reshape });
        const what = `Body without ${missing} is not refused with 400`;
        judgeRefusal(tally, { probe, twin, endpoint: call.endpoint, status: 400, what });
      }),
    ),
  );
}

/** The call as it is documented: the main key's is shared by all clauses. */
async function plainCall(session: Session, endpoint: string, key?: ApiKey): Promise<Answer> {
  const { answer, body } = await twinOf(session, endpoint);
  return key === undefined
    ? answer
    : session.client.send(callOf(endpointOf(endpoint), key, { body: remarked(session, body, 'live') }));
}
