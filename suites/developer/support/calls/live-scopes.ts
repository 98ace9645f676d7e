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

/** Half of the modules each: one half has no scopes of any module that is not in it. */
const halves: readonly (readonly Prefix[])[] = [
  ['ads', 'investor', 'scheduling'],
  ['inbox', 'routing', 'content'],
];

/**
 * What live keys that hold the one half came to in the modules of the other: on reads beside a live key that has the scopes.
 * The twins come first: whoever has a key lent waits for no other.
 */
const triedLive = stepFor(
  (held: readonly Prefix[]) => held.join(' '),
  async (session, held): Promise<readonly Refusal[]> => {
    const others = developerEndpoints.filter(({ scope }) => scope !== null && !held.includes(scope));
    const twins = new Map<Endpoint, Answer | null>();
    for (const endpoint of others) {
      twins.set(endpoint, await resultOrNull(liveTwin(session, endpoint)));
    }
    return lendKey(session, [`live, ${held.join(' ')}`, held.flatMap(scopesOf), 'live'], async ({ key }) => {
      await assertKeyKnown(session, 'Key without some scopes', key);
      const tried = others.map(async (endpoint): Promise<Refusal[]> => {
        const twin = twins.get(endpoint) ?? null;
        return (await resultOrNull(liveRefusal(session, endpoint, twin, key))) ?? [];
      });
      const refusals = (await Promise.all(tried)).flat();
      await assertKeyStillKnown(session, 'Key without some scopes', key, refusals);
      return refusals;
    });
  },
);

/** A read with a live key that has the scopes. A write has no accepted twin in the live account. */
async function liveTwin(session: Session, endpoint: Endpoint): Promise<Answer | null> {
  if (endpoint.method !== 'GET') {
    return null;
  }
  const [, key] = await keysOfBothEnvironments(session, endpoint.id);
  return key === undefined ? null : read(session, endpoint.id, { key });
}

/** Where there is no twin, only a key that is accepted is reported. */
async function liveRefusal(session: Session, endpoint: Endpoint, twin: Answer | null, key: ApiKey): Promise<Refusal[]> {
  const what = `Live key without ${endpoint.scope ?? ''} scopes is not refused with 403`;
  const call = await session.api.arrange(session, endpoint, 'live without a scope');
  const probe = await call.send({ key });
  return twin !== null || probe.accepted ? [{ endpoint, twin: twin ?? probe, probe, status: 403, what }] : [];
}

/** A live key without a module's scopes is refused, too. Throws Skipped where none may be made. */
export async function judgeLiveScopes(session: Session, prefix: Prefix, tally: Tally): Promise<void> {
  const held = halves.find((half) => !half.includes(prefix));
  if (held !== undefined && mainKey(session).environment !== 'live') {
    for (const refusal of (await triedLive(session, held)).filter(({ endpoint }) => endpoint.scope === prefix)) {
      await judgeRunKeyRefusal(session, tally, refusal);
    }
  }
}
