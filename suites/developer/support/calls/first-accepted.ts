import type { ApiKey } from '../../../session/key.ts';
import { mainKey } from '../../../session/keys.ts';
import type { Session } from '../../../session/session.ts';
import { refusesBody } from '../../../shared/complaints/refused-body.ts';
import type { TriedBody } from '../bodies/bodies.ts';
import { sendAs } from '../data/environments.ts';

/** Sends the bodies in turn until one is not refused as a body. Otherwise gives the first, which is the likeliest. */
export async function firstAccepted(
  session: Session,
  endpoint: string,
  bodies: readonly [unknown, ...unknown[]],
  key: ApiKey = mainKey(session),
): Promise<TriedBody> {
  let first: TriedBody | undefined;
  for (const body of bodies) {
    const tried = { answer: await sendAs(session, endpoint, key, body), body };
    if (!refusesBody(tried.answer)) {
      return tried;
    }
    first ??= tried;
  }
  return first as TriedBody;
}
