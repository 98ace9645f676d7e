import type { Exchange } from '../../../../results/exchange.ts';
import type { Tally } from '../../../../results/outcome.ts';
import { describeAnswer, findingOn, undecided } from '../../../engine/expect.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { findInList } from '../../../shared/lists/list-search.ts';
import { judgeRefusal, type Refusal } from '../../../shared/refusals/refusals.ts';
import { firstRefused } from './key-life.ts';
import { keysPath, type OwnKey } from './own-key.ts';

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

/**
 * A key that has never been let in may have died with another one, which was deleted since: then its list does not show it either.
 * Throws Inconclusive.
 */
export async function assertNotTakenAlong(
  session: Session,
  what: string,
  { record }: OwnKey,
  { since, tried, maker }: { readonly since: Answer; readonly tried: Answer; readonly maker: ApiKey },
): Promise<void> {
  const wasDeletion = ({ endpoint, sentAt, receivedAt, response }: Exchange): boolean =>
    endpoint === `DELETE ${keysPath}/:id` &&
    response !== null &&
    response.status < 300 &&
    sentAt <= tried.exchange.receivedAt &&
    receivedAt >= since.exchange.sentAt;
  if (tried.status !== 401 || !session.evidence.exchanges.some(wasDeletion)) {
    return;
  }
  const { isShown } = await findInList(session, keysPath, record, { key: maker });
  if (!isShown) {
    const message = `${what} is refused, and listed no more, since another key was deleted: ${describeAnswer(tried)}`;
    throw undecided(tried, message, 'developer.keys.delete');
  }
}

/** Whether a made key may be refused with 401 because the service that was called knows no made keys, whatever their scopes. */
export const isOfUnknownKey = async (session: Session, { status }: Answer): Promise<boolean> =>
  status === 401 && ((await resultOrNull(firstRefused(session))) ?? []).length > 0;

/** Judges the refusal of a key that the run made for its scopes. */
export async function judgeOfMadeKey(session: Session, tally: Tally, refusal: Refusal): Promise<void> {
  const { probe } = refusal;
  if (await isOfUnknownKey(session, probe)) {
    const message = `Keys that were made are refused with 401, whatever their scopes: ${describeAnswer(probe)}`;
    tally.leaveOpen(findingOn(probe, { message, blames: 'developer.keys.create' }));
  } else {
    judgeRefusal(tally, refusal);
  }
}
