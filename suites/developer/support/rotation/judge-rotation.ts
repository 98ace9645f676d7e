import type { Environment } from '../../../../contract/scopes.ts';
import type { Tally } from '../../../../results/outcome.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { expectAccepted, findingOn } from '../../../engine/expect.ts';
import type { Answer } from '../../../session/answer.ts';
import type { Session } from '../../../session/session.ts';
import { makerFor } from '../keys/key-makers.ts';
import { secretIn } from '../keys/run-key.ts';
import { assertKeyStillKnown, assertNotDeletedAlong } from '../keys/unrecognised-key.ts';
import { rotatedKeyRead, rotationIn, trialsAfterRotation } from './rotation.ts';

/** Rotation gives a new secret, and that one works. */
export async function judgeRotation(session: Session, tally: Tally, environment: Environment): Promise<void> {
  const { before, answer, after } = await rotationIn(session, environment);
  const failure = expectAccepted(answer, 'Key cannot be rotated') ?? missingNewSecret(answer, before.key.secret);
  if (failure !== null) {
    tally.judge(failure);
    return;
  }
  const tried = await rotatedKeyRead(session, environment);
  const maker = makerFor(session, environment);
  await assertNotDeletedAlong(session, 'Rotated key', after(), { since: answer, tried, maker });
  // A 403 shows that the new secret is known: its scopes are judged by developer.keys.rotate-keeps.
  tally.judge(tried.status === 403 ? null : expectAccepted(tried, 'Rotated key is refused'));
  const refusal = (await trialsAfterRotation(session, environment)).find((trial) => trial?.status === 401);
  await assertKeyStillKnown(session, 'Rotated key', after().key, refusal ? [{ probe: refusal }] : []);
  tally.judge(tried.accepted && refusal ? expectAccepted(refusal, 'Rotated key is refused') : null);
}

function missingNewSecret(answer: Answer, former: string): Finding | null {
  const shown = secretIn(answer, former);
  return shown !== undefined && shown.secret !== former
    ? null
    : findingOn(answer, {
        message: 'Rotation returned no new secret',
        expected: 'another secret than before',
        actual: shown === undefined ? 'no secret' : 'the old secret',
        place: shown?.pointer ?? '/data',
      });
}
