import { show } from '../../common/schema.ts';
import { type Environment, keyPrefix, scopes } from '../../contract/scopes.ts';
import { createTally, type Outcome, observed, type Tally } from '../../results/outcome.ts';
import { atMoment, type Checks } from '../engine/check.ts';
import { describeAnswer } from '../engine/describe-answer.ts';
import { expectStatus, judgeThat, needAccepted } from '../engine/expect.ts';
import { judgePart, resultOrNull, toldOrNull } from '../engine/parts.ts';
import { callOf } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import type { Session } from '../session/session.ts';
import { judgeInvalidKey, judgeMissingKey } from '../shared/refusals/keys-refused.ts';
import { unknownKeyLike } from '../shared/refusals/never-issued.ts';
import { type BadCall, judgeRefusals } from '../shared/refusals/refusals.ts';
import { create, deleteIfMade, environmentsOf, mainEnvironment } from './keys/creation.ts';
import { keyAcceptedIn, otherModes, precedence } from './keys/key-modes.ts';
import { liveKey, standingKey } from './keys/lending.ts';
import { type KeyLife, lifeOf, mainLife } from './keys/life.ts';
import { mainRotation, type RotationStory } from './keys/rotation.ts';
import { secretIn } from './keys/run-key.ts';
import { tryKey, type Use, waysOf } from './keys/ways.ts';
import { judgeRefusedWrites } from './refused-writes.ts';

/** Authentication: how keys are sent, and which are refused. */
export const auth: Checks = {
  'developer.auth.header': keyAcceptedIn('header', 'X-API-Key'),
  'developer.auth.query': keyAcceptedIn('query', 'the query parameter api_key'),
  'developer.auth.missing-key': atMoment('badKeys', judgeMissingKey),
  'developer.auth.invalid-key': atMoment('badKeys', judgeInvalidKey),

  'developer.auth.deleted-key': atMoment('badKeys', judgeDeletedKey),

  'developer.auth.sandbox-prefix': (session) => judgePrefix(session, 'sandbox'),
  'developer.auth.live-prefix': (session) => judgePrefix(session, 'live'),

  'developer.auth.no-effect': atMoment('badKeys', judgeRefusedWrites),

  'developer.auth.precedence': atMoment('badKeys', async (session) => observed(await precedence(session))),

  'developer.auth.rotated-key': async (session) => {
    const { answer, former } = await mainRotation(session);
    needAccepted(answer, 'Key cannot be rotated', 'developer.keys.rotate');
    const { atOnce, later } = former();
    return observed({
      oldSecretAtOnce: describeAnswer(atOnce),
      [`oldSecretAfter${session.settings.KEY_SETTLE_MS}Ms`]: describeAnswer(later),
    });
  },

  'developer.auth.other-modes': atMoment('badKeys', async (session) => observed(await otherModes(session))),
};

/**
 * A deleted key gets 401: in both environments, as soon as its deletion shows effect; on every documented call; and by each
 * secret that it had, where it was rotated.
 */
async function judgeDeletedKey(session: Session): Promise<Outcome> {
  const tally = createTally();
  await Promise.all(
    environmentsOf(session).map((environment) =>
      judgePart(tally, async () => judgeOutlives(session, tally, await lifeOf(session, environment))),
    ),
  );
  await judgePart(tally, async () => judgeSecrets(session, tally, await mainRotation(session)));
  await judgePart(tally, async () => judgeOnEveryCall(session, tally, deletedKey(await mainLife(session))));
  return tally.outcome();
}

/** The key of a life, after its deletion. Throws Inconclusive where it did not work, or was not deleted. */
function deletedKey({ firstRead, deletion, made }: KeyLife): ApiKey {
  needAccepted(firstRead(), 'Created key is refused', 'developer.keys.create');
  needAccepted(deletion(), 'Key cannot be deleted', 'developer.keys.delete');
  return made.key;
}

/**
 * Judges calls KEY_SETTLE_MS after the deletion, since a cache of a minute would be empty later: half of the ways in each
 * environment, since more refusals may lock the caller out.
 */
async function judgeOutlives(session: Session, tally: Tally, life: KeyLife): Promise<void> {
  const { clock, settings } = session;
  const [key, deletion] = [deletedKey(life), life.deletion()];
  await clock.sleep(deletion.exchange.receivedAt + settings.KEY_SETTLE_MS - clock.now());
  const half = life.environment === mainEnvironment(session) ? 0 : 1;
  const uses = (await waysOf(session)).filter((_, index) => index % 2 === half);
  await judgeUses(session, tally, { key, uses, what: `A deleted ${life.environment} key` });
}

/** Judges that uses of a key are refused with 401. What a key that was never issued gets too is not due to its deletion. */
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

/** Every documented call refuses the deleted key with 401, every second POST in query mode. */
async function judgeOnEveryCall(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const posts = session.api.endpoints.filter(({ method }) => method === 'POST');
  // A call on one key names the deleted key itself: where it is wrongly accepted, no other key is changed.
  const sendWith =
    (sent: ApiKey): BadCall['send'] =>
    ({ endpoint, send }) =>
      endpoint.path.includes(':id')
        ? session.client.send(callOf(endpoint, sent, { id: key.id ?? '', purpose: 'refusal' }))
        : send({ key: sent, ...(posts.indexOf(endpoint) % 2 === 1 ? { mode: 'query' } : {}) });
  const badCall: BadCall = {
    name: 'with a deleted key',
    send: sendWith({ ...key, origin: 'unknown' }),
    // What a key that was never issued gets too is not due to the deletion.
    coveredBy: sendWith(unknownKeyLike(session, key)),
  };
  tally.add((await judgeRefusals(session, { label: 'a deleted key', badCalls: [badCall] })).outcome);
}

/** Each secret of a rotated key that still worked is refused with 401 once the key is deleted. */
async function judgeSecrets(session: Session, tally: Tally, story: RotationStory): Promise<void> {
  const [former, successor] = [toldOrNull(story.former), toldOrNull(story.successor)];
  const living = [
    ...(former?.later.accepted ? [['old', former.key] as const] : []),
    ...(successor && toldOrNull(story.firstRead)?.accepted ? [['new', successor.key] as const] : []),
  ];
  if (living.length === 0 || !toldOrNull(story.deletion)?.accepted) {
    return;
  }
  await session.clock.sleep(session.settings.KEY_SETTLE_MS);
  for (const [which, key] of living) {
    const what = `The ${which} secret of a rotated key, after the key was deleted,`;
    await judgeUses(session, tally, { key, uses: [tryKey], what });
  }
}

/** A created key begins with the prefix of the environment that was asked for, whichever key makes it. */
async function judgePrefix(session: Session, environment: Environment): Promise<Outcome> {
  const { record } = (await lifeOf(session, environment)).made;
  // The document does not say whether a key may make keys of the other environment.
  const other = await resultOrNull(environment === 'live' ? standingKey(session) : liveKey(session));
  const byOther = other && (await resultOrNull(create(session, 'by another', scopes, environment, other.key)));
  await (byOther && other && deleteIfMade(session, byOther, other.key));
  const prefix = keyPrefix[environment];
  const tally = createTally();
  for (const answer of [record.answer, ...(byOther?.answer.accepted ? [byOther.answer] : [])]) {
    const { secret = '', pointer = '/data' } = secretIn(answer) ?? {};
    judgeThat(tally, secret.startsWith(prefix), answer, {
      message: `New ${environment} key, made with ${answer.exchange.keyLabel}, does not begin with ${prefix}`,
      expected: `a key that starts with ${prefix}`,
      actual: show(secret.slice(0, Math.min(9, secret.length >> 2))),
      place: pointer,
    });
  }
  return tally.outcome();
}
