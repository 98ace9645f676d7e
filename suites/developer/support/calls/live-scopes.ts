import { developerEndpoints } from '../../../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../../../contract/endpoint.ts';
import { type Prefix, scopesOf } from '../../../../contract/scopes.ts';
import type { Tally } from '../../../../results/outcome.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import { mainKey } from '../../../session/keys.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { read } from '../../../shared/reads.ts';
import type { Refusal } from '../../../shared/refusals/refusals.ts';
import { keysOfBothEnvironments } from '../data/environments.ts';
import { lendKey } from '../keys/lend-key.ts';
import { assertKeyKnown, assertKeyStillKnown, judgeRunKeyRefusal } from '../keys/unrecognised-key.ts';

/** The modules in two halves: a key with the scopes of one half lacks those of every module in the other. */
const halves: readonly (readonly Prefix[])[] = [
  ['ads', 'investor', 'scheduling'],
  ['inbox', 'routing', 'content'],
];

/** Calls of a live key with half the scopes to the other modules. The twins come first: they may need another key. */
const callsOfHalfKey = stepFor(
  (held: readonly Prefix[]) => held.join(' '),
  async (session, held): Promise<readonly Refusal[]> => {
    const endpoints = developerEndpoints.filter(({ scope }) => scope !== null && !held.includes(scope));
    const twins = new Map<Endpoint, Answer | null>();
    for (const endpoint of endpoints) {
      twins.set(endpoint, await resultOrNull(liveTwin(session, endpoint)));
    }
    return lendKey(session, [`live, ${held.join(' ')}`, held.flatMap(scopesOf), 'live'], async ({ key }) => {
      await assertKeyKnown(session, 'Key without some scopes', key);
      const calls = endpoints.map((endpoint) =>
        resultOrNull(liveRefusal(session, endpoint, twins.get(endpoint) ?? null, key)),
      );
      const refusals = (await Promise.all(calls)).filter((refusal) => refusal !== null);
      await assertKeyStillKnown(session, 'Key without some scopes', key, refusals);
      return refusals;
    });
  },
);

/** The same read with a live key that has the scopes; null: there is no such key, or the call is a write. */
async function liveTwin(session: Session, endpoint: Endpoint): Promise<Answer | null> {
  if (endpoint.method !== 'GET') {
    return null;
  }
  const [, key] = await keysOfBothEnvironments(session, endpoint.id);
  return key === undefined ? null : read(session, endpoint.id, { key });
}

/** The call that should be refused; null: it has no twin, and was not accepted, so it proves nothing. */
async function liveRefusal(
  session: Session,
  endpoint: Endpoint,
  twin: Answer | null,
  key: ApiKey,
): Promise<Refusal | null> {
  const what = `Live key without ${endpoint.scope ?? ''} scopes is not refused with 403`;
  const call = await session.api.arrange(session, endpoint, 'live without a scope');
  const probe = await call.send({ key });
  return twin !== null || probe.accepted ? { endpoint, twin: twin ?? probe, probe, status: 403, what } : null;
}

/** A live key without a module's scopes is refused with 403. Throws Skipped where no live key may be made. */
export async function judgeLiveScopes(session: Session, prefix: Prefix, tally: Tally): Promise<void> {
  const held = halves.find((half) => !half.includes(prefix));
  if (held === undefined || mainKey(session).environment === 'live') {
    return;
  }
  const refusals = await callsOfHalfKey(session, held);
  for (const refusal of refusals.filter(({ endpoint }) => endpoint.scope === prefix)) {
    await judgeRunKeyRefusal(session, tally, refusal);
  }
}
