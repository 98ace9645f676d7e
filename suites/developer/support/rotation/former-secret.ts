import type { Tally } from '../../../../results/outcome.ts';
import { describeAnswer } from '../../../engine/describe-answer.ts';
import { expectStatus, undecided } from '../../../engine/expect.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { unknownKeyLike } from '../keys/deleted-key.ts';
import { isNotDeletedYet } from '../keys/drop-key.ts';
import { tryKey } from '../keys/first-key.ts';
import { mainEnvironment } from '../keys/key-makers.ts';
import { dropRotated } from './kept-by-rotation.ts';
import { rotationIn } from './rotation.ts';

/** The secret that a key had before its rotation: the document does not say whether it still works. */
interface FormerSecret {
  readonly key: ApiKey;
  /** The answer right after the rotation. */
  readonly atOnce: Answer;
  /** The answer KEY_SETTLE_MS later. */
  readonly later: Answer;
}

/** Tries the former secret of the rotated key. Throws Inconclusive where the rotation failed. */
export const formerSecret = step(async (session): Promise<FormerSecret> => {
  const { before, answer } = await rotationIn(session, mainEnvironment(session));
  if (!answer.accepted) {
    throw undecided(answer, `Cannot be judged: ${describeAnswer(answer)}`, 'developer.keys.rotate');
  }
  const key: ApiKey = { ...before.key, origin: 'unknown' };
  const atOnce = await tryKey(session, key, { purpose: 'off-document' });
  await session.clock.sleep(session.settings.KEY_SETTLE_MS);
  return { key, atOnce, later: await tryKey(session, key, { purpose: 'off-document' }) };
});

/** A former secret that outlives the rotation is refused with 401 once the key is deleted. */
export async function judgeFormerSecret(session: Session, tally: Tally): Promise<void> {
  const { key, later } = await formerSecret(session);
  const environment = mainEnvironment(session);
  const { before } = await rotationIn(session, environment);
  await dropRotated(session, environment);
  if (!later.accepted || isNotDeletedYet(session, before)) {
    return;
  }
  await session.clock.sleep(session.settings.KEY_SETTLE_MS);
  const now = await tryKey(session, key, { purpose: 'refusal' });
  // Where a key that was never issued is accepted too, the deletion is not to blame.
  const isDefect =
    now.accepted && !(await tryKey(session, unknownKeyLike(session, key), { purpose: 'refusal' })).accepted;
  const what = 'The old secret of a rotated key, after the key was deleted,';
  tally.judge(isDefect ? expectStatus(now, 401, what) : null);
}
