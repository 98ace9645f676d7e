import { walk } from '../../common/json.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Answer } from '../session/answer.ts';
import { type Call, callOf } from '../session/call.ts';
import type { ApiKey, KeyMode } from '../session/key.ts';
import { mainKey } from '../session/keys.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { step, stepFor } from '../session/step.ts';
import { readUntil } from './lists/list-search.ts';
import { firstPageOf } from './lists/looks.ts';

/** How a read differs from the plain one. */
export interface ReadDetails {
  readonly query?: NonNullable<Call['query']>;
  /** Default: the main key. */
  readonly key?: ApiKey;
  /** Default: the usual one. */
  readonly mode?: KeyMode;
}

/** A documented GET without an id, made once a run: for what any answer of the call can tell. */
export async function read(
  session: Session,
  endpoint: string,
  { query = {}, key = mainKey(session), mode }: ReadDetails = {},
): Promise<Answer> {
  const isUsual = mode === undefined || session.api.keyModes.length === 1;
  const isPlain = isUsual && Object.keys(query).length === 0 && key.label === mainKey(session).label;
  return readOnce(session, endpoint, { query, key, mode: mode ?? (await session.api.usualMode(session)), isPlain });
}

/** A read in all its details. */
interface Read extends Required<ReadDetails> {
  /** As every look into a list is made. */
  readonly isPlain: boolean;
}

const readOnce = stepFor(
  (endpoint: string, { query, key, mode }: Read) => [endpoint, JSON.stringify(query), key.label, mode].join(' '),
  async (session, endpoint, { isPlain, ...details }) => {
    await session.api.prepareRead(session, endpointOf(endpoint));
    // Whoever looked into it meanwhile saw as much.
    return isPlain ? firstPageOf(session, endpoint, () => true) : send(session, endpoint, details);
  },
);

/** The same without a key, once a run. */
export const readWithoutKey = stepFor(
  ({ id }: Endpoint) => id,
  (session, endpoint) => session.client.send(callOf(endpoint, null, { purpose: 'refusal' })),
);

/** The first read of a record by its id, once a run: whoever finds out whether the id is its own, and whoever judges it, share it. */
export const firstView = stepFor(
  (endpoint: string, id: string, key: ApiKey) => `${endpoint} ${id} ${key.label}`,
  (session, endpoint, id, key) => send(session, endpoint, { id, key }),
);

/** The same with the main key, once it is found. */
export const firstSeen = stepFor(
  (endpoint: string, id: string) => `${endpoint} ${id}`,
  async (session, endpoint, id) => {
    const first = await firstView(session, endpoint, id, mainKey(session));
    const again = (): Promise<Answer> => send(session, endpoint, { id });
    return isNothing(first) ? readUntil(session, again, (view) => !isNothing(view)) : first;
  },
);

/** Whether a view says in any way that nothing is there. */
export const isNothing = ({ status, json }: Answer): boolean =>
  status === 404 || (status === 200 && walk(json).every(({ value }) => typeof value === 'object'));

/** Whether an endpoint is a read that needs no id. */
export const isPlainRead = ({ method, path }: Endpoint): boolean => method === 'GET' && !path.includes(':id');

/** A read that works with the main key: where other keys are tried. Throws Inconclusive where none does. */
export const workingRead = step(async (session): Promise<Endpoint> => {
  for (const id of session.api.tryouts) {
    if ((await read(session, id)).accepted) {
      return endpointOf(id);
    }
  }
  const message = 'No documented read works with the given key, so nothing shows whether another key works';
  throw new Inconclusive({ message, blames: session.api.keyClause });
});
