import type { Endpoint } from '../../../../contract/endpoint.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import type { Call } from '../../../session/call.ts';
import type { ApiKey } from '../../../session/key.ts';
import { givenKey, mainKey } from '../../../session/keys.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { step, stepFor } from '../../../session/step.ts';
import { isPlainRead, type ReadDetails, read } from '../../../shared/reads.ts';
import { liveKey, standingKey } from '../keys/make-key.ts';

/** The keys of one environment: the one that the run made, which has a budget of its own, before the given one. */
type Candidates = readonly [ApiKey, ...ApiKey[]];

/**
 * The keys with which clauses are judged that no environment is named in: those of the main key's, and live ones where they
 * can be had. A live key is made with WRITES=all alone.
 */
const candidates = step(async (session): Promise<readonly Candidates[]> => {
  const main = mainKey(session);
  const [standing] = await usableKey(standingKey(session));
  const own: Candidates = standing === undefined ? [main] : [standing, main];
  const given = main.environment === 'live' ? undefined : givenKey(session, 'LIVE_API_KEY');
  if (main.environment === 'live') {
    return [own];
  }
  const made = session.settings.WRITES === 'all' ? await usableKey(liveKey(session)) : [];
  const live = [...made, ...(given === undefined ? [] : [given])];
  const [first, ...others] = live;
  return first === undefined ? [own] : [own, [first, ...others]];
});

/** A key that the run made, where it could, and where it is known to be of the environment that was asked for. */
export async function usableKey(made: Promise<{ readonly key: ApiKey }>): Promise<readonly ApiKey[]> {
  const own = await resultOrNull(made);
  return own === null || own.key.madeFor !== undefined ? [] : [own.key];
}

/**
 * One key of each environment with which an endpoint is judged, the main key's environment first: one that the run made
 * where the plain read works with it, otherwise the given one. Live calls without filters, and those of documented bodies, are the
 * given one's first: the reads of all the filters nearly fill the other's minute.
 */
export const keysOfBothEnvironments = stepFor(
  (endpoint: string) => endpoint,
  async (session, endpoint): Promise<readonly [ApiKey, ...ApiKey[]]> => {
    const [first, ...others] = await candidates(session);
    return [
      await reader(session, endpoint, first as Candidates),
      ...(await Promise.all(
        others.map((keys) =>
          reader(session, endpoint, isOfOwn(endpointOf(endpoint)) ? keys : (keys.toReversed() as [ApiKey])),
        ),
      )),
    ];
  },
);

const isOfOwn = (endpoint: Endpoint): boolean =>
  endpoint.body === null || (isPlainRead(endpoint) && endpoint.query.length > 0);

async function reader(session: Session, endpoint: string, keys: Candidates): Promise<ApiKey> {
  const tried = isPlainRead(endpointOf(endpoint)) ? endpoint : 'GET /api/v1/platform/me';
  for (const key of keys) {
    if ((await read(session, tried, { key })).accepted) {
      return key;
    }
  }
  return keys.at(-1) as ApiKey;
}

/** How a read differs from the plain one with the main key. */
interface Reading {
  readonly key: ApiKey;
  readonly query?: NonNullable<Call['query']>;
  /** Now, whatever was read before. */
  readonly isFresh?: boolean;
}

/**
 * Which reads with parameters carry their key in the query: every second one of those that differ in their values alone, so that a
 * filter is seen in both modes without a call more.
 */
const readInQuery = stepFor(
  (endpoint: string, names: readonly string[]) => [endpoint, ...names].join(' '),
  async () => new Map<string, boolean>(),
);

async function isInQuery(session: Session, endpoint: string, { key, query = {} }: Reading): Promise<boolean> {
  const names = Object.keys(query);
  const [probe = endpoint] = session.api.probes;
  if (names.length === 0 || key.environment !== mainKey(session).environment) {
    return false;
  }
  const reads = await readInQuery(session, endpoint, names);
  const text = JSON.stringify(query);
  const is = reads.get(text) ?? (reads.size + names.length) % 2 === 0;
  reads.set(text, is);
  return is && (await read(session, probe, { mode: 'query' })).accepted;
}

/** A read with one of these keys; with the given one of the environment, where one that the run made is no longer known. */
export async function readAs(session: Session, endpoint: string, reading: Reading): Promise<Answer> {
  const { key, query = {}, isFresh = false } = reading;
  const readIn = (details: ReadDetails): Promise<Answer> =>
    isFresh ? send(session, endpoint, details) : read(session, endpoint, details);
  if (await isInQuery(session, endpoint, reading)) {
    const answer = await readIn({ key, query, mode: 'query' });
    // What query mode refuses is the matter of its own clause.
    if (answer.accepted) {
      return answer;
    }
  }
  const answer = await readIn({ key, query });
  const given = givenKey(session, key.environment === 'live' ? 'LIVE_API_KEY' : 'SANDBOX_API_KEY');
  return answer.status === 401 && key.origin === 'own' && given !== undefined
    ? readAs(session, endpoint, { ...reading, key: given })
    : answer;
}

/** A write with one of these keys; with the main one where a key that the run made is kept out, which other clauses judge. */
export async function sendAs(session: Session, endpoint: string, key: ApiKey, body: unknown): Promise<Answer> {
  const answer = await send(session, endpoint, { key, body });
  return key.origin === 'own' && [401, 403].includes(answer.status) ? send(session, endpoint, { body }) : answer;
}
