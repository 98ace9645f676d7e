import type { Endpoint } from '../../../../contract/endpoint.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import { resultOrNull, settle } from '../../../engine/parts.ts';
import { begunAfter, type MayReuse } from '../../../records/list-reading.ts';
import type { Session } from '../../../session/session.ts';
import { type ChangeResult, firstRecordChange } from '../changes/changes.ts';
import { webhookRemoval } from '../events/webhook-removal.ts';
import { changing, kindOf, type Readable } from '../kinds.ts';
import { mainRecord } from '../records/main-record.ts';
import { isAgentDeletionJudged } from '../records/second-agent.ts';
import { agentDeletion, bookingCancellation } from './deletions.ts';

// A list is read when the writes to its records are done: one reading then serves every clause about them.

/** The writes to records of a kind. */
interface Writes {
  /** Says of a reading of the list whether it shows the effects of all. */
  readonly reuse: MayReuse;
  readonly change: ChangeResult | null;
}

/** Waits for the writes that the clauses of the run make to records of a kind. */
export async function awaitWrites(session: Session, kind: Readable): Promise<Writes> {
  const isDeleted = kind === 'agents' && isAgentDeletionJudged(session);
  const isChanged = session.clauses.has(endpointOf(changing(kind)).clause);
  const [record, deletion, change] = await Promise.all([
    resultOrNull(mainRecord(session, kind)),
    isDeleted ? resultOrNull(agentDeletion(session)) : null,
    isChanged ? resultOrNull(firstRecordChange(session, kind)) : null,
  ]);
  const answers = [record, deletion, change].flatMap((write) => write?.answer ?? []);
  return { reuse: begunAfter(session, ...answers), change };
}

/** Waits for the writes before a judged list is read; not for agents, whose list first shows whether anything works. */
export async function awaitWritesBeforeRead(session: Session, { clause, path }: Endpoint): Promise<void> {
  const writes = {
    agents: () => Promise.resolve(),
    leads: () => awaitWrites(session, 'leads'),
    bookings: () => bookingCancellation(session),
    webhooks: () => webhookRemoval(session),
  };
  if (session.settings.WRITES === 'all' && session.clauses.has(clause)) {
    await settle(writes[kindOf({ path })]());
  }
}
