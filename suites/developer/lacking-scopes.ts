import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { type Environment, type Prefix, type Scope, scopesWithout } from '../../contract/scopes.ts';
import { resultOrNull, settle } from '../engine/parts.ts';
import type { Answer } from '../session/answer.ts';
import type { ApiKey } from '../session/key.ts';
import { mainKey } from '../session/keys.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { stepFor } from '../session/step.ts';
import { type Refusal, withParameter } from '../shared/refusals/refusals.ts';
import { plainMark, refusedMark, twinOf, twinWith } from './calls/twins.ts';
import { keysOfBothEnvironments } from './environments.ts';
import { mainEnvironment } from './keys/creation.ts';
import { assertKeyKnown, lendKey } from './keys/lending.ts';

// Calls with keys that have some scopes. Their twins, with a key that has all, come before such a key is made: that may
// take minutes, and the key would take the room of a full account.

/** The documented calls of a module. */
export const endpointsOf = (prefix: Prefix): readonly Endpoint[] =>
  developerEndpoints.filter(({ scope }) => scope === prefix);

/** Calls to a module with a key that lacks its scopes. */
interface CallsWithoutScopes {
  /** One for each endpoint of the module, beside its twin, with words that are in its body alone. */
  readonly refusals: readonly (Refusal & { readonly words: string })[];
  /** Calls that differ from these in one more thing, which `how` says. */
  readonly others: readonly { readonly how: string; readonly probe: Answer }[];
  /** The key that sent the twins, and the words in their bodies. */
  readonly reader: ApiKey;
  readonly twinWords: string;
}

/**
 * Calls each endpoint of a module with a key that has the scopes of the other five. None where no key of the environment
 * has all scopes. Throws as `lendKey` does.
 */
export const callsWithoutScopes = stepFor(
  (prefix: Prefix, environment: Environment) => `${prefix} ${environment}`,
  async (session, prefix, environment): Promise<CallsWithoutScopes> => {
    const isMain = environment === mainEnvironment(session);
    const endpoints = endpointsOf(prefix);
    const [, live] = isMain ? [] : await keysOfBothEnvironments(session, endpoints[0]?.id ?? '');
    const reader = live ?? mainKey(session);
    const context = { reader, twinWords: plainMark(session, reader) };
    if (!isMain && live === undefined) {
      return { refusals: [], others: [], ...context };
    }
    const twins = new Map<Endpoint, Answer>();
    for (const endpoint of endpoints) {
      const twin = await (isMain
        ? twinWith(session, endpoint.id, reader)
        : resultOrNull(twinWith(session, endpoint.id, reader)));
      // In live, which values a write takes is open: a refusal beside a refused twin proves nothing.
      if (twin !== null && (isMain || twin.accepted)) {
        twins.set(endpoint, twin);
      }
    }
    const label = `${isMain ? '' : 'live '}without ${prefix}`;
    return lendKey(session, [label, scopesWithout(prefix), environment], async ({ key }) => {
      await assertKeyKnown(session, `Key ${label} scopes`, key);
      const words = refusedMark(session, label);
      const what = `A ${isMain ? '' : 'live '}key without ${prefix} scopes`;
      const calls = [...twins].map(async ([endpoint, twin]) => {
        const probe = await (await session.api.arrange(session, endpoint, label)).send({ key });
        return { endpoint, probe, twin, status: 403, what, words };
      });
      return {
        refusals: await Promise.all(calls),
        others: isMain ? await furtherCalls(session, endpoints, key) : [],
        ...context,
      };
    });
  },
);

/** The first endpoint in query mode, and each that takes parameters with one of them: other code may answer those. */
async function furtherCalls(
  session: Session,
  endpoints: readonly Endpoint[],
  key: ApiKey,
): Promise<CallsWithoutScopes['others']> {
  const call = await session.api.arrange(session, endpoints[0] as Endpoint, 'in the query without a scope');
  const inQuery = { how: 'sent in the query', probe: await call.send({ key, mode: 'query' }) };
  const probes = withParameter(endpoints).map(({ id, query }) => send(session, id, { key, query, purpose: 'refusal' }));
  return [inQuery, ...(await Promise.all(probes)).map((probe) => ({ how: 'with a parameter', probe }))];
}

/** The answers to the twins of endpoints, sent with a key that has some scopes, as far as they can be made; by endpoint. */
export async function callsWithScopes(
  session: Session,
  label: string,
  scopes: readonly Scope[],
  endpoints: readonly Endpoint[],
): Promise<ReadonlyMap<string, Answer>> {
  await settle(...endpoints.map(({ id }) => twinOf(session, id)));
  return lendKey(session, [label, scopes], async ({ key }) => {
    const answers = new Map<string, Answer>();
    for (const { id } of endpoints) {
      const twin = await resultOrNull(twinOf(session, id));
      const answer = twin && (await resultOrNull(send(session, id, { key, body: twin.body })));
      if (answer !== null) {
        answers.set(id, answer);
      }
    }
    return answers;
  });
}
