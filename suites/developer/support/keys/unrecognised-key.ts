import type { Exchange } from '../../../../results/exchange.ts';
import type { Tally } from '../../../../results/outcome.ts';
import { describeAnswer } from '../../../engine/describe-answer.ts';
import { findingOn, undecided } from '../../../engine/expect.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { findInList } from '../../../shared/lists/list-search.ts';
import { judgeRefusal, type Refusal } from '../../../shared/refusals/refusals.ts';
import { firstKeyRefusals } from './first-key.ts';
import { keysPath, type RunKey } from './run-key.ts';

// A 401 says nothing about a key's scopes where the deployment does not know the key, or no longer.

/**
 * Throws Inconclusive where the key list, which needs no scope, refuses the key with 401: the deployment does not know
 * it. `what` begins the finding; `blames` is the clause to blame.
 */
export async function assertKeyKnown(
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

/** Throws Inconclusive where a probe got 401 and the key is no longer known: another key's deletion may be why. */
export async function assertKeyStillKnown(
  session: Session,
  what: string,
  key: ApiKey,
  tried: readonly { readonly probe: Answer }[],
): Promise<void> {
  if (tried.some(({ probe }) => probe.status === 401)) {
    await assertKeyKnown(session, what, key, 'developer.keys.delete');
  }
}

/**
 * Throws Inconclusive where a key that was never accepted got 401 and the list of its `maker` does not show it, since
 * another key was deleted between the answers `since` and `tried`: that deletion may have deleted it too.
 */
export async function assertNotDeletedAlong(
  session: Session,
  what: string,
  { record }: RunKey,
  { since, tried, maker }: { readonly since: Answer; readonly tried: Answer; readonly maker: ApiKey },
): Promise<void> {
  const wasDeletionMeanwhile = ({ endpoint, sentAt, receivedAt, response }: Exchange): boolean =>
    endpoint === `DELETE ${keysPath}/:id` &&
    response !== null &&
    response.status < 300 &&
    sentAt <= tried.exchange.receivedAt &&
    receivedAt >= since.exchange.sentAt;
  if (tried.status !== 401 || !session.evidence.exchanges.some(wasDeletionMeanwhile)) {
    return;
  }
  const { isShown } = await findInList(session, keysPath, record, { key: maker });
  if (!isShown) {
    const message = `Deleting another key seems to have deleted this one too: ${what} is refused: ${describeAnswer(tried)}`;
    throw undecided(tried, message, 'developer.keys.delete');
  }
}

/** Whether a call got 401, as calls of the run's first key did: the service may know no keys that the run makes. */
export const isRefusedLikeFirstKey = async (session: Session, { status }: Answer): Promise<boolean> =>
  status === 401 && ((await resultOrNull(firstKeyRefusals(session))) ?? []).length > 0;

/** A key of the run is refused for its scopes; left open where its keys are refused whatever their scopes. */
export async function judgeRunKeyRefusal(session: Session, tally: Tally, refusal: Refusal): Promise<void> {
  const { probe } = refusal;
  if (await isRefusedLikeFirstKey(session, probe)) {
    const message = `Keys of this run get 401, whatever their scopes: ${describeAnswer(probe)}`;
    tally.leaveOpen(findingOn(probe, { message, blames: 'developer.keys.create' }));
  } else {
    judgeRefusal(tally, refusal);
  }
}
