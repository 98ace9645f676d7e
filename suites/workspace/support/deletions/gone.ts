import type { Tally } from '../../../../results/outcome.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { findingOn } from '../../../engine/expect.ts';
import type { Answer } from '../../../session/answer.ts';
import type { Session } from '../../../session/session.ts';
import { type Deleted, judgeNotListedAgain } from './listed-again.ts';
import { judgeOthersKept, type ListsAround } from './others-deleted.ts';

/** An accepted deletion lasts, and took no record of somebody else. Waits until the run is quiet. */
export async function judgeGone(session: Session, tally: Tally, deleted: Deleted & ListsAround): Promise<void> {
  await judgeNotListedAgain(session, tally, deleted);
  await judgeOthersKept(session, tally, deleted);
}

/** Another record of the run that a deletion took along. */
interface TakenAlong {
  readonly noun: string;
  /** The id of the record that was deleted. */
  readonly deleted: string;
  readonly taken: string;
  /** What became of the other record. Default: removed. */
  readonly end?: 'removed' | 'cancelled';
}

/** The finding on a deletion that took another record of the run along, as `shown` shows. */
export const tookAnother = (shown: Answer, { noun, deleted, taken, end = 'removed' }: TakenAlong): Finding =>
  findingOn(shown, {
    message: `Deleting ${noun} ${deleted} also ${end} ${noun} ${taken}`,
    expected: `only ${deleted} ${end}`,
    actual: `${taken} ${end} as well`,
    place: 'body',
  });
