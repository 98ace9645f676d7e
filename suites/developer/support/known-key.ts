import { describeAnswer, undecided } from '../../engine/expect.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { keysPath } from './own-key.ts';

/** A key that the deployment does not know says nothing about scopes: it is tried where no scope is needed. Throws Inconclusive. */
export async function assertKnown(
  session: Session,
  what: string,
  key: ApiKey,
  blames = 'developer.keys.create',
): Promise<void> {
  const answer = await send(session, `GET ${keysPath}`, { key });
  if (answer.status === 401) {
    throw undecided(answer, `${what} is refused everywhere: ${describeAnswer(answer)}`, blames);
  }
}

/** A key that was known may have died with another one, which was deleted meanwhile. Throws Inconclusive. */
export async function assertStillKnown(
  session: Session,
  what: string,
  key: ApiKey,
  tried: readonly { readonly probe: Answer }[],
): Promise<void> {
  if (tried.some(({ probe }) => probe.status === 401)) {
    await assertKnown(session, what, key, 'developer.keys.delete');
  }
}
