import { endpointOf } from '../../contract/endpoints.ts';
import type { Tally } from '../../results/outcome.ts';
import { type Check, resultOrNull } from '../engine/check.ts';
import { isPlainRead, read, workingRead } from '../records/reads.ts';
import type { ApiKey } from '../session/call.ts';
import { givenKey, mainKey, requireKey, type Session } from '../session/session.ts';
import { firstKey, liveFiltersKey, standingKey } from './keys/making.ts';
import type { RunKey } from './keys/run-key.ts';

/**
 * The keys of the main key's environment and, where that is not live and live keys can be had, live ones: for lists
 * that take filters, or for other calls. A key that the run made, which has a budget of its own, comes before the given
 * one. WRITES=all alone allows live keys.
 */
async function keys(session: Session, areFiltered: boolean) {
  const main = [...(await usable(session, standingKey(session))), mainKey(session)];
  if (mainKey(session).environment === 'live') {
    return { main, live: [] };
  }
  const makesLive = session.settings.WRITES === 'all';
  const made = makesLive
    ? await usable(session, areFiltered ? liveFiltersKey(session) : firstKey(session, 'live'))
    : [];
  return { main, live: [...made, givenKey(session, 'LIVE_API_KEY')].filter((key) => key !== undefined) };
}

/** A key that the run made, if it opens a read and has the prefix of the environment that it was made for. */
async function usable(session: Session, making: Promise<RunKey>): Promise<readonly ApiKey[]> {
  const key = (await resultOrNull(making))?.key;
  const opens = async (one: ApiKey): Promise<boolean> =>
    (await read(session, (await workingRead(session)).id, { key: one })).accepted;
  return key !== undefined && key.madeFor === undefined && (await opens(key)) ? [key] : [];
}

/**
 * One key of each environment with which a clause is judged that names none, that of the main key's environment first.
 * Lists that take filters have a live key of their own.
 */
export async function keysOfBothEnvironments(
  session: Session,
  endpoint: string,
): Promise<readonly [ApiKey, ...ApiKey[]]> {
  const areFiltered = isPlainRead(endpointOf(endpoint)) && endpointOf(endpoint).query.length > 0;
  const { main, live } = await keys(session, areFiltered);
  return [main[0] ?? mainKey(session), ...live.slice(0, 1)];
}

/** A check: what judges hold with one key of each environment. What leaves one judge open leaves the others be. */
export const inBothEnvironments =
  (endpoint: string, ...judges: readonly ((session: Session, tally: Tally, key: ApiKey) => Promise<void>)[]): Check =>
  async (session, tally) => {
    const keysOfEach = await keysOfBothEnvironments(session, endpoint);
    const parts = keysOfEach.flatMap((key) => judges.map((judge) => ({ key, judge })));
    await tally.inTurn(parts, ({ key, judge }) => judge(session, tally, key));
  };

/** Keys of both environments whose data is compared. Throws Skipped where there is none of one. */
export async function comparedKeys(
  session: Session,
): Promise<{ readonly sandbox: readonly ApiKey[]; readonly live: readonly ApiKey[] }> {
  requireKey(session, 'SANDBOX_API_KEY');
  const { main, live } = await keys(session, false);
  return { sandbox: main, live: live.length > 0 ? live : [requireKey(session, 'LIVE_API_KEY')] };
}
