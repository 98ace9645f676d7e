import { endpointOf } from '../../contract/endpoints.ts';
import { resultOrNull } from '../engine/parts.ts';
import { isPlainRead, read, workingRead } from '../records/reads.ts';
import type { Answer } from '../session/answer.ts';
import type { Call } from '../session/call.ts';
import type { ApiKey, KeyMode } from '../session/key.ts';
import { givenKey, mainKey, requireKey } from '../session/keys.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { stepFor } from '../session/step.ts';
import { liveFiltersKey, liveKey, standingKey } from './keys/lending.ts';
import type { RunKey } from './keys/run-key.ts';

/**
 * The keys of the main key's environment and, where that is not live and live keys can be had, live ones: for lists
 * that take filters, or for other calls. A key that the run made, which has a budget of its own, comes before the given one. WRITES=all alone
 * makes live keys.
 */
const keys = stepFor(
  (areFiltered: boolean) => String(areFiltered),
  async (session, areFiltered): Promise<{ readonly main: readonly ApiKey[]; readonly live: readonly ApiKey[] }> => {
    const main = [...(await usable(session, standingKey(session))), mainKey(session)];
    if (mainKey(session).environment === 'live') {
      return { main, live: [] };
    }
    const makesLive = session.settings.WRITES === 'all';
    const made = makesLive ? await usable(session, (areFiltered ? liveFiltersKey : liveKey)(session)) : [];
    return { main, live: [...made, givenKey(session, 'LIVE_API_KEY')].filter((key) => key !== undefined) };
  },
);

/** A key that the run made, if it opens a read and has the prefix of the environment that it was made for. */
async function usable(session: Session, making: Promise<RunKey>): Promise<readonly ApiKey[]> {
  const key = (await resultOrNull(making))?.key;
  const opens = async (one: ApiKey): Promise<boolean> =>
    (await read(session, (await workingRead(session)).id, { key: one })).accepted;
  return key !== undefined && key.madeFor === undefined && (await opens(key)) ? [key] : [];
}

/**
 * One key of each environment with which a clause is judged that names none, that of the main key's environment first:
 * the first that opens the endpoint, where that is a plain read.
 */
export const keysOfBothEnvironments = stepFor(
  (endpoint: string) => endpoint,
  async (session, endpoint): Promise<readonly [ApiKey, ...ApiKey[]]> => {
    const { main, live } = await keys(session, isFiltered(endpoint));
    const ofLive = await firstWorking(session, endpoint, live);
    return [
      (await firstWorking(session, endpoint, main)) ?? mainKey(session),
      ...(ofLive === undefined ? [] : [ofLive]),
    ];
  },
);

const isFiltered = (endpoint: string): boolean =>
  isPlainRead(endpointOf(endpoint)) && endpointOf(endpoint).query.length > 0;

async function firstWorking(session: Session, endpoint: string, some: readonly ApiKey[]): Promise<ApiKey | undefined> {
  for (const key of some) {
    if (!isPlainRead(endpointOf(endpoint)) || (await read(session, endpoint, { key })).accepted) {
      return key;
    }
  }
  return some.at(-1);
}

/** Keys of both environments whose data is compared. Throws Skipped where there is none of one. */
export async function comparedKeys(
  session: Session,
): Promise<{ readonly sandbox: readonly ApiKey[]; readonly live: readonly ApiKey[] }> {
  requireKey(session, 'SANDBOX_API_KEY');
  const { main, live } = await keys(session, false);
  return { sandbox: main, live: live.length > 0 ? live : [requireKey(session, 'LIVE_API_KEY')] };
}

/** How a list is read. */
export interface Reading {
  readonly key: ApiKey;
  /** How the key is sent. Default: in the usual way. */
  readonly mode?: KeyMode;
  readonly query?: NonNullable<Call['query']>;
  /** Whether it is sent now, whatever was read before. */
  readonly isFresh?: boolean;
}

export const readAs = (
  session: Session,
  endpoint: string,
  { isFresh = false, ...details }: Reading,
): Promise<Answer> => (isFresh ? send(session, endpoint, details) : read(session, endpoint, details));
