import { withArticle } from '../../../../common/words.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import type { Outcome, Tally } from '../../../../results/outcome.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import { describeAnswer } from '../../../engine/describe-answer.ts';
import { expectAccepted, findingOn, judgeThat, undecided } from '../../../engine/expect.ts';
import { judgeEach } from '../../../engine/parts.ts';
import { nounOf } from '../../../records/collections.ts';
import { findCreated, findInList, findInListUntil, type ListSearch, readUntil } from '../../../records/list-search.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import { requireKey } from '../../../session/keys.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { listing, type Readable, reading } from '../../kinds.ts';
import { detailView } from '../../life/details.ts';
import { undeletedRecord } from '../../life/standing.ts';

/** A second key of the workspace finds the records that the first one made, by id and in lists. */
export async function judgeShared(session: Session): Promise<Outcome> {
  const key = requireKey(session, 'WORKSPACE_SECOND_API_KEY');
  const parts = [
    (tally: Tally) => judgeReadable(session, tally, 'agents', key),
    (tally: Tally) => judgeReadable(session, tally, 'leads', key),
    (tally: Tally) => judgeListed(session, tally, 'agents', key),
    (tally: Tally) => judgeListed(session, tally, 'bookings', key),
  ];
  return judgeEach(parts, (tally, part) => part(tally));
}

async function judgeReadable(session: Session, tally: Tally, kind: Readable, key: ApiKey): Promise<void> {
  const { id, answer: twin } = await detailView(session, kind);
  const unknown = (seen: Answer, why: string): Inconclusive =>
    undecided(
      seen,
      `Cannot tell whether a second key can read ${withArticle(nounOf(kind))}: ${why}`,
      endpointOf(reading(kind)).clause,
    );
  if (!twin.accepted) {
    throw unknown(twin, `the first key got ${describeAnswer(twin)}`);
  }
  const view = () => send(session, reading(kind), { id, key });
  const answer = await readUntil(session, view, ({ status }) => status !== 404);
  if (answer.status === 401 || answer.status === 403) {
    throw notAllowed(answer);
  }
  if (!answer.accepted && !(await send(session, reading(kind), { id })).accepted) {
    throw unknown(answer, 'the first key no longer can');
  }
  tally.judge(expectAccepted(answer, `The second key cannot read the ${nounOf(kind)} that the first created`));
}

async function judgeListed(session: Session, tally: Tally, kind: 'agents' | 'bookings', key: ApiKey): Promise<void> {
  const record = await undeletedRecord(session, kind);
  const toFirstKey = await findCreated(session, record);
  // The same call with the first key shows it on its first page: so would the second key's, whatever pages follow.
  const isEnough = ({ isComplete }: ListSearch, ofFirstKey: ListSearch): boolean =>
    ofFirstKey.isShown && (isComplete || isOnFirstPage(ofFirstKey));
  const isDecided = (search: ListSearch): boolean =>
    search.isShown || !isSuccess(search.first) || !isEnough(search, toFirstKey);
  const search = await findInListUntil(session, record, isDecided, { key });
  const { isShown, first, last } = search;
  if (!isSuccess(first)) {
    throw notAllowed(first);
  }
  const isMissing =
    !isShown && isEnough(search, toFirstKey) && isEnough(search, await findInList(session, record.collection, record));
  if (!isShown && !isMissing) {
    const message = `Cannot tell whether a second key sees ${withArticle(nounOf(kind))}: the list may be incomplete`;
    throw undecided(last, message, endpointOf(listing(kind)).clause);
  }
  judgeThat(tally, isShown, last, {
    message: `The second key does not see the ${nounOf(kind)} that the first created: ${record.id} is not in ${listing(kind)}`,
    expected: record.id,
    actual: 'absent',
    place: 'body',
  });
}

const isOnFirstPage = ({ isShown, first, last }: ListSearch): boolean =>
  isShown && first.exchange.number === last.exchange.number;

const notAllowed = (answer: Answer): Inconclusive =>
  new Inconclusive(
    findingOn(answer, {
      message: `WORKSPACE_SECOND_API_KEY may not read: ${describeAnswer(answer)}; set it to a second key of the workspace`,
      cause: 'WORKSPACE_SECOND_API_KEY may be a key whose user lacks permission, or not a key of this workspace',
    }),
  );
