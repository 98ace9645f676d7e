import { endpointOf } from '../../../contract/endpoints.ts';
import { type Environment, scopes } from '../../../contract/scopes.ts';
import { createTally, type Outcome, type Tally } from '../../../results/outcome.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { findingOn, undecided } from '../../engine/expect.ts';
import { judgePart } from '../../engine/parts.ts';
import type { Body } from '../../records/bodies.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { judgeRefusal } from '../../shared/refusals/refusals.ts';
import {
  createKey,
  deleteIfMade,
  deleterOf,
  firstKeyCreation,
  keyName,
  mainEnvironment,
  makerFor,
} from './creation.ts';
import { allFlaws, type Flaw, mainFlaws } from './invalid-key-requests.ts';
import { fullAccountAdvice, fullAccountStatuses, lendKey } from './lending.ts';
import { keysPath } from './run-key.ts';

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
    requests[environment] = await judgeWithLentKey(session, tally, environment, allFlaws(session.tag));
  });
  if (environment !== 'live') {
    await judgePart(tally, async () => {
      requests.live = await judgeWithLentKey(session, tally, 'live', mainFlaws);
    });
  }
  return tally.outcome({ requests });
}

/**
 * Judges flaws with a lent key, which has a budget of its own; where that one may make no keys, with the given key that
 * made it. Gives how many requests were judged. Throws as `lendKey` does.
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
  const tag = keyName(session, text === '' ? 'made by a key of the run' : '');
  const body = { ...plain, name: tag + text };
  const attempt = await createKey(session, { tag, body, key, maker: deleterOf(session, key) });
  await deleteIfMade(session, attempt, key);
  return attempt.answer.accepted ? { body, twin: attempt.answer } : null;
}

/** Judges a request with each flaw. Gives how many were judged. Throws Inconclusive where the twin was not accepted. */
async function judgeFlaws(
  session: Session,
  tally: Tally,
  requester: Requester,
  flaws: readonly Flaw[],
): Promise<number> {
  const { twin, key, body } = requester;
  if (!twin.accepted) {
    throw undecided(twin, `Cannot be judged: ${describeAnswer(twin)}`, 'developer.keys.create');
  }
  let judged = 0;
  // One after the other: no other clause waits for them, and where requests are counted none goes without.
  for (const flaw of flaws) {
    await judgePart(tally, async () => {
      const answer = await requestWith(session, requester, flaw);
      const what = `A key request with ${flaw.label}`;
      if (fullAccountStatuses.includes(answer.status) && (await makeAndDelete(session, key, body)) === null) {
        // A deployment may look for room before it looks at the body.
        const message = `Account has no room for keys, so ${what} gets ${describeAnswer(answer)}`;
        tally.leaveOpen(findingOn(answer, { message, advice: fullAccountAdvice }));
        return;
      }
      judgeRefusal(tally, { probe: answer, twin, endpoint: endpointOf(`POST ${keysPath}`), status: 400, what });
      judged += 1;
    });
  }
  return judged;
}

/** Sends a key request with a flaw. A key that it makes all the same is deleted at once. */
async function requestWith(session: Session, { key, body }: Requester, { label, applyTo }: Flaw): Promise<Answer> {
  const tag = keyName(session, label);
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
