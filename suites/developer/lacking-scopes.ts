import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { type Prefix, scopesOf, scopesWithout } from '../../contract/scopes.ts';
import { resultOrNull } from '../engine/parts.ts';
import { read } from '../records/reads.ts';
import type { Answer } from '../session/answer.ts';
import type { ApiKey } from '../session/key.ts';
import { mainKey } from '../session/keys.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { stepFor } from '../session/step.ts';
import { type Refusal, withParameter } from '../shared/refusals/refusals.ts';
import { acceptedMark, refusedMark } from './calls/bodies.ts';
import { twinOf, twinWith } from './calls/twins.ts';
import { keysOfBothEnvironments } from './environments.ts';
import { assertKeyKnown, lendKey } from './keys/lending.ts';

// Calls with keys that lack the scopes of a module: a main one with the scopes of the other five, and live ones with
// half of all scopes. The twins come before a key is made: that may take minutes, and the key would take the room of a
// full account.

/** The documented calls of a module. */
export const endpointsOf = (prefix: Prefix): Endpoint[] => developerEndpoints.filter(({ scope }) => scope === prefix);

/** A call with a key that lacks its scopes, and words in its body and in that of its twin. */
export interface UnscopedCall extends Refusal {
  readonly words: string;
  readonly twinWords: string;
  /** The key that sent the twin. */
  readonly reader: ApiKey;
}

/** Calls to a module with a main key that lacks its scopes. */
interface CallsWithoutScopes {
  /** One for each endpoint of the module, beside its twin. */
  readonly refusals: readonly UnscopedCall[];
  /** Calls that differ from these in one more thing, which `how` says. */
  readonly others: readonly { readonly how: string; readonly probe: Answer }[];
}

/** Calls each endpoint of a module with a key that has the scopes of the other five. Throws as `lendKey` does. */
export const callsWithoutScopes = stepFor(
  (prefix: Prefix) => prefix,
  async (session, prefix): Promise<CallsWithoutScopes> => {
    const label = `without ${prefix}`;
    const endpoints = endpointsOf(prefix);
    const twins = await Promise.all(endpoints.map(async (endpoint) => (await twinOf(session, endpoint.id)).answer));
    const control = { reader: mainKey(session), twinWords: acceptedMark(session) };
    return lendKey(session, [label, scopesWithout(prefix)], async ({ key }) => {
      await assertKeyKnown(session, `Key ${label} scopes`, key);
      const calls = endpoints.map((endpoint, index) =>
        unscopedCall(session, endpoint, label, key, { ...control, twin: twins[index] as Answer }),
      );
      return { refusals: await Promise.all(calls), others: await furtherCalls(session, prefix, key) };
    });
  },
);

/** The first endpoint in query mode, and each that takes parameters with one of them: other code may answer those. */
async function furtherCalls(session: Session, prefix: Prefix, key: ApiKey): Promise<CallsWithoutScopes['others']> {
  const endpoints = endpointsOf(prefix);
  const call = await session.api.arrange(session, endpoints[0] as Endpoint, `in the query without ${prefix}`);
  const inQuery = { how: 'sent in the query', probe: await call.send({ key, mode: 'query' }) };
  const probes = withParameter(endpoints).map(({ id, query }) => send(session, id, { key, query, purpose: 'refusal' }));
  return [inQuery, ...(await Promise.all(probes)).map((probe) => ({ how: 'with a parameter', probe }))];
}

/** The modules in two halves: a key with the scopes of one half lacks those of every module in the other. */
const halves: readonly (readonly Prefix[])[] = [
  ['ads', 'investor', 'scheduling'],
  ['inbox', 'routing', 'content'],
];

/**
 * Calls to a module with a live key that has other scopes; none where the main key is a live one. Throws Skipped where
 * no live key may be made.
 */
export async function liveCallsWithoutScopes(session: Session, prefix: Prefix): Promise<readonly UnscopedCall[]> {
  const held = halves.find((half) => !half.includes(prefix));
  const isJudged = held !== undefined && mainKey(session).environment !== 'live';
  return isJudged ? (await callsOfHalfKey(session, held)).filter(({ endpoint }) => endpoint.scope === prefix) : [];
}

/** Calls of a live key with half the scopes to the other modules. One without an accepted twin proves nothing. */
const callsOfHalfKey = stepFor(
  (held: readonly Prefix[]) => held.join(' '),
  async (session, held): Promise<readonly UnscopedCall[]> => {
    const endpoints = developerEndpoints.filter(({ scope }) => scope !== null && !held.includes(scope));
    const twins = new Map<Endpoint, Control | null>();
    for (const endpoint of endpoints) {
      twins.set(endpoint, await resultOrNull(liveControl(session, endpoint)));
    }
    return lendKey(session, [`live, ${held.join(' ')}`, held.flatMap(scopesOf), 'live'], async ({ key }) => {
      await assertKeyKnown(session, 'Key without some scopes', key);
      const calls = endpoints.map((endpoint) =>
        resultOrNull(unscopedCall(session, endpoint, 'live without a scope', key, twins.get(endpoint) ?? null)),
      );
      return (await Promise.all(calls)).filter((call) => call !== null).filter(isTelling);
    });
  },
);

/** The accepted call, as another key makes it. */
type Control = Pick<UnscopedCall, 'twin' | 'twinWords' | 'reader'>;

/** null: there is no live key. */
async function liveControl(session: Session, { id, method }: Endpoint): Promise<Control | null> {
  const [, reader] = await keysOfBothEnvironments(session, id);
  if (reader === undefined) {
    return null;
  }
  const twin = await (method === 'GET' ? read(session, id, { key: reader }) : twinWith(session, id, reader));
  return { twin, twinWords: refusedMark(session, reader.environment), reader };
}

/** Makes a call with a key that lacks its scopes; `label` is in its body. */
async function unscopedCall(
  session: Session,
  endpoint: Endpoint,
  label: string,
  key: ApiKey,
  control: Control | null,
): Promise<UnscopedCall> {
  const probe = await (await session.api.arrange(session, endpoint, label)).send({ key });
  const isLive = key.environment === 'live';
  const what = `A ${isLive ? 'live ' : ''}key without ${endpoint.scope ?? ''} scopes`;
  const words = refusedMark(session, label);
  return { ...(control ?? { twin: probe, twinWords: words, reader: key }), endpoint, probe, status: 403, what, words };
}

const isTelling = ({ probe, twin, endpoint }: UnscopedCall): boolean =>
  probe.accepted || (twin !== probe && (twin.accepted || endpoint.method === 'GET'));
