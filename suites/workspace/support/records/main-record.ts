import { resultOrNull } from '../../../engine/parts.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { type ChangeResult, changeRecord } from '../changes/changes.ts';
import { agentDeletion } from '../deletions/deletions.ts';
import type { Readable } from '../kinds.ts';
import { type Attempt, assertCreated } from './create.ts';
import { type CreatedKind, firstRecord, recordFor } from './run-records.ts';
import { isAgentDeletionJudged } from './second-agent.ts';

/** The record that most clauses use: the first or, where another agent's deletion deleted it, too, a new agent. */
export const mainRecord: (session: Session, kind: CreatedKind) => Promise<Attempt> = stepFor(
  (kind: CreatedKind) => kind,
  async (session, kind): Promise<Attempt> => {
    const first = await firstRecord(session, kind);
    if (kind !== 'agents' || first.id === undefined || !isAgentDeletionJudged(session)) {
      return first;
    }
    const deletion = await resultOrNull(agentDeletion(session));
    return deletion?.isOtherLost === true ? recordFor(session, kind, 'one that was lost') : first;
  },
);

/** The change of the main record. Throws Inconclusive where there is none. */
export const mainChange = async (session: Session, kind: Readable): Promise<ChangeResult> =>
  changeRecord(session, kind, assertCreated(await mainRecord(session, kind)));
