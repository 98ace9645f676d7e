import { developerEndpoints } from '../../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { type Prefix, scopesWithout } from '../../../contract/scopes.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import type { Refusal } from '../../shared/refusals.ts';
import { assertKnown, assertStillKnown } from './known-key.ts';
import { lendKey } from './make-key.ts';

/** The documented calls of a module. */
export const endpointsOf = (prefix: Prefix): Endpoint[] => developerEndpoints.filter(({ scope }) => scope === prefix);

/** What a key without a module's scopes came to. */
export interface Lacking {
  /** Each endpoint of the module. */
  readonly refusals: readonly Refusal[];
  /** Calls that differ from these in one thing more. */
  readonly others: readonly { readonly how: string; readonly probe: Answer }[];
}

/** The module called with the key that holds the other five modules' scopes. */
export const triedWithout = stepFor(
  (prefix: Prefix) => prefix,
  (session, prefix): Promise<Lacking> =>
    lendKey(session, [`without ${prefix}`, scopesWithout(prefix)], async ({ key }) => {
      const what = `Key without ${prefix} scopes`;
      await assertKnown(session, what, key);
      const refusals = await Promise.all(
        endpointsOf(prefix).map(async (endpoint) => {
          const call = await session.api.arrange(session, endpoint, `without ${prefix}`);
          return {
            endpoint,
            twin: await call.twin(),
            probe: await call.send({ key }),
            status: 403,
            what: `${what} is not refused with 403`,
          };
        }),
      );
      await assertStillKnown(session, what, key, refusals);
      return { refusals, others: await triedOtherwise(session, prefix, key) };
    }),
);

/** The module's first endpoint with the key in the query, and its first filter: what is filtered may be answered by other code. */
async function triedOtherwise(session: Session, prefix: Prefix, key: ApiKey): Promise<Lacking['others']> {
  const [endpoint] = endpointsOf(prefix) as [Endpoint];
  const call = await session.api.arrange(session, endpoint, `in the query without ${prefix}`);
  const inQuery = { how: 'sent in the query', probe: await call.send({ key, mode: 'query' }) };
  const filtered = endpointsOf(prefix).find(({ query }) => query.some(({ values }) => values !== undefined));
  const [filter] = filtered?.query ?? [];
  if (filtered === undefined || filter?.values === undefined) {
    return [inQuery];
  }
  const query = { [filter.name]: filter.values[0] ?? '' };
  return [
    inQuery,
    { how: 'with a filter', probe: await send(session, filtered.id, { key, query, purpose: 'refusal' }) },
  ];
}
