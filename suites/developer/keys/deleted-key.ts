import type { Tally } from '../../../results/outcome.ts';
import { judgePart, resultOrNull, stageOrNull } from '../../engine/check.ts';
import { expectStatus, needAccepted } from '../../engine/expect.ts';
import { type ApiKey, callOf } from '../../session/call.ts';
import type { Session } from '../../session/session.ts';
import { unknownKeyLike } from '../../shared/refusals/never-issued.ts';
import { type KeyStory, keyStory, mainKeyStory } from './key-story.ts';
import { environmentsOf } from './making.ts';
import { mainRotation, type RotationStory } from './rotation-story.ts';
import { tryKey, type Use, waysOf } from './ways.ts';

/**
 * A check: a deleted key gets 401 in both environments, as soon as its deletion shows effect; on every documented call;
 * and by each secret that it had, where it was rotated.
 */
export async function judgeDeletedKey(session: Session, tally: Tally): Promise<void> {
  await Promise.all(
    environmentsOf(session).map((environment) =>
      judgePart(tally, async () => judgeOutlives(session, tally, await keyStory(session, environment))),
    ),
  );
  await judgePart(tally, async () => judgeSecrets(session, tally, await mainRotation(session)));
  await judgePart(tally, async () => judgeOnEveryCall(session, tally, deletedKey(await mainKeyStory(session))));
}

/** The key of a story, after its deletion. Throws Inconclusive where it did not work, or was not deleted. */
function deletedKey({ firstRead, deletion, made }: KeyStory): ApiKey {
  needAccepted(firstRead(), 'Created key is refused', 'developer.keys.create');
  needAccepted(deletion(), 'Key cannot be deleted', 'developer.keys.delete');
  return made.key;
}

/** How many of the ways are tried right after a deletion: more refusals may lock the caller out. */
const mostUses = 6;

/**
 * Judges calls KEY_SETTLE_MS after the deletion, since a cache of a minute would be empty later: the key list, a write
 * and reads, in both modes.
 */
async function judgeOutlives(session: Session, tally: Tally, story: KeyStory): Promise<void> {
  const { clock, settings } = session;
  const [key, deletion] = [deletedKey(story), story.deletion()];
  await clock.sleep(deletion.exchange.receivedAt + settings.KEY_SETTLE_MS - clock.now());
  const uses = (await waysOf(session)).slice(0, mostUses);
  await judgeUses(session, tally, { key, uses, what: `A deleted ${story.environment} key` });
}

/** Judges that uses of a key get 401. What a key that was never issued gets too is not due to the deletion. */
async function judgeUses(
  session: Session,
  tally: Tally,
  { key, uses, what }: { readonly key: ApiKey; readonly uses: readonly Use[]; readonly what: string },
): Promise<void> {
  for (const use of uses) {
    const useWith = (one: ApiKey) => resultOrNull(use(session, one, { purpose: 'refusal' }));
    const answer = await useWith({ ...key, origin: 'unknown' });
    if (answer?.status === 401) {
      tally.judge(null);
    } else if (answer !== null && (await useWith(unknownKeyLike(session, key)))?.status !== answer.status) {
      const outlives = answer.accepted ? 'Keys are cached beyond their deletion' : undefined;
      tally.judge(expectStatus(answer, 401, what, outlives));
    }
  }
}

/**
 * Every documented call refuses the deleted key with 401, every second POST in query mode. A call on one key names the
 * deleted key itself: where it is wrongly accepted, no other key is changed.
 */
async function judgeOnEveryCall(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const posts = session.api.endpoints.filter(({ method }) => method === 'POST');
  const uses = session.api.endpoints.map(
    (endpoint): Use =>
      async ({ client, api }, one, details) => {
        if (endpoint.path.includes(':id')) {
          return client.send(callOf(endpoint, one, { ...details, id: key.id ?? '' }));
        }
        const mode = posts.indexOf(endpoint) % 2 === 1 ? ({ mode: 'query' } as const) : {};
        return (await api.arrange(session, endpoint, 'a deleted key')).send({ ...mode, key: one });
      },
  );
  await session.until('badKeys');
  await judgeUses(session, tally, { key, uses, what: 'A call with a deleted key' });
}

/** Each secret of a rotated key that still worked is refused with 401 once the key is deleted. */
async function judgeSecrets(session: Session, tally: Tally, story: RotationStory): Promise<void> {
  const [former, successor] = [stageOrNull(story.former), stageOrNull(story.successor)];
  const living = [
    ...(former?.later.accepted ? [former.key] : []),
    ...(successor && story.keepsRecord && stageOrNull(story.firstRead)?.accepted ? [successor.key] : []),
  ];
  if (stageOrNull(story.deletion)?.accepted) {
    await session.clock.sleep(session.settings.KEY_SETTLE_MS);
    for (const key of living) {
      const what = 'A secret of a rotated key, after the key was deleted,';
      await judgeUses(session, tally, { key, uses: [tryKey], what });
    }
  }
}
