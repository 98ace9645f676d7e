import { hasValue } from '../../../../common/json.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import { createTally, type Outcome, type Tally } from '../../../../results/outcome.ts';
import { Inconclusive, Skipped } from '../../../../results/stop.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { expectStatus, undecided } from '../../../engine/expect.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import { nounOf } from '../../../records/collections.ts';
import { readPages } from '../../../records/list-reading.ts';
import { findInListUntil, type ListSearch } from '../../../records/list-search.ts';
import { judgeCreatedListed } from '../../../records/listed-records.ts';
import { read } from '../../../records/reads.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import type { Session } from '../../../session/session.ts';
import { awaitWrites } from '../deletions/await-writes.ts';
import { agentDeletion } from '../deletions/deletions.ts';
import type { Kind } from '../kinds.ts';
import { changing, listing, type Readable } from '../kinds.ts';
import { type Attempt, assertCreated, type Created } from './create.ts';
import { listedPair, type PairedKind } from './listed-pair.ts';
import { isAgentDeletionJudged } from './second-agent.ts';

/** A list gets 200 and shows a created record. Where the run may not write, only the status is judged. */
export async function judgeListed(session: Session, kind: Kind, attempt: () => Promise<Attempt>): Promise<Outcome> {
  const tally = createTally();
  let record: Created;
  try {
    record = assertCreated(await attempt());
  } catch (error) {
    return judgeWithoutRecord(session, tally, kind, error);
  }
  if (kind === 'bookings' || kind === 'webhooks') {
    await judgePair(session, tally, kind, record);
  } else {
    await judgeOne(session, tally, kind, record);
  }
  return tally.outcome();
}

/** Throws the error again unless the first page can be judged without a record. */
async function judgeWithoutRecord(session: Session, tally: Tally, kind: Kind, error: unknown): Promise<Outcome> {
  const page = await read(session, listing(kind));
  if (error instanceof Skipped) {
    tally.judge(expectListed(page, kind));
    const message = `Cannot tell whether a created ${nounOf(kind)} is listed: ${error.message}`;
    tally.skip({ ...error.finding, message });
  } else if (error instanceof Inconclusive && page.status !== 200) {
    tally.judge(expectListed(page, kind));
  } else {
    throw error;
  }
  return tally.outcome();
}

/** The first record is listed, and a second one beside it. */
async function judgePair(session: Session, tally: Tally, kind: PairedKind, record: Created): Promise<void> {
  const { first, second } = await listedPair(session, kind);
  tally.judge(expectListed(first.first, kind));
  if (first.first.status === 200) {
    judgeCreatedListed(tally, first, record);
    if (second?.search.isComplete && isSuccess(second.search.first)) {
      judgeCreatedListed(tally, second.search, second.record);
    }
  }
}

/** The main record is listed, and the first agent was, too, before the second one was deleted. */
async function judgeOne(session: Session, tally: Tally, kind: Readable, record: Created): Promise<void> {
  const search = await searchAfterWrites(session, kind, record);
  tally.judge(expectListed(search.first, kind));
  if (search.first.status !== 200) {
    return;
  }
  judgeCreatedListed(tally, search, record);
  if (kind === 'agents' && search.isShown && isAgentDeletionJudged(session)) {
    const deletion = await resultOrNull(agentDeletion(session));
    if (deletion?.otherListed?.isComplete && isSuccess(deletion.otherListed.first)) {
      judgeCreatedListed(tally, deletion.otherListed, deletion.other);
    }
  }
}

/** Where the list shows a record after its change. Throws Inconclusive where the change may be why it does not. */
async function searchAfterWrites(session: Session, kind: Readable, record: Created): Promise<ListSearch> {
  const { reuse, change } = await awaitWrites(session, kind);
  const search = await findInListUntil(session, record, ({ isShown }) => isShown, { reuse });
  if (search.isShown || change === null || !isSuccess(change.answer)) {
    return search;
  }
  if (!isSuccess(change.later)) {
    const message = `Cannot tell whether a created ${nounOf(kind)} is listed: since it was changed, it cannot be read either`;
    throw undecided(change.later, message, endpointOf(changing(kind)).clause);
  }
  // The change may have replaced the words by which its row is known: then any mention of its id counts.
  const pages = await readPages(session, listing(kind), { reuse: () => true });
  const isShown = pages.some((page) => page.unredacted(({ json }) => hasValue(json, record.id)));
  return { ...search, isShown };
}

const expectListed = (answer: Answer, kind: Kind): Finding | null => expectStatus(answer, 200, `Listing ${kind}`);
