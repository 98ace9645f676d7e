import type { Endpoint } from '../../../../contract/endpoint.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import { resultOrNull, settle } from '../../../engine/parts.ts';
import type { Session } from '../../../session/session.ts';
import { begunAfter, type MayReuse } from '../../../shared/lists/list-reading.ts';
import { type Changed, changed } from '../changes/changes.ts';
import { webhookRemoved } from '../events/webhook-removal.ts';
import { changing, kindOf, type Readable } from '../kinds.ts';
import { mainRecord } from '../records/main-record.ts';
import { agentsDeletionIsJudged } from '../records/second-agent.ts';
import { agentDeleted, bookingCancelled } from './deletions.ts';

/** What the run did to records of a kind. */
interface Done {
  /** Whether a look into their list shows all of it. */
  readonly reuse: MayReuse;
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
  return { reuse: begunAfter(session, ...[record, deletion, change].flatMap((one) => one?.answer ?? [])), change };
}

/**
 * What a list of the run's own records waits for before it is read: a look that begins then serves those who look for the records
 * too. The list of agents is what shows at first whether anything works.
 */
export async function beforeRead(session: Session, { clause, path }: Endpoint): Promise<void> {
  const kind = kindOf({ path });
  const done = {
    agents: () => Promise.resolve(),
    leads: () => whenDone(session, 'leads'),
    bookings: () => bookingCancelled(session),
    webhooks: () => webhookRemoved(session),
  };
  if (session.settings.WRITES === 'all' && session.clauses.has(clause)) {
    await settle(done[kind]());
  }
}
