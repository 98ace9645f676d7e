import { hasValue } from '../../../../common/json.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import type { Kind } from '../../../../fixtures/workspace-bodies.ts';
import { createTally, type Outcome, type Tally } from '../../../../results/outcome.ts';
import { Inconclusive, Skipped } from '../../../../results/stop.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { expectStatus, undecided } from '../../../engine/expect.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import { isRecord, rowsIn } from '../../../session/reading/rows.ts';
import type { Session } from '../../../session/session.ts';
import { nounOf } from '../../../shared/collections.ts';
import { readPages } from '../../../shared/lists/list-reading.ts';
import { findInListUntil, type ListSearch } from '../../../shared/lists/list-search.ts';
import { judgeCreatedListed } from '../../../shared/lists/listed-records.ts';
import { read } from '../../../shared/reads.ts';
import { agentDeleted } from '../deletions/deletions.ts';
import { withPathId } from '../deletions/targets.ts';
import { whenDone } from '../deletions/when-done.ts';
import { changing, type Deletable, listing, type Readable } from '../kinds.ts';
import { type Attempt, assertCreated, type Created } from './create.ts';
import { listedTogether } from './listed-together.ts';
import { agentsDeletionIsJudged } from './second-agent.ts';

/** A list gets 200 and shows a created record; without writes, its first page is judged alone. */
export async function judgeListed(session: Session, kind: Kind, attempt: () => Promise<Attempt>): Promise<Outcome> {
  const tally = createTally();
  let record: Created;
  try {
    record = assertCreated(await attempt());
  } catch (error) {
    const page = await read(session, listing(kind));
    if (error instanceof Skipped) {
      tally.judge(notListed(page, kind));
      const message = `Whether a created ${nounOf(kind)} is listed: ${error.message}`;
      tally.skip({ ...error.finding, message });
    } else if (error instanceof Inconclusive && page.status !== 200) {
      tally.judge(notListed(page, kind));
    } else {
      throw error;
    }
    return tally.outcome();
  }
  const isPaired = kind === 'bookings' || kind === 'webhooks';
  const { first: search, second = null } = isPaired
    ? await listedTogether(session, kind)
    : { first: await listedWhenDone(session, kind, record) };
  tally.judge(notListed(search.first, kind));
  if (search.first.status === 200) {
    judgeCreatedListed(tally, isPaired ? await underPathId(session, kind, search, record) : search, record);
    if (second?.search.isComplete && isSuccess(second.search.first)) {
      judgeCreatedListed(tally, second.search, second.record);
    }
    if (kind === 'agents' && search.isShown && agentsDeletionIsJudged(session)) {
      await judgeBesideDeleted(session, tally);
    }
  }
  return tally.outcome();
}

/** Where a record stands under the one of its ids by which another of its kind was deleted. */
async function underPathId(
  session: Session,
  kind: Deletable,
  search: ListSearch,
  record: Created,
): Promise<ListSearch> {
  const { id = record.id } = await withPathId(session, kind, record);
  const noun = nounOf(kind);
  const rows = search.last.unredacted(({ json }) => rowsIn(json, noun) ?? []);
  const isShown = rows.some((row) => isRecord(row, noun, { ...record, id, otherIds: [record.id] }));
  return id === record.id ? search : { ...search, isShown };
}

/** The first agent was listed while the one that was deleted stood beside it. */
async function judgeBesideDeleted(session: Session, tally: Tally): Promise<void> {
  const deletion = await resultOrNull(agentDeleted(session));
  if (deletion?.stood?.isComplete && isSuccess(deletion.stood.first)) {
    judgeCreatedListed(tally, deletion.stood, deletion.other);
  }
}

/** Where a record stands in its list once it was changed. Throws Inconclusive where it may be the change that took it away. */
async function listedWhenDone(session: Session, kind: Readable, record: Created): Promise<ListSearch> {
  const { reuse, change } = await whenDone(session, kind);
  const search = await findInListUntil(session, record, ({ isShown }) => isShown, { reuse });
  if (!search.isShown && change !== null && isSuccess(change.answer)) {
    if (!isSuccess(change.later)) {
      const message = `Whether a created ${nounOf(kind)} is listed is unknown: since its change it cannot be read either`;
      throw undecided(change.later, message, endpointOf(changing(kind)).clause);
    }
    // The change may have taken the words by which its row was known.
    const pages = await readPages(session, listing(kind), { reuse: () => true });
    const isNamed = pages.some((page) => page.unredacted(({ json }) => hasValue(json, record.id)));
    return { ...search, isShown: isNamed };
  }
  return search;
}

const notListed = (answer: Answer, kind: Kind): Finding | null =>
  expectStatus(answer, 200, `Listing ${kind} does not get 200`);
