import { endpointOf } from '../../../../contract/endpoints.ts';
import { type Environment, scopes } from '../../../../contract/scopes.ts';
import { createTally, type Outcome, type Tally } from '../../../../results/outcome.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import { describeAnswer } from '../../../engine/describe-answer.ts';
import { findingOn, undecided } from '../../../engine/expect.ts';
import { judgePart, resultOrNull } from '../../../engine/parts.ts';
import type { Body } from '../../../records/bodies.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import { mainKey } from '../../../session/keys.ts';
import type { Session } from '../../../session/session.ts';
import { judgeRefusal } from '../../../shared/refusals/refusals.ts';
import { fullAccountClause, fullAccountStatuses, withRoomKept } from './account-room.ts';
import { createKey, keyName } from './create-key.ts';
import { deleteIfMade } from './drop-key.ts';
import { allFlaws, type Flaw, mainFlaws } from './invalid-key-requests.ts';
import { deleterOf, mainEnvironment, makerFor } from './key-makers.ts';
import { lendKey } from './lend-key.ts';
import { keysPath } from './run-key.ts';
import { firstKeyCreation } from './scope-names.ts';
import { assertKeyStillKnown } from './unrecognised-key.ts';

/** A key that sends key requests, and its accepted one: the twin of the invalid ones. */
interface Requester {
  readonly key: ApiKey;
  readonly body: Body;
  readonly twin: Answer;
}

/** A key request with one flaw gets 400: every flaw in the main environment, the main ones with a live key, too. */
export async function judgeCreationValidation(session: Session): Promise<Outcome> {
  const tally = createTally();
  const environment = mainEnvironment(session);
  const requests: Record<string, number> = {};
  await judgePart(tally, async () => {
    const { body, answer: twin } = await firstKeyCreation(session);
    const flaws = allFlaws(session.tag);
    requests[environment] =
      (await resultOrNull(judgeWithLentKey(session, tally, environment, flaws))) ??
      (await judgeFlaws(session, tally, { key: mainKey(session), body: body as Body, twin }, flaws));
  });
  if (environment !== 'live') {
    await judgePart(tally, async () => {
      requests.live = await judgeWithLentKey(session, tally, 'live', mainFlaws);
    });
  }
  return tally.outcome({ requests });
}

/**
 * Judges flaws with a lent key, which has a budget of its own; where that one may make no keys, or the account has no
 * room for them, with the given key that made it. Gives how many requests were judged. Throws Skipped where no key may
 * be made.
 */
async function judgeWithLentKey(
  session: Session,
  tally: Tally,
  environment: Environment,
  flaws: readonly Flaw[],
): Promise<number> {
  const body = { ...((await firstKeyCreation(session)).body as Body), environment };
  const lent = await lendKey(session, [`${environment}, key requests`, scopes, environment], async (own) => {
    const twin =
      (await makeAndDelete(session, own.key, body, peoplesText)) ?? (await makeAndDelete(session, own.key, body));
    return twin === null
      ? { creation: own.record.answer }
      : { judged: await judgeFlaws(session, tally, { key: own.key, ...twin }, flaws) };
  });
  if ('judged' in lent) {
    return lent.judged;
  }
  // The lent key is deleted by now: it may have taken the account's last room.
  return judgeFlaws(session, tally, { key: makerFor(session, environment), body, twin: lent.creation }, flaws);
}

/** What people write in labels. A deployment may allow plainer ones alone, but must not break on it. */
const peoplesText = ' R&D <"é">';

/** Makes a key with another one, and deletes it; its name ends with `text`. null: it was not accepted. */
async function makeAndDelete(
  session: Session,
  key: ApiKey,
  plain: Body,
  text = '',
): Promise<Omit<Requester, 'key'> | null> {
  const tag = await keyName(session, text === '' ? 'made by a key of the run' : '');
  const body = { ...plain, name: tag + text };
  const attempt = await createKey(session, { tag, body, key, maker: deleterOf(session, key) });
  await deleteIfMade(session, attempt, key);
  return attempt.answer.accepted ? { body, twin: attempt.answer } : null;
}

/** How often one request is repeated because the account was full: a key made at once may take the room found. */
const mostRepeats = 3;

/** Judges a request with each flaw. Gives how many were judged. Throws Inconclusive where the twin was not accepted. */
async function judgeFlaws(
  session: Session,
  tally: Tally,
  requester: Requester,
  flaws: readonly Flaw[],
): Promise<number> {
  const { twin, key } = requester;
  if (!twin.accepted) {
    throw undecided(twin, `Cannot be judged: ${describeAnswer(twin)}`, 'developer.keys.create');
  }
  let judged = 0;
  // False once a request got such a status although the account had room.
  let meansFullAccount = true;
  // One after the other: no other clause waits for them, and where requests are counted none goes without.
  for (const flaw of flaws) {
    await judgePart(tally, async () => {
      const first = await requestWith(session, requester, flaw);
      const isOfFullAccount = meansFullAccount && fullAccountStatuses.includes(first.status);
      const answer = isOfFullAccount
        ? await withRoomKept(session, () => repeatWithRoom(session, requester, flaw, first))
        : first;
      meansFullAccount = !fullAccountStatuses.includes(answer.status);
      await assertKeyStillKnown(session, 'Key that creates others', key, [{ probe: answer }]);
      const what = `A key request with ${flaw.label}`;
      judgeRefusal(tally, { probe: answer, twin, endpoint: endpointOf(`POST ${keysPath}`), status: 400, what });
      judged += answer.status === 429 ? 0 : 1;
    });
  }
  return judged;
}

/** Repeats a request that a deployment refused because it looks for room before it looks at the body. */
async function repeatWithRoom(session: Session, requester: Requester, flaw: Flaw, first: Answer): Promise<Answer> {
  let answer = first;
  for (let repeat = 0; repeat < mostRepeats && fullAccountStatuses.includes(answer.status); repeat += 1) {
    await waitForRoom(session, requester, answer);
    answer = await requestWith(session, requester, flaw);
  }
  return answer;
}

/** Sends a key request with a flaw. A key that it makes all the same is deleted at once. */
async function requestWith(session: Session, { key, body }: Requester, { label, applyTo }: Flaw): Promise<Answer> {
  const tag = await keyName(session, label);
  const maker = deleterOf(session, key);
  const attempt = await createKey(session, {
    tag,
    body: applyTo({ ...body, name: tag }),
    key,
    maker,
    purpose: 'refusal',
  });
  // It may have become a live key, which sandbox keys do not see.
  await deleteIfMade(session, attempt, maker, makerFor(session, 'live'));
  return attempt.answer;
}

/** Pauses, ms, between attempts to find room in the account. */
const pauses = [0, 1_000, 4_000, 16_000, 32_000, 32_000];

/** Waits until a well-formed request is accepted. Throws Inconclusive, about the refused `answer`, where none is. */
async function waitForRoom(session: Session, { key, body }: Requester, answer: Answer): Promise<void> {
  for (const pause of pauses) {
    await session.clock.sleep(pause);
    if ((await makeAndDelete(session, key, body)) !== null) {
      return;
    }
  }
  const message = `Account has no room for keys, so ill-formed requests get ${describeAnswer(answer)}`;
  throw new Inconclusive(findingOn(answer, { message, blames: fullAccountClause(session) }));
}
