import { show } from '../../common/schema.ts';
import { thousands } from '../../common/words.ts';
import { type Environment, keyPrefix, scopes } from '../../contract/scopes.ts';
import { createTally, type Outcome, observed, type Tally } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import { atMoment, type Checks } from '../engine/check.ts';
import { callName, describeAnswer } from '../engine/describe-answer.ts';
import { expectStatus, findingOn, undecided } from '../engine/expect.ts';
import { judgePart, resultOrNull, toldOrNull } from '../engine/parts.ts';
import type { Answer } from '../session/answer.ts';
import { callOf } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import type { Session } from '../session/session.ts';
import { judgeInvalidKey, judgeMissingKey } from '../shared/refusals/keys-refused.ts';
import { unknownKeyLike } from '../shared/refusals/never-issued.ts';
import { type BadCall, judgeRefusals } from '../shared/refusals/refusals.ts';
import { createKey, deleteIfMade, keyBody, keyName, mainEnvironment, makerFor } from './keys/creation.ts';
import { keyAcceptedIn, otherModes, precedence } from './keys/key-modes.ts';
import { liveKey, standingKey } from './keys/lending.ts';
import { type KeyLife, lifeOf } from './keys/life.ts';
import { mainRotation, type RotationStory } from './keys/rotation.ts';
import { type FoundSecret, secretIn } from './keys/run-key.ts';
import { inQuery, tryKey, useAfterDeletion, type WayAfterDeletion } from './keys/ways.ts';
import { judgeRefusedWrites } from './refused-writes.ts';

/** Authentication: how keys are sent, and which are refused. */
export const auth: Checks = {
  'developer.auth.header': atMoment('badKeys', keyAcceptedIn('header', 'X-API-Key')),
  'developer.auth.query': atMoment('badKeys', keyAcceptedIn('query', 'the query parameter api_key')),
  'developer.auth.missing-key': atMoment('badKeys', judgeMissingKey),
  'developer.auth.invalid-key': atMoment('badKeys', judgeInvalidKey),

  'developer.auth.deleted-key': atMoment('badKeys', judgeDeletedKey),

  'developer.auth.sandbox-prefix': (session) => judgePrefix(session, 'sandbox'),
  'developer.auth.live-prefix': (session) => judgePrefix(session, 'live'),

  'developer.auth.no-effect': atMoment('badKeys', judgeRefusedWrites),

  'developer.auth.precedence': atMoment('badKeys', async (session) => observed(await precedence(session))),

  'developer.auth.rotated-key': async (session) => {
    const { answer, former } = await mainRotation(session);
    if (!answer.accepted) {
      throw undecided(answer, `Cannot be judged: ${describeAnswer(answer)}`, 'developer.keys.rotate');
    }
    const { atOnce, later } = former();
    return observed({
      oldSecretAtOnce: describeAnswer(atOnce),
      [`oldSecretAfter${session.settings.KEY_SETTLE_MS}Ms`]: describeAnswer(later),
    });
  },

  'developer.auth.other-modes': atMoment('badKeys', async (session) => observed(await otherModes(session))),
};

/**
 * A deleted key gets 401: in every way in which it was accepted, in both environments; on every documented call; and
 * by a former secret that outlived its rotation. Undecided where no call of one mode decided anything.
 */
async function judgeDeletedKey(session: Session): Promise<Outcome> {
  const tally = createTally();
  const calls: Record<string, number> = {};
  const main = mainEnvironment(session);
  await Promise.all(
    [...new Set([main, 'live'] as const)].map((environment) =>
      judgePart(tally, async () => {
        const life = await lifeOf(session, environment);
        for (const way of await useAfterDeletion(session, deletedKey(life), life.uses(), life.deletion())) {
          calls[`${environment}, ${way.name}`] = judgeWay(session, tally, environment, way);
        }
      }),
    ),
  );
  await judgePart(tally, async () => judgeFormerSecret(session, tally, await mainRotation(session)));
  await judgePart(tally, async () => judgeOnEveryCall(session, tally, deletedKey(await lifeOf(session, main))));
  const outcome = tally.outcome({ calls });
  const byMode = Map.groupBy(Object.entries(calls), ([way]) => way.endsWith(inQuery));
  const isModeOpen = [...byMode.values()].some((ways) => ways.every(([, count]) => count === 0));
  return isModeOpen ? { ...outcome, compared: 0 } : outcome;
}

/** The key of a life, after its deletion. Throws Inconclusive where it did not work, or was not deleted. */
function deletedKey({ firstRead, deletion, made }: KeyLife): ApiKey {
  for (const [answer, clause] of [
    [firstRead(), 'developer.keys.create'],
    [deletion(), 'developer.keys.delete'],
  ] as const) {
    if (!answer.accepted) {
      throw undecided(answer, `Cannot be judged: ${describeAnswer(answer)}`, clause);
    }
  }
  return made.key;
}

/** Judges the answers of one way. Gives how many there are; 0: they decide nothing. */
function judgeWay(session: Session, tally: Tally, environment: Environment, way: WayAfterDeletion): number {
  const { name, answers, notRefused } = way;
  const answered = answers.filter(({ status }) => status !== 0);
  if (answered.length === 0) {
    const message = `Cannot judge a deleted key ${name}: no call got an answer`;
    tally.leaveOpen(answers[0] === undefined ? { message } : findingOn(answers[0], { message }));
    return 0;
  }
  if (notRefused === undefined) {
    tally.judge(null);
    return answers.length;
  }
  const { answer, unknown } = notRefused;
  if (unknown.status === answer.status) {
    const message = `Cannot judge a deleted key ${name}: a key that never existed also gets ${describeAnswer(unknown)}`;
    tally.leaveOpen(findingOn(unknown, { message, blames: 'developer.auth.invalid-key' }));
    return 0;
  }
  const accepted = answered.filter((one) => one.accepted).length;
  const outlived = `still works ${thousands(session.settings.KEY_SETTLE_MS)} ms after its deletion`;
  const deleted = `A deleted ${environment} key`;
  tally.judge(
    accepted > 0
      ? findingOn(answer, {
          message: `${deleted} ${outlived}, in ${accepted} of ${answered.length} calls ${name}: ${describeAnswer(answer)} on ${callName(answer)}`,
          expected: '401',
          actual: describeAnswer(answer),
          cause: 'Keys are cached beyond their deletion',
          alike: { what: deleted, got: outlived, call: callName(answer) },
        })
      : expectStatus(answer, 401, deleted),
  );
  return answers.length;
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

/** A former secret that outlives the rotation is refused with 401 once the key is deleted. */
async function judgeFormerSecret(session: Session, tally: Tally, story: RotationStory): Promise<void> {
  const former = toldOrNull(story.former);
  if (!former?.later.accepted || !toldOrNull(story.deletion)?.accepted) {
    return;
  }
  await session.clock.sleep(session.settings.KEY_SETTLE_MS);
  const now = await tryKey(session, former.key, { purpose: 'refusal' });
  const unknown = unknownKeyLike(session, former.key);
  // Where a key that was never issued is accepted too, the deletion is not to blame.
  const isDefect = now.accepted && !(await tryKey(session, unknown, { purpose: 'refusal' })).accepted;
  const what = 'The old secret of a rotated key, after the key was deleted,';
  tally.judge(isDefect ? expectStatus(now, 401, what) : null);
}

/** A created key begins with the prefix of the environment that was asked for, whichever key makes it. */
async function judgePrefix(session: Session, environment: Environment): Promise<Outcome> {
  const tally = createTally();
  const { key, record, places } = (await lifeOf(session, environment)).made;
  tally.judge(prefixFinding(record.answer, environment, { secret: key.secret, pointer: places.secret }));
  // The document does not say whether a key may make keys of the other environment.
  const answer = await resultOrNull(creationByOtherEnvironment(session, environment));
  const secret = answer?.accepted ? secretIn(answer) : undefined;
  if (answer && secret !== undefined) {
    tally.judge(prefixFinding(answer, environment, secret, 'asked for with a key of the other environment'));
  }
  return tally.outcome();
}

/** The answer to a creation by a key of the other environment; what it makes is deleted. Throws as `lifeOf` does. */
async function creationByOtherEnvironment(session: Session, environment: Environment): Promise<Answer> {
  const { key } = await (environment === 'live' ? standingKey(session) : liveKey(session));
  const tag = keyName(session, `${environment} by another`);
  // Keys may see only those of their own environment, or only those that they made.
  const maker = makerFor(session, environment);
  const attempt = await createKey(session, { tag, body: keyBody(tag, environment, scopes), key, maker });
  await deleteIfMade(session, attempt, maker, key);
  return attempt.answer;
}

function prefixFinding(
  answer: Answer,
  environment: Environment,
  { secret, pointer }: FoundSecret,
  how?: string,
): Finding | null {
  const prefix = keyPrefix[environment];
  return secret.startsWith(prefix)
    ? null
    : findingOn(answer, {
        message: `New ${environment} key${how === undefined ? '' : `, ${how},`} does not begin with ${prefix}`,
        expected: `a key that starts with ${prefix}`,
        actual: show(secret.slice(0, Math.min(9, secret.length >> 2))),
        place: pointer,
      });
}
