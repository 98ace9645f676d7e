import { developerEndpoints } from '../../../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../../../contract/endpoint.ts';
import { type Prefix, scopesWithout } from '../../../../contract/scopes.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ArrangedCall } from '../../../session/api.ts';
import type { ApiKey } from '../../../session/key.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import type { Refusal } from '../../../shared/refusals/refusals.ts';
import { withParameter } from '../../../shared/refusals/with-parameter.ts';
import { lendKey } from '../../keys/lending.ts';
import { assertKeyKnown, assertKeyStillKnown } from '../../keys/unrecognised-key.ts';

/** The documented calls of a module. */
export const endpointsOf = (prefix: Prefix): Endpoint[] => developerEndpoints.filter(({ scope }) => scope === prefix);

/** Calls to a module with a key that lacks its scopes. */
interface CallsWithoutScopes {
  /** One for each endpoint of the module, beside its twin. */
  readonly refusals: readonly Refusal[];
  /** Calls that differ from these in one more thing, which `how` says. */
  readonly others: readonly { readonly how: string; readonly probe: Answer }[];
}

/**
 * Calls each endpoint of a module with a key that has the scopes of the other five. The calls are arranged before the
 * key is made: that may take minutes, and the key would take the room of a full account. Throws as `lendKey` does.
 */
export const callsWithoutScopes = stepFor(
  (prefix: Prefix) => prefix,
  async (session, prefix): Promise<CallsWithoutScopes> => {
    const what = `Key without ${prefix} scopes`;
    const calls = await Promise.all(
      endpointsOf(prefix).map((endpoint) => session.api.arrange(session, endpoint, `without ${prefix}`)),
    );
    return lendKey(session, [`without ${prefix}`, scopesWithout(prefix)], async ({ key }) => {
      await assertKeyKnown(session, what, key);
      const refusals = await Promise.all(calls.map((call) => refusalOf(call, key, prefix)));
      await assertKeyStillKnown(session, what, key, refusals);
      return { refusals, others: await furtherCalls(session, prefix, key) };
    });
  },
);

async function refusalOf(call: ArrangedCall, key: ApiKey, prefix: Prefix): Promise<Refusal> {
  const [twin, probe] = [await call.twin(), await call.send({ key })];
  return { endpoint: call.endpoint, twin, probe, status: 403, what: `A key without ${prefix} scopes` };
}

/** The first endpoint in query mode, and each that takes parameters with one of them: other code may answer those. */
async function furtherCalls(session: Session, prefix: Prefix, key: ApiKey): Promise<CallsWithoutScopes['others']> {
  const endpoints = endpointsOf(prefix);
  const call = await session.api.arrange(session, endpoints[0] as Endpoint, `in the query without ${prefix}`);
  const inQuery = { how: 'sent in the query', probe: await call.send({ key, mode: 'query' }) };
  const probes = withParameter(endpoints).map(({ id, query }) => send(session, id, { key, query, purpose: 'refusal' }));
  return [inQuery, ...(await Promise.all(probes)).map((probe) => ({ how: 'with a parameter', probe }))];
}
