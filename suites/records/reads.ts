import { walk } from '../../common/json.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { Inconclusive } from '../../results/outcome.ts';
import { type Answer, type ApiKey, type Call, callOf, type KeyMode } from '../session/call.ts';
import { mainKey, type Session, send, step, stepFor } from '../session/session.ts';
import { readUntil } from './lists.ts';

/** How a read differs from the plain one. */
export interface ReadDetails {
  readonly query?: NonNullable<Call['query']>;
  /** Default: the main key. */
  readonly key?: ApiKey;
  /** Default: the usual one. */
  readonly mode?: KeyMode;
}

/** The answer to a documented GET without an id, sent once a run. It may be as old as the run. */
export async function read(
  session: Session,
  endpoint: string,
  { query = {}, key = mainKey(session), mode }: ReadDetails = {},
): Promise<Answer> {
  return readOnce(session, endpoint, { query, key, mode: mode ?? (await session.api.usualMode(session)) });
}

const readOnce = stepFor(
  (endpoint: string, { query, key, mode }: Required<ReadDetails>) =>
    [endpoint, JSON.stringify(query), key.label, mode].join(' '),
  async (session, endpoint, details) => {
    const before = await session.api.readBefore(session, endpointOf(endpoint));
    const isPlain = details.key.label === mainKey(session).label && Object.keys(details.query).length === 0;
    const isAsGood = isPlain && (before?.exchange.keyInQuery === true) === (details.mode === 'query');
    return before !== null && isAsGood ? before : send(session, endpoint, details);
  },
);

/** The answer to a GET without a key, sent once a run. */
export const readWithoutKey = stepFor(
  ({ id }: Endpoint) => id,
  (session, endpoint) => session.client.send(callOf(endpoint, null, { purpose: 'refusal' })),
);

/** The first read of a record by its id, shared by those who find out whose the id is and those who judge the read. */
export const firstView = stepFor(
  (endpoint: string, id: string, key: ApiKey) => `${endpoint} ${id} ${key.label}`,
  (session, endpoint, id, key) => send(session, endpoint, { id, key }),
);

/** A record's first read with the main key; where that finds nothing, the first within the settle time that does. */
export const firstFoundView = stepFor(
  (endpoint: string, id: string) => `${endpoint} ${id}`,
  async (session, endpoint, id) => {
    const first = await firstView(session, endpoint, id, mainKey(session));
    const again = (): Promise<Answer> => send(session, endpoint, { id });
    return isNothing(first) ? readUntil(session, again, (view) => !isNothing(view)) : first;
  },
);

/** Whether a view says in any way that nothing is there. */
const isNothing = ({ status, json }: Answer): boolean =>
  status === 404 || (status === 200 && walk(json).every(({ value }) => typeof value === 'object'));

/** Whether an endpoint is a read that needs no id. */
export const isPlainRead = ({ method, path }: Endpoint): boolean => method === 'GET' && !path.includes(':id');

/** A read that works with the main key, on which other keys can be tried. Throws Inconclusive where none does. */
export const workingRead = step(async (session): Promise<Endpoint> => {
  for (const id of session.api.tryouts) {
    if ((await read(session, id)).accepted) {
      return endpointOf(id);
    }
  }
  const message = 'No documented read works with the given key, so nothing shows whether another key works';
  throw new Inconclusive({ message, blames: session.api.keyClause });
});
