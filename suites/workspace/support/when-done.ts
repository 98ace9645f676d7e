import { endpointOf } from '../../../contract/endpoints.ts';
import { resultOrNull } from '../../engine/parts.ts';
import type { Session } from '../../session/session.ts';
import { after, type Will } from '../../shared/looks.ts';
import { type Changed, changed } from './changes.ts';
import { agentDeleted, agentsDeletionIsJudged } from './deletions.ts';
import { changing, type Readable } from './kinds.ts';
import { mainRecord } from './main-record.ts';

/** What the run did to records of a kind. */
interface Done {
  /** Tells looks into their list that show all of it. */
  readonly will: Will;
  readonly change: Changed | null;
}

/** Waits until all is done to records of a kind that its clauses ask for, so that one look into the list serves them all. */
export async function whenDone(session: Session, kind: Readable): Promise<Done> {
  const isDeleted = kind === 'agents' && agentsDeletionIsJudged(session);
  const isChanged = session.clauses.has(endpointOf(changing(kind)).clause);
  const [record, deletion, change] = await Promise.all([
    resultOrNull(mainRecord(session, kind)),
    isDeleted ? resultOrNull(agentDeleted(session)) : null,
    isChanged ? resultOrNull(changed(session, kind)) : null,
  ]);
  return { will: after(session, ...[record, deletion, change].flatMap((one) => one?.answer ?? [])), change };
}
