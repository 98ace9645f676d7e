import type { Tally } from '../../../results/outcome.ts';
import { describeAnswer, findingOn } from '../../engine/expect.ts';
import { resultOrNull } from '../../engine/parts.ts';
import type { Answer } from '../../session/answer.ts';
import type { Session } from '../../session/session.ts';
import { judgeRefusal, type Refusal } from '../../shared/refusals/refusals.ts';
import { firstRefused } from './key-life.ts';

/** Whether a made key may be refused with 401 because the service that was called knows no made keys, whatever their scopes. */
export const isOfUnknownKey = async (session: Session, { status }: Answer): Promise<boolean> =>
  status === 401 && ((await resultOrNull(firstRefused(session))) ?? []).length > 0;

/** Judges the refusal of a key that the run made for its scopes. */
export async function judgeOfMadeKey(session: Session, tally: Tally, refusal: Refusal): Promise<void> {
  const { probe } = refusal;
  if (await isOfUnknownKey(session, probe)) {
    const message = `Keys that were made are refused with 401, whatever their scopes: ${describeAnswer(probe)}`;
    tally.leaveOpen(findingOn(probe, { message, blames: 'developer.keys.create' }));
  } else {
    judgeRefusal(tally, refusal);
  }
}
