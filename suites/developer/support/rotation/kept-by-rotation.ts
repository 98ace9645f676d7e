import { type Environment, keyPrefix } from '../../../../contract/scopes.ts';
import type { Outcome, Tally } from '../../../../results/outcome.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { describeAnswer } from '../../../engine/describe-answer.ts';
import { expectStatus, findingOn, undecided } from '../../../engine/expect.ts';
import { judgeInTurn, judgePart, resultOrNull, settle } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { dropKey } from '../keys/drop-key.ts';
import { judgeRecords } from './rotated-records.ts';
import { lists, rotatedKeyRead, rotationIn, trials, trialsAfterRotation } from './rotation.ts';
import { judgeShownScopes, listedAfterRotation } from './shown-scopes.ts';

/** Deletes the rotated key when no step needs it any more: both records, where rotation made another. */
export const dropRotated = stepFor(
  (environment: Environment) => environment,
  async (session, environment): Promise<void> => {
    const { before, after } = await rotationIn(session, environment);
    const rotated = await resultOrNull((async () => after())());
    await settle(
      keptByRotation(session, environment),
      rotatedKeyRead(session, environment),
      listedAfterRotation(session, environment),
    );
    await dropKey(session, before);
    if (rotated !== null && rotated.id !== before.id) {
      await dropKey(session, rotated);
    }
  },
);

/** A rotated key keeps its prefix, its records, and what its scopes open. Steps that delete the key await this. */
export const keptByRotation = stepFor(
  (environment: Environment) => environment,
  (session, environment): Promise<Outcome> =>
    judgeInTurn([environment], (tally) => judgeKept(session, tally, environment)),
);

async function judgeKept(session: Session, tally: Tally, environment: Environment): Promise<void> {
  const { before, opened, answer, after } = await rotationIn(session, environment);
  if (!answer.accepted) {
    const message = `Key cannot be rotated: ${describeAnswer(answer)}`;
    throw undecided(answer, message, 'developer.keys.rotate');
  }
  const { key } = after();
  judgePrefixKept(tally, environment, before.key, key, answer);
  await judgePart(tally, () => judgeShownScopes(session, tally, environment));
  const answersAfter = await trialsAfterRotation(session, environment);
  for (const [index, trial] of trials.entries()) {
    const trialBefore = opened[index] ?? null;
    const trialAfter = answersAfter[index] ?? null;
    if (trialBefore === null || trialAfter === null) {
      continue;
    }
    judgeTrial(tally, trialBefore, trialAfter);
    const list = lists[index];
    if (list !== undefined) {
      const readAgain = (): Promise<Answer> => trial(session, key, {});
      await judgePart(tally, () =>
        judgeRecords(session, tally, environment, { list, before: trialBefore, after: trialAfter, readAgain }),
      );
    }
  }
}

function judgePrefixKept(
  tally: Tally,
  environment: Environment,
  before: ApiKey,
  after: ApiKey,
  rotation: Answer,
): void {
  const prefix = keyPrefix[environment];
  if (before.secret.startsWith(prefix)) {
    tally.judge(after.secret.startsWith(prefix) ? null : otherPrefix(rotation, prefix, after));
  } else {
    const message = `New ${environment} key does not begin with ${prefix}, so rotation cannot keep it`;
    tally.leaveOpen(findingOn(rotation, { message, blames: `developer.auth.${environment}-prefix` }));
  }
}

const otherPrefix = (answer: Answer, prefix: string, { secret }: ApiKey): Finding =>
  findingOn(answer, {
    message: "Rotation changed the key's prefix",
    expected: prefix,
    actual: secret.slice(0, Math.min(prefix.length, secret.length >> 2)),
  });

/** A trial that was accepted before is not forbidden now, and one that was forbidden is not accepted. */
function judgeTrial(tally: Tally, before: Answer, after: Answer): void {
  if (after.status === 401) {
    const message = `Cannot judge the scopes of a rotated key: ${describeAnswer(after)}`;
    tally.leaveOpen(findingOn(after, { message, blames: 'developer.keys.rotate' }));
  } else if (before.accepted) {
    tally.judge(
      after.status === 403 ? expectStatus(after, before.status, 'A rotated key', 'Rotation removed a scope') : null,
    );
  } else {
    tally.judge(after.accepted ? expectStatus(after, 403, 'A rotated key', 'Rotation added a scope') : null);
  }
}
