import { developerEndpoints } from '../../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { type Prefix, scopesOf, scopesWithout } from '../../../contract/scopes.ts';
import { resultOrNull } from '../../engine/parts.ts';
import { read } from '../../records/reads.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import { mainKey } from '../../session/keys.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import type { Refusal } from '../../shared/refusals/refusals.ts';
import { withParameter } from '../../shared/refusals/with-parameter.ts';
import { acceptedMark, refusedMark } from '../calls/bodies.ts';
import { twinWith } from '../calls/twins.ts';
import { keysOfBothEnvironments } from '../environments.ts';
import { assertKeyKnown, lendKey } from '../keys/lending.ts';

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
    const what = `A key without ${prefix} scopes`;
    const calls = await Promise.all(
      endpointsOf(prefix).map((endpoint) => session.api.arrange(session, endpoint, label)),
    );
    const words = { words: refusedMark(session, label), twinWords: acceptedMark(session), reader: mainKey(session) };
    return lendKey(session, [label, scopesWithout(prefix)], async ({ key }) => {
      await assertKeyKnown(session, what, key);
      const refusals = await Promise.all(
        calls.map(async ({ endpoint, twin, send: sendWith }): Promise<UnscopedCall> => {
          const [accepted, probe] = [await twin(), await sendWith({ key })];
          return { endpoint, twin: accepted, probe, status: 403, what, ...words };
        }),
      );
      return { refusals, others: await furtherCalls(session, prefix, key) };
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

/** Calls of a live key with half the scopes to the other modules. */
const callsOfHalfKey = stepFor(
  (held: readonly Prefix[]) => held.join(' '),
  async (session, held): Promise<readonly UnscopedCall[]> => {
    const endpoints = developerEndpoints.filter(({ scope }) => scope !== null && !held.includes(scope));
    const twins = new Map<Endpoint, LiveTwin | null>();
    for (const endpoint of endpoints) {
      twins.set(endpoint, await resultOrNull(liveTwin(session, endpoint)));
    }
    return lendKey(session, [`live, ${held.join(' ')}`, held.flatMap(scopesOf), 'live'], async ({ key }) => {
      await assertKeyKnown(session, 'Key without some scopes', key);
      const calls = endpoints.map((endpoint) =>
        resultOrNull(liveRefusal(session, endpoint, twins.get(endpoint) ?? null, key)),
      );
      const refusals = (await Promise.all(calls)).filter((refusal) => refusal !== null);
      return refusals;
    });
  },
);

/** The call that a live key without its scopes makes, as a live key with all of them makes it. */
interface LiveTwin {
  readonly twin: Answer;
  readonly reader: ApiKey;
}

/** null: there is no live key, or its write is not accepted. */
async function liveTwin(session: Session, endpoint: Endpoint): Promise<LiveTwin | null> {
  const [, reader] = await keysOfBothEnvironments(session, endpoint.id);
  if (reader === undefined) {
    return null;
  }
  if (endpoint.method === 'GET') {
    return { twin: await read(session, endpoint.id, { key: reader }), reader };
  }
  const twin = await twinWith(session, endpoint.id, reader);
  return twin.accepted ? { twin, reader } : null;
}

/** The call that should be refused; null: it has no twin, and was not accepted, so it proves nothing. */
async function liveRefusal(
  session: Session,
  endpoint: Endpoint,
  accepted: LiveTwin | null,
  key: ApiKey,
): Promise<UnscopedCall | null> {
  const label = 'live without a scope';
  const call = await session.api.arrange(session, endpoint, label);
  const probe = await call.send({ key });
  const { twin, reader } = accepted ?? { twin: probe, reader: key };
  const what = `A live key without ${endpoint.scope ?? ''} scopes`;
  const words = { words: refusedMark(session, label), twinWords: refusedMark(session, reader.environment) };
  return accepted !== null || probe.accepted ? { endpoint, twin, probe, status: 403, what, ...words, reader } : null;
}
