import { endpointOf } from '../../../contract/endpoints.ts';
import { minuteMs } from '../../../contract/limits.ts';
import { Inconclusive } from '../../../results/stop.ts';
import { type Answer, isServerFailure, isSuccess } from '../../session/answer.ts';
import { type Call, callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Entry } from '../../session/ledger/ledger.ts';
import type { Session } from '../../session/session.ts';

/** A limiter that was met on purpose may lock out, and refuse with another status than 429: then once more after two quiet windows. */
export async function deletePatiently(
  session: Session,
  { collection }: Entry,
  id: string,
  key: ApiKey,
): Promise<Answer> {
  const call = callOf(endpointOf(`DELETE ${collection}/:id`), key, { id, deletes: true, unsettled: () => false });
  const windowMs = minuteMs / session.settings.CLOCK_SPEED;
  const again = async (): Promise<Answer> => {
    await session.clock.sleep(2 * windowMs);
    return session.client.sendNow(call);
  };
  const byItself = await deletedByItself(session, call, id);
  if (byItself !== null) {
    return byItself;
  }
  try {
    const first = await session.client.send(call);
    const answer = isServerFailure(first) ? await session.client.send(call) : first;
    const isRefused = answer.status === 403 || isServerFailure(answer);
    return isRefused && wasDriven(session, key, windowMs) ? await again() : answer;
  } catch (error) {
    if (error instanceof Inconclusive && wasDriven(session, key, windowMs)) {
      return again();
    }
    throw error;
  }
}

/** A key that the run made deletes itself where it may: that takes nothing of a given key's budget. null: it is still there. */
async function deletedByItself(session: Session, call: Call, id: string): Promise<Answer | null> {
  const self = session.client.ownKeyById(id);
  // Where requests are counted, none is spent on a try; and one whose minute is full would be refused.
  if (self === undefined || session.settings.MAX_REQUESTS !== undefined || isFull(session, self)) {
    return null;
  }
  const answer = await session.client.sendNow({ ...call, key: self, purpose: 'refusal' });
  return isSuccess(answer) ? answer : null;
}

/** When the calls with a key were sent, the earliest first. */
const timesOf = ({ evidence }: Session, key: ApiKey): number[] =>
  evidence.exchanges.flatMap(({ keyLabel, sentAt }) => (keyLabel === key.label ? [sentAt] : [])).sort((a, b) => a - b);

/** Whether the run has made as many calls with the key within the last window as its limit admits. */
function isFull(session: Session, key: ApiKey): boolean {
  const since = session.clock.now() - minuteMs / session.settings.CLOCK_SPEED;
  return timesOf(session, key).filter((time) => time > since).length >= session.api.perMinute(key, session.settings);
}

/** Whether the run made more calls with the key in one window than its limit admits: no paced call does. */
function wasDriven(session: Session, key: ApiKey, windowMs: number): boolean {
  const limit = session.api.perMinute(key, session.settings);
  const times = timesOf(session, key);
  return times.some((time, index) => (times[index + limit] ?? Infinity) - time < windowMs);
}
