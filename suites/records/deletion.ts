import { endpointOf } from '../../contract/endpoints.ts';
import { minuteAt } from '../../contract/limits.ts';
import { Inconclusive } from '../../results/stop.ts';
import { isUnguessable } from '../reading/unguessable.ts';
import { type Answer, isServerFailure, isSuccess } from '../session/answer.ts';
import { type Call, callOf } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import { limitOf } from '../session/keys.ts';
import type { Entry } from '../session/ledger/ledger.ts';
import type { Session } from '../session/session.ts';

/**
 * Deletes a record, for clean-up. A key that the run made deletes itself where it may, which uses nothing of a given
 * key's budget. Where that key is used up, its maker deletes it; if the maker does not find it, the key deletes itself
 * after two quiet windows. Throws as `Client.send` does.
 */
export async function deletePatiently(
  session: Session,
  { collection }: Entry,
  id: string,
  key: ApiKey,
): Promise<Answer> {
  // With MAX_REQUESTS no request is spent on an attempt that may fail, such as one that comes too early.
  const isFree = session.settings.MAX_REQUESTS === undefined;
  const once = { isOutdated: (): boolean => false };
  const patient = callOf(endpointOf(`DELETE ${collection}/:id`), key, { id, deletes: true });
  const call = isFree ? patient : { ...patient, ...once };
  if (!isFree) {
    await session.clock.sleep((session.settling.deadline(patient, 404) ?? 0) - session.clock.now());
  }
  const self = isFree ? session.client.ownKeyById(id) : undefined;
  const deleteWithItself = async (): Promise<Answer | null> =>
    self === undefined ? null : session.client.sendNow({ ...call, ...once, key: self, purpose: 'refusal' });
  const isUsable = self !== undefined && !isUsedUp(session, self);
  let byItself = isUsable ? await deleteWithItself() : null;
  if (byItself !== null && isSuccess(byItself)) {
    return byItself;
  }
  const answer = await deleteAsMaker(session, call, { id, key });
  if (byItself === null && answer.status === 404 && !session.writeGuard.wasFound(collection, id, key)) {
    await session.clock.sleep(self === undefined ? 0 : 2 * windowOf(session));
    byItself = await deleteWithItself();
  }
  return byItself !== null && isSuccess(byItself) ? byItself : answer;
}

/**
 * Deletes a record with the key that made it. Where the run drove that key over its limit, the limiter may lock it out
 * and refuse with a status that is not usual here: then the call is sent again after two quiet windows. A server failure is
 * tried twice.
 */
async function deleteAsMaker(
  session: Session,
  call: Call,
  { id, key }: { readonly id: string; readonly key: ApiKey },
): Promise<Answer> {
  const windowMs = windowOf(session);
  const sendLater = async (): Promise<Answer> => {
    await session.clock.sleep(2 * windowMs);
    return session.client.sendNow(call);
  };
  try {
    const first = await session.client.send(call);
    // The first call may have deleted it, and a counted id be another's by then.
    const answer = isServerFailure(first) && isUnguessable(id) ? await session.client.send(call) : first;
    const mayBeLockedOut = answer.status === 403 || isServerFailure(answer);
    const isSuspect = mayBeLockedOut && wasDriven(session, key, windowMs) && !isUsualAnswer(session, answer);
    return isSuspect ? await sendLater() : answer;
  } catch (error) {
    if (error instanceof Inconclusive && wasDriven(session, key, windowMs)) {
      return sendLater();
    }
    throw error;
  }
}

const windowOf = ({ settings }: Session): number => minuteAt(settings.CLOCK_SPEED);

/** When the calls with a key were sent, earliest first. */
const timesOf = ({ evidence }: Session, key: ApiKey): number[] =>
  evidence.exchanges.flatMap(({ keyLabel, sentAt }) => (keyLabel === key.label ? [sentAt] : [])).sort((a, b) => a - b);

/** Whether the run made as many calls with the key in the last window as its limit admits. */
function isUsedUp(session: Session, key: ApiKey): boolean {
  const since = session.clock.now() - windowOf(session);
  return timesOf(session, key).filter((time) => time > since).length >= limitOf(session, key);
}

/** Whether the run may have driven the key: it made more calls within a minute than the limit admits. */
function wasDriven(session: Session, key: ApiKey, windowMs: number): boolean {
  const limit = limitOf(session, key);
  const times = timesOf(session, key);
  return times.some((time, index) => (times[index + limit] ?? Infinity) - time < windowMs);
}

/** Whether the endpoint gave that key the same status before, and the key was accepted since: it was not locked out. */
function isUsualAnswer({ evidence }: Session, { status, exchange }: Answer): boolean {
  const ofKey = evidence.exchanges.filter(({ keyLabel }) => keyLabel === exchange.keyLabel);
  const before = ofKey.find(({ endpoint, response }) => endpoint === exchange.endpoint && response?.status === status);
  const since = before?.receivedAt ?? Infinity;
  return ofKey.some(({ response, sentAt }) => sentAt >= since && response !== null && response.status < 400);
}
