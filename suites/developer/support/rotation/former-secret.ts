import type { Tally } from '../../../../results/outcome.ts';
import { describeAnswer, expectStatus, undecided } from '../../../engine/expect.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { unknownKeyLike } from '../keys/deleted-key.ts';
import { isNotDeletedYet } from '../keys/drop-key.ts';
import { tryKey } from '../keys/first-key.ts';
import { mainEnvironment } from '../keys/key-makers.ts';
import { dropRotated, rotationIn } from './rotation.ts';

/** A key's secret of before its rotation: nothing says whether it still works. */
interface Former {
  readonly key: ApiKey;
  readonly atOnce: Answer;
  /** KEY_SETTLE_MS after that. */
  readonly later: Answer;
}

/** Tries the former secret of the key that was rotated. Throws Inconclusive where none was. */
export const formerSecret = step(async (session): Promise<Former> => {
  const { before, answer } = await rotationIn(session, mainEnvironment(session));
  if (!answer.accepted) {
    throw undecided(answer, `Cannot be judged: ${describeAnswer(answer)}`, 'developer.keys.rotate');
  }
  const key: ApiKey = { ...before.key, origin: 'unknown' };
  const atOnce = await tryKey(session, key, { purpose: 'off-document' });
  await session.clock.sleep(session.settings.KEY_SETTLE_MS);
  return { key, atOnce, later: await tryKey(session, key, { purpose: 'off-document' }) };
});

/** A former secret that lives on goes with the key: it is tried once, as soon as it has to be refused. */
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
  // What a key gets that never was is not the deletion's matter.
  const isDefect =
    now.accepted && !(await tryKey(session, unknownKeyLike(session, key), { purpose: 'refusal' })).accepted;
  const message = 'Secret of before a rotation still works, though the key is deleted';
  tally.judge(isDefect ? expectStatus(now, 401, message) : null);
}
