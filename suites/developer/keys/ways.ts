import type { Endpoint } from '../../../contract/endpoint.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { resultOrNull } from '../../engine/check.ts';
import { isPlainRead, read, workingRead } from '../../records/reads.ts';
import type { Difference } from '../../session/api.ts';
import { type Answer, type ApiKey, type CallDetails, callOf } from '../../session/call.ts';
import { type Session, send, step } from '../../session/session.ts';
import { keysPath } from './run-key.ts';

/** Sends a call with any key, at once. */
export type Use = (session: Session, key: ApiKey, details?: CallDetails) => Promise<Answer>;

/** Sends a documented read with any key, at once. */
export const tryKey: Use = async (session, key, details = {}) =>
  session.client.send(callOf(await workingRead(session), key, details));

/** Reads the usage of a key. */
export const readUsage = (
  session: Session,
  id: string,
  details: CallDetails & { readonly key: ApiKey },
): Promise<Answer> => send(session, `GET ${keysPath}/:id/usage`, { ...details, id });

/** Writes with which keys are tried, those first that leave least behind. The body of the last one is documented. */
const writes = ['inbox/categorize', 'content/review', 'ads/audits', 'investor/updates', 'inbox/draft'].map((path) =>
  endpointOf(`POST /api/v1/${path}`),
);

/** The first of the writes that the main key may make, or else the last. */
export const workingWrite = step(async (session): Promise<Endpoint> => {
  for (const endpoint of writes) {
    const call = session.api.arrange(session, endpoint, 'a working write');
    if ((await resultOrNull(call.then(({ twin }) => twin())))?.accepted) {
      return endpoint;
    }
  }
  return writes.at(-1) as Endpoint;
});

/** Sends a write with any key, at once; `label` is in its body. Throws as `arrange` does. */
export async function tryWrite(
  session: Session,
  key: ApiKey,
  label: string,
  details: Difference = {},
): Promise<Answer> {
  const call = await session.api.arrange(session, await workingWrite(session), label);
  return call.send({ purpose: 'documented', ...details, key });
}

/**
 * On the key list, on a write, and on a read of each module, every second one in the query: each may look keys up in a
 * place of its own, such as a cache.
 */
export const waysOf = step(async (session): Promise<readonly Use[]> => {
  const modules = Map.groupBy(session.api.endpoints.filter(isPlainRead), ({ scope }) => scope);
  modules.delete(null);
  const firsts = [endpointOf(`GET ${keysPath}`), ...[...modules.values()].flatMap(([first]) => first ?? [])];
  const answers = await Promise.all(firsts.map(({ id }) => resultOrNull(read(session, id))));
  const [list, ...reads] = firsts.map((endpoint, index): readonly Use[] =>
    answers[index]?.accepted ? [async ({ client }, key, details) => client.send(callOf(endpoint, key, details))] : [],
  );
  const write: Use = (_, key, details) => tryWrite(session, key, 'in every way', details);
  const others = [write, ...reads.flat()].map((use, index) => (index % 2 === 0 ? inQuery(use) : use));
  // Key management may take no keys in the query, which also stand in logs.
  return [...(list ?? []), ...others];
});

const inQuery =
  (use: Use): Use =>
  (session, key, details) =>
    use(session, key, { ...details, mode: 'query' });

/** Uses a key in every way, so that caches know it. Gives the answers; null: the call could not be made. */
export async function useInEveryWay(session: Session, key: ApiKey): Promise<readonly (Answer | null)[]> {
  const answers: (Answer | null)[] = [];
  for (const use of await waysOf(session)) {
    answers.push(await resultOrNull(use(session, key)));
  }
  return answers;
}
