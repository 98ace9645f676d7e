import type { Endpoint } from '../../contract/endpoint.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { resultOrNull } from '../engine/parts.ts';
import { isPlainRead, type ReadDetails, read, workingRead } from '../records/reads.ts';
import type { Answer } from '../session/answer.ts';
import type { Call } from '../session/call.ts';
import type { ApiKey, KeyMode } from '../session/key.ts';
import { givenKey, mainKey, requireKey } from '../session/keys.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { step, stepFor } from '../session/step.ts';
import { liveExportsKey, liveKey, standingKey } from './keys/lending.ts';
import type { RunKey } from './keys/run-key.ts';
import { sharesSandbox } from './seeding.ts';

/** The keys of one environment, preferred ones first. */
type Candidates = readonly [ApiKey, ...ApiKey[]];

/**
 * The keys for clauses that name no environment: those of the main key's environment and, where the main key is not
 * live and live keys can be had, live ones. A key that the run made, which has a budget of its own, comes before the
 * given one; where each sandbox key has data of its own, only the given one was seeded. WRITES=all alone makes live
 * keys.
 */
const candidates = stepFor(
  (areExports: boolean) => String(areExports),
  async (session, areExports): Promise<readonly [Candidates, Candidates?]> => {
    const ofMain = await mainCandidates(session);
    if (ofMain[0].environment === 'live') {
      return [ofMain];
    }
    const made = session.settings.WRITES === 'all' ? await usableKey(liveKey(session)) : null;
    const forExports = areExports && made !== null ? await spareKey(session) : null;
    const given = givenKey(session, 'LIVE_API_KEY') ?? null;
    const [first, ...others] = [forExports, made, given].filter((key) => key !== null);
    return first === undefined ? [ofMain] : [ofMain, [first, ...others]];
  },
);

/** A second live key, which spares time: not worth the room of a key that is needed, or a request of MAX_REQUESTS. */
async function spareKey(session: Session): Promise<ApiKey | null> {
  return session.settings.MAX_REQUESTS === undefined ? usableKey(liveExportsKey(session)) : null;
}

const mainCandidates = step(async (session): Promise<Candidates> => {
  const main = mainKey(session);
  const standing = await usableKey(standingKey(session));
  const isLike = standing !== null && (await sharesSandbox(session, standing));
  return isLike ? [standing, main] : [main];
});

/** A key that the run made; null: none could be made, or it has the prefix of the other environment. */
async function usableKey(made: Promise<{ readonly key: ApiKey }>): Promise<ApiKey | null> {
  const own = await resultOrNull(made);
  return own === null || own.key.madeFor !== undefined ? null : own.key;
}

/**
 * One key of each environment with which an endpoint is judged, that of the main key's environment first. A key that
 * the run made is preferred where the plain read works with it. In live, the given key is preferred for reads without
 * parameters and for writes whose body the document shows: the reads of all filters nearly use up the minutes of
 * the others.
 */
export const keysOfBothEnvironments = stepFor(
  (endpoint: string) => endpoint,
  async (session, endpoint): Promise<readonly [ApiKey, ...ApiKey[]]> => {
    const [ofMain, live] = await candidates(session, endpointOf(endpoint).scope === 'scheduling');
    const mainReader = await firstWorking(session, endpoint, ofMain);
    if (live === undefined) {
      return [mainReader];
    }
    const inOrder = prefersMadeKey(endpointOf(endpoint)) ? live : (live.toReversed() as [ApiKey]);
    return [mainReader, await firstWorking(session, endpoint, inOrder)];
  },
);

const prefersMadeKey = (endpoint: Endpoint): boolean =>
  endpoint.body === null || (isPlainRead(endpoint) && endpoint.query.length > 0);

/** The first of the keys with which a read works, the endpoint itself if it is one; the last key where none works. */
async function firstWorking(session: Session, endpoint: string, keys: Candidates): Promise<ApiKey> {
  const tried = isPlainRead(endpointOf(endpoint)) ? endpoint : (await workingRead(session)).id;
  for (const key of keys) {
    if ((await read(session, tried, { key })).accepted) {
      return key;
    }
  }
  return keys.at(-1) as ApiKey;
}

/** Keys of one environment whose data is compared: the given one, and one of the run, which may see other data. */
export interface EnvironmentKeys {
  readonly all: readonly ApiKey[];
  readonly givenOrMade: ApiKey;
  /** A key that the run made has a budget of its own. */
  readonly madeOrGiven: ApiKey;
}

/** Keys of both environments. Throws Skipped where there is none of one. */
export const comparedKeys = step(
  async (session): Promise<{ readonly sandbox: EnvironmentKeys; readonly live: EnvironmentKeys }> => {
    const liveMade = await workingKey(session, liveKey(session));
    const liveGiven = givenKey(session, 'LIVE_API_KEY');
    const sandboxGiven = requireKey(session, 'SANDBOX_API_KEY');
    const sandboxMade = await workingKey(session, standingKey(session));
    return {
      sandbox: environmentKeys(sandboxGiven, sandboxMade),
      live: environmentKeys(liveGiven ?? liveMade ?? requireKey(session, 'LIVE_API_KEY'), liveMade),
    };
  },
);

const environmentKeys = (givenOrMade: ApiKey, made: ApiKey | null): EnvironmentKeys => ({
  all: [...new Set([givenOrMade, made ?? givenOrMade])],
  givenOrMade,
  madeOrGiven: made ?? givenOrMade,
});

/** A key that the run made, if it opens a read; null: it does not, or there is none. */
async function workingKey(session: Session, made: Promise<RunKey>): Promise<ApiKey | null> {
  const key = await usableKey(made);
  return key !== null && (await read(session, (await workingRead(session)).id, { key })).accepted ? key : null;
}

/** How a read differs from the plain one with the main key. */
export interface Reading {
  readonly key: ApiKey;
  readonly query?: NonNullable<Call['query']>;
  /** Whether it is sent now, whatever was read before. */
  readonly isFresh?: boolean;
  /** How the key is sent. Default: in the query now and then, so that filters are judged in both modes. */
  readonly mode?: KeyMode;
}

/** By endpoint and names of parameters: whether the read with certain values carries its key in the query. */
const modesOfReads = stepFor(
  (endpoint: string, names: readonly string[]) => [endpoint, ...names].join(' '),
  async () => new Map<string, boolean>(),
);

/** Whether a read carries its key in the query: every second one does, so that filters are judged in both modes. */
async function isInQueryMode(session: Session, endpoint: string, { key, query = {} }: Reading): Promise<boolean> {
  const names = Object.keys(query);
  const [probe = endpoint] = session.api.probes;
  if (names.length === 0 || key.environment !== mainKey(session).environment) {
    return false;
  }
  const modes = await modesOfReads(session, endpoint, names);
  const values = JSON.stringify(query);
  const isChosen = modes.get(values) ?? (modes.size + names.length) % 2 === 0;
  modes.set(values, isChosen);
  return isChosen && (await read(session, probe, { mode: 'query' })).accepted;
}

/** The modes in which filters are judged with a key, the usual one first. */
export async function modesOfFilters(session: Session, { environment }: ApiKey): Promise<readonly KeyMode[]> {
  const usual = await session.api.usualMode(session);
  const others = session.api.keyModes.filter((mode) => mode !== usual);
  return environment === mainKey(session).environment ? [usual, ...others] : [usual];
}

/** Reads with a key; where a key that the run made gets 401, with the given key of its environment. */
export async function readAs(session: Session, endpoint: string, reading: Reading): Promise<Answer> {
  const { key, query = {}, isFresh = false, mode } = reading;
  const readWith = (details: ReadDetails): Promise<Answer> =>
    isFresh ? send(session, endpoint, details) : read(session, endpoint, details);
  if (mode === 'query' || (mode === undefined && (await isInQueryMode(session, endpoint, reading)))) {
    const answer = await readWith({ key, query, mode: 'query' });
    // What query mode refuses is judged by developer.auth.query.
    if (answer.accepted) {
      return answer;
    }
  }
  const answer = await readWith({ key, query });
  const given = givenKey(session, key.environment === 'live' ? 'LIVE_API_KEY' : 'SANDBOX_API_KEY');
  return answer.status === 401 && key.origin === 'own' && given !== undefined
    ? readAs(session, endpoint, { ...reading, key: given })
    : answer;
}

/** Sends a write with a key; where a key of the run gets 401 or 403, which other clauses judge, with the main key. */
export async function sendAs(session: Session, endpoint: string, key: ApiKey, body: unknown): Promise<Answer> {
  const answer = await send(session, endpoint, { key, body });
  return key.origin === 'own' && [401, 403].includes(answer.status) ? send(session, endpoint, { body }) : answer;
}
