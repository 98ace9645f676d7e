import { canonical } from '../../common/json.ts';
import { counted } from '../../common/words.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import type { Environment } from '../../contract/scopes.ts';
import type { Tally } from '../../results/outcome.ts';
import { type Check, resultOrNull } from '../engine/check.ts';
import { judgeThat } from '../engine/expect.ts';
import { rowsIn } from '../reading/rows.ts';
import { isPlainRead, nounOf, read, readUntil, workingRead } from '../records/reads.ts';
import type { Answer, ApiKey } from '../session/call.ts';
import { givenKey, mainKey, requireKey, type Session, send } from '../session/session.ts';
import { firstKey, liveFiltersKey, standingKey } from './keys/making.ts';
import type { RunKey } from './keys/run-key.ts';
import type { Trial } from './keys/stories.ts';

/**
 * The keys of the main key's environment and, where that is not live and live keys can be had, live ones: for lists
 * that take filters, or for other calls. A key that the run made, which has a budget of its own, comes before the given
 * one. WRITES=all alone makes live keys.
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

/** Lists of which each environment has other records. */
const ownLists = ['GET /api/v1/ads/campaigns', 'GET /api/v1/investor/pipeline'];

/**
 * Judges that a rotated key reads some of the records that it read before. Where seeding has replaced all of them
 * since, it reads some of those that another key of the environment reads.
 */
export async function judgeEnvironmentKept(
  session: Session,
  tally: Tally,
  environment: Environment,
  { before, after }: Trial,
): Promise<void> {
  const list = before.exchange.endpoint ?? '';
  const noun = nounOf(list);
  // Figures may change with each read; ids and names do not.
  const namesIn = (answer: Answer): string[] =>
    (rowsIn(answer.payload, noun) ?? []).flatMap(({ id, name, company }) =>
      id == null ? [] : canonical([id, name ?? company]),
    );
  const key = (await keysOfBothEnvironments(session, list)).find((one) => one.environment === environment);
  if (key === undefined || !ownLists.includes(list) || !after.accepted || namesIn(before).length === 0) {
    return;
  }
  const isLike = (answer: Answer): boolean => namesIn(answer).some((name) => namesIn(after).includes(name));
  // By now the rotated key is deleted.
  const readByOther = (): Promise<Answer> => send(session, list, { key });
  const isKept = isLike(before) || isLike(await readUntil(session, readByOther, isLike));
  judgeThat(tally, isKept, after, {
    message: `After rotation, the key sees other records: ${list} shows none of those that other ${environment} keys see`,
    expected: `records of the ${environment} environment, as before the rotation`,
    actual: counted(namesIn(after).length, noun),
    cause: 'Rotation returns a key of the other environment',
  });
}
