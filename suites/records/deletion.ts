import { endpointOf } from '../../contract/endpoints.ts';
import { minuteAt } from '../../contract/limits.ts';
import { Inconclusive } from '../../results/stop.ts';
import { isUnguessable } from '../reading/unguessable.ts';
import { type Answer, isServerFailure, isSuccess } from '../session/answer.ts';
import { type Call, callOf } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import { limitOf } from '../session/keys.ts';
import type { Session } from '../session/session.ts';

/**
 * Deletes a record, for clean-up. A key that the run made deletes itself where it may, which uses nothing of a given
 * key's budget; where it may not, the key that made it does. A key that its maker does not find, as one of another
 * environment, tries once more when its own limit lets it. Throws as `Client.send` does.
 */
export async function deletePatiently(session: Session, collection: string, id: string, key: ApiKey): Promise<Answer> {
  const call = callOf(endpointOf(`DELETE ${collection}/:id`), key, { id, deletes: true });
  const self = session.client.ownKeyById(id);
  const own: Call | null = self === undefined ? null : { ...call, key: self, purpose: 'refusal' };
  const byItself = own && (await session.client.sendNow(own));
  if (byItself !== null && isSuccess(byItself)) {
    return byItself;
  }
  const answer = await deleteAsMaker(session, call, { id, key });
  const again = own !== null && answer.status === 404 ? await session.client.send(own) : answer;
  return isSuccess(again) ? again : answer;
}

/**
 * A server failure is tried twice. Where the run drove the key over its limit, the limiter may lock it out: then the call
 * is sent again after two quiet windows.
 */
async function deleteAsMaker(
  session: Session,
  call: Call,
  { id, key }: { readonly id: string; readonly key: ApiKey },
): Promise<Answer> {
  const sendLater = async (): Promise<Answer> => {
    await session.clock.sleep(2 * minuteAt(session.settings.CLOCK_SPEED));
    return session.client.sendNow(call);
  };
  try {
    const first = await session.client.send(call);
    // The first call may have deleted it, and a counted id be another's by then.
    const answer = isServerFailure(first) && isUnguessable(id) ? await session.client.send(call) : first;
    const mayBeLockedOut = answer.status === 403 || isServerFailure(answer);
    return mayBeLockedOut && wasDriven(session, key) ? await sendLater() : answer;
  } catch (error) {
    if (error instanceof Inconclusive && wasDriven(session, key)) {
      return sendLater();
    }
    throw error;
  }
}

/** Whether the run may have driven the key: it made more calls within a minute than the limit admits. */
function wasDriven(session: Session, key: ApiKey): boolean {
  const limit = limitOf(session, key);
  const windowMs = minuteAt(session.settings.CLOCK_SPEED);
  const ofKey = session.evidence.exchanges.filter(({ keyLabel }) => keyLabel === key.label);
  const times = ofKey.map(({ sentAt }) => sentAt).sort((a, b) => a - b);
  return times.some((time, index) => (times[index + limit] ?? Infinity) - time < windowMs);
}
