import { type Environment, scopes } from '../../../../contract/scopes.ts';
import { createTally, type Outcome, type Tally } from '../../../../results/outcome.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import { describeAnswer, expectStatus, findingOn, undecided } from '../../../engine/expect.ts';
import { judgePart, resultOrNull } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import { mainKey } from '../../../session/keys.ts';
import type { Session } from '../../../session/session.ts';
import type { Body } from '../calls/bodies.ts';
import { blamesForRoom, noRoom } from './key-room.ts';
import { assertStillKnown } from './known-key.ts';
import { lendKey } from './lend-key.ts';
import { createdKey, deleteMade, deleterOf, makerFor, ownEnvironment } from './make-key.ts';
import { createKey, keyName } from './own-key.ts';
import { allWrongs, firstWrongs, type Wrong } from './wrong-key-requests.ts';

/** A key that makes keys, and the answer to its well-formed request. */
interface Maker {
  readonly key: ApiKey;
  readonly body: Body;
  readonly twin: Answer;
}

/** A key request with one thing wrong gets 400, from keys of both environments. */
export async function judgeKeyRequests(session: Session): Promise<Outcome> {
  const tally = createTally();
  const environment = ownEnvironment(session);
  const judgedOf: Record<string, number> = {};
  await judgePart(tally, async () => {
    const { body, answer: twin } = await createdKey(session);
    const maker = { key: mainKey(session), body: body as Body, twin };
    const wrongs = allWrongs(session.tag);
    judgedOf[environment] =
      (await resultOrNull(judgeWithOwn(session, tally, environment, wrongs))) ??
      (await judgeWrongs(session, tally, maker, wrongs));
  });
  if (environment !== 'live') {
    await judgePart(tally, async () => {
      judgedOf.live = await judgeWithOwn(session, tally, 'live', firstWrongs);
    });
  }
  return tally.outcome({ requests: judgedOf });
}

/**
 * Judges by a key of the run's own, which has a budget of its own, or by the one that made it, where that may make no keys or an
 * account has no room for them. Gives how many requests were judged. Throws Skipped where none may be made.
 */
async function judgeWithOwn(
  session: Session,
  tally: Tally,
  environment: Environment,
  wrongs: readonly Wrong[],
): Promise<number> {
  const whole = { ...((await createdKey(session)).body as Body), environment };
  const judged = await lendKey(
    session,
    [`${environment}, key requests`, scopes, environment],
    async ({ key, record }) => {
      const maker = await makeWith(session, key, whole);
      return maker === null ? { twin: record.answer } : { count: await judgeWrongs(session, tally, maker, wrongs) };
    },
  );
  const itself = { key: makerFor(session, environment), body: whole };
  // The lent key is gone by then: it may have taken the only room.
  return 'count' in judged ? judged.count : judgeWrongs(session, tally, { ...itself, ...judged }, wrongs);
}

/** Makes a key with another one, and deletes it. null: that one may make none. */
async function makeWith(session: Session, key: ApiKey, whole: Body): Promise<Maker | null> {
  const tag = await keyName(session, 'made by a key of the run');
  const body = { ...whole, name: tag };
  const made = await createKey(session, { tag, body, key, maker: deleterOf(session, key) });
  await deleteMade(session, made, key);
  return made.answer.accepted ? { key, body, twin: made.answer } : null;
}

/** How often room is looked for before one request. */
const mostRounds = 6;

/** Gives how many requests were judged. */
async function judgeWrongs(session: Session, tally: Tally, maker: Maker, wrongs: readonly Wrong[]): Promise<number> {
  const { twin, key } = maker;
  if (!twin.accepted) {
    throw undecided(twin, `Cannot be judged: ${describeAnswer(twin)}`, 'developer.keys.create');
  }
  let judged = 0;
  /** Such a status is not for want of room. */
  let isOtherwise = false;
  // One after the other: no other clause waits behind them, or goes without where requests are counted.
  for (const { says, wrong } of wrongs) {
    await judgePart(tally, async () => {
      const request = (): Promise<Answer> => requestWith(session, maker, says, wrong);
      let answer = await request();
      // Room may be looked at before the body. Others may take the room that was found: again and again is no chance.
      for (let round = 0; !isOtherwise && round < mostRounds && noRoom.includes(answer.status); round += 1) {
        await findRoom(session, maker, answer);
        answer = await request();
      }
      isOtherwise = noRoom.includes(answer.status);
      await assertStillKnown(session, 'Key that makes others', key, [{ probe: answer }]);
      tally.judge(expectStatus(answer, 400, `Key request with ${says} is not refused with 400`));
      judged += 1;
    });
  }
  return judged;
}

/** A key request with something wrong. A key that it makes all the same is deleted at once. */
async function requestWith(
  session: Session,
  { key, body }: Maker,
  says: string,
  wrong: Wrong['wrong'],
): Promise<Answer> {
  const tag = await keyName(session, says);
  const maker = deleterOf(session, key);
  const made = await createKey(session, { tag, body: wrong({ ...body, name: tag }), key, maker, purpose: 'refusal' });
  // It may have become a live key, which those of the sandbox do not see.
  await deleteMade(session, made, maker, makerFor(session, 'live'));
  return made.answer;
}

/** Pauses, ms, between looks whether an account has room. */
const pauses = [0, 1_000, 4_000, 16_000, 32_000, 32_000];

/** Waits until a well-formed request is accepted. Throws Inconclusive where none is. */
async function findRoom(session: Session, { key, body }: Maker, answer: Answer): Promise<void> {
  for (const pause of pauses) {
    await session.clock.sleep(pause);
    if ((await makeWith(session, key, body)) !== null) {
      return;
    }
  }
  const message = `Account has no room for keys, so ill-formed requests get ${describeAnswer(answer)}`;
  throw new Inconclusive(findingOn(answer, { message, blames: blamesForRoom(session) }));
}
