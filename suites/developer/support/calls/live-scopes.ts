import { developerEndpoints } from '../../../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../../../contract/endpoint.ts';
import { type Prefix, scopesOf } from '../../../../contract/scopes.ts';
import type { Tally } from '../../../../results/outcome.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import { read } from '../../../records/reads.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import { mainKey } from '../../../session/keys.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import type { Refusal } from '../../../shared/refusals/refusals.ts';
import { keysOfBothEnvironments } from '../../environments.ts';
import { lendKey } from '../../keys/lending.ts';
import { assertKeyKnown, assertKeyStillKnown, judgeRunKeyRefusal } from '../../keys/unrecognised-key.ts';
import { refusedMark } from '../bodies/bodies.ts';
import { twinWith } from './twins.ts';
import { judgeUnlisted } from './unlisted-write.ts';

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

/** The same call with a live key that has the scopes; null: there is no such key, or the write is not accepted. */
async function liveTwin(session: Session, endpoint: Endpoint): Promise<Answer | null> {
  const [, key] = await keysOfBothEnvironments(session, endpoint.id);
  if (key === undefined || endpoint.method === 'GET') {
    return key === undefined ? null : read(session, endpoint.id, { key });
  }
  const answer = await twinWith(session, endpoint.id, key);
  return answer.accepted ? answer : null;
}

/** Is in the bodies of calls with a live key that lacks the scopes. */
const label = 'live without a scope';

/** The call that should be refused; null: it has no twin, and was not accepted, so it proves nothing. */
async function liveRefusal(
  session: Session,
  endpoint: Endpoint,
  twin: Answer | null,
  key: ApiKey,
): Promise<Refusal | null> {
  const what = `A live key without ${endpoint.scope ?? ''} scopes`;
  const call = await session.api.arrange(session, endpoint, label);
  const probe = await call.send({ key });
  return twin !== null || probe.accepted ? { endpoint, twin: twin ?? probe, probe, status: 403, what } : null;
}

/** Calls to a module with a live key that has other scopes; none where the main key is a live one. */
async function liveRefusals(session: Session, prefix: Prefix): Promise<readonly Refusal[]> {
  const held = halves.find((half) => !half.includes(prefix));
  const isJudged = held !== undefined && mainKey(session).environment !== 'live';
  return isJudged ? (await callsOfHalfKey(session, held)).filter(({ endpoint }) => endpoint.scope === prefix) : [];
}

/** A live key without a module's scopes is refused with 403. Throws Skipped where no live key may be made. */
export async function judgeLiveScopes(session: Session, prefix: Prefix, tally: Tally): Promise<void> {
  for (const refusal of await liveRefusals(session, prefix)) {
    await judgeRunKeyRefusal(session, tally, refusal);
  }
}

/** A write of a module that a live key lacks the scopes for, and the list that would show its effect. */
interface ModuleWrite {
  readonly prefix: Prefix;
  readonly endpoint: string;
  readonly list: string;
}

/** A write that was refused to a live key changed nothing. Throws Skipped where no live key may be made. */
export async function judgeLiveWithoutEffect(
  session: Session,
  tally: Tally,
  { prefix, endpoint, list }: ModuleWrite,
): Promise<void> {
  const [, key] = await keysOfBothEnvironments(session, endpoint);
  const refusals = await liveRefusals(session, prefix);
  const probe = refusals.find((one) => one.endpoint.id === endpoint)?.probe;
  if (key === undefined || probe === undefined) {
    return;
  }
  // What a deployment queued may take KEY_SETTLE_MS to show.
  const settledAt = probe.exchange.receivedAt + session.settings.KEY_SETTLE_MS;
  await session.clock.sleep(Math.max(0, settledAt - session.clock.now()));
  await judgeUnlisted(session, tally, {
    endpoint,
    list,
    key,
    answer: probe,
    status: 403,
    words: refusedMark(session, label),
    acceptedWords: refusedMark(session, key.environment),
    clause: `developer.scopes.${prefix}`,
  });
}
