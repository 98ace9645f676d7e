import { endpointOf } from '../../../contract/endpoints.ts';
import { minuteMs } from '../../../contract/limits.ts';
import { Inconclusive } from '../../../results/stop.ts';
import { type Answer, isServerFailure, isSuccess } from '../../session/answer.ts';
import { type Call, callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Entry } from '../../session/ledger/ledger.ts';
import type { Session } from '../../session/session.ts';

/**
 * Deletes a record, for clean-up. A key that the run made deletes itself where it may. Where the run drove the key over
 * its limit, the limiter may lock it out and refuse with another status than 429: then the call is sent again after two
 * quiet windows. A server failure is tried twice. Throws as `Client.send` does.
 */
export async function deletePatiently(
  session: Session,
  { collection }: Entry,
  id: string,
  key: ApiKey,
): Promise<Answer> {
  const call = callOf(endpointOf(`DELETE ${collection}/:id`), key, { id, deletes: true, unsettled: () => false });
  const windowMs = minuteMs / session.settings.CLOCK_SPEED;
  const sendLater = async (): Promise<Answer> => {
    await session.clock.sleep(2 * windowMs);
    return session.client.sendNow(call);
  };
  const deletedItself = await deleteWithItself(session, call, id);
  if (deletedItself !== null) {
    return deletedItself;
  }
  try {
    const first = await session.client.send(call);
    const answer = isServerFailure(first) ? await session.client.send(call) : first;
    const mayBeLockedOut = answer.status === 403 || isServerFailure(answer);
    return mayBeLockedOut && wasDriven(session, key, windowMs) ? await sendLater() : answer;
  } catch (error) {
    if (error instanceof Inconclusive && wasDriven(session, key, windowMs)) {
      return sendLater();
    }
    throw error;
  }
}

/** Deletes a key of the run's with itself, which uses nothing of a given key's budget. null: it was not deleted. */
async function deleteWithItself(session: Session, call: Call, id: string): Promise<Answer | null> {
  const self = session.client.ownKeyById(id);
  // With MAX_REQUESTS no request is spent on an attempt that may fail. A key that is used up would be refused.
  if (self === undefined || session.settings.MAX_REQUESTS !== undefined || isUsedUp(session, self)) {
    return null;
  }
  const answer = await session.client.sendNow({ ...call, key: self, purpose: 'refusal' });
  return isSuccess(answer) ? answer : null;
}

/** When the calls with a key were sent, earliest first. */
const timesOf = ({ evidence }: Session, key: ApiKey): number[] =>
  evidence.exchanges.flatMap(({ keyLabel, sentAt }) => (keyLabel === key.label ? [sentAt] : [])).sort((a, b) => a - b);

/** Whether the run made as many calls with the key in the last window as its limit admits. */
function isUsedUp(session: Session, key: ApiKey): boolean {
  const since = session.clock.now() - minuteMs / session.settings.CLOCK_SPEED;
  return timesOf(session, key).filter((time) => time > since).length >= session.api.perMinute(key, session.settings);
}

/** Whether the run drove the key: made more calls in one window than the limit admits, as paced calls never do. */
function wasDriven(session: Session, key: ApiKey, windowMs: number): boolean {
  const limit = session.api.perMinute(key, session.settings);
  const times = timesOf(session, key);
  return times.some((time, index) => (times[index + limit] ?? Infinity) - time < windowMs);
}
