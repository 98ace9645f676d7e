import { resultOrNull } from '../../../engine/parts.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { type Changed, changeOf } from '../changes/changes.ts';
import { agentDeleted } from '../deletions/deletions.ts';
import type { Readable } from '../kinds.ts';
import { type Attempt, assertCreated } from './create.ts';
import { firstRecord, type Recorded, recordFor } from './records.ts';
import { agentsDeletionIsJudged } from './second-agent.ts';

/**
 * The record of its kind that most clauses look at: the first, or, where deleting another agent took that one too, a new one,
 * so that the other clauses have something to stand on.
 */
export const mainRecord: (session: Session, kind: Recorded) => Promise<Attempt> = stepFor(
  (kind: Recorded) => kind,
  async (session, kind): Promise<Attempt> => {
    const first = await firstRecord(session, kind);
    if (kind !== 'agents' || first.id === undefined || !agentsDeletionIsJudged(session)) {
      return first;
    }
    const deletion = await resultOrNull(agentDeleted(session));
    return deletion?.lost === true ? recordFor(session, kind, 'one that was lost') : first;
  },
);

/** The change of that one. */
export const mainChanged = async (session: Session, kind: Readable): Promise<Changed> =>
  changeOf(session, kind, assertCreated(await mainRecord(session, kind)));
