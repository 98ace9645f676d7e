import { scalarText } from '../../common/json.ts';
import { withArticle } from '../../common/words.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { Inconclusive, type Tally } from '../../results/outcome.ts';
import type { Received } from '../../webhooks/inbox/mailbox.ts';
import { judgeEach } from '../engine/check.ts';
import { describeAnswer, expectAccepted, findingOn, judgeThat, undecided } from '../engine/expect.ts';
import { mentions } from '../reading/own-words.ts';
import { recordIn } from '../reading/record.ts';
import { isUnguessable } from '../reading/unguessable.ts';
import { begunAfter, findInList, findInListUntil, nounOf } from '../records/lists.ts';
import { madeUpId } from '../records/made-up-ids.ts';
import { read } from '../records/reads.ts';
import { type Answer, type ApiKey, isSuccess } from '../session/call.ts';
import { requireKey, type Session, send } from '../session/session.ts';
import { arrangeCall, callWithKey, standingRecord, type TriedCall, undeletedRecord } from './calls.ts';
import { eventNames, isAbout } from './events/payload.ts';
import { foreignMailbox } from './events/subscribe.ts';
import { arrivals } from './events/webhook-story.ts';
import { deleting, type Kind, kindOf, kinds, listing, pathOf, type Readable, reading } from './kinds.ts';
import { showsCancelled } from './stories/booking-state.ts';
import { detailView } from './stories/detail-view.ts';

// What other keys find: a second one of the workspace all records, one of another workspace none.

/** A second key of the workspace finds the records that the first one made, by id and in lists. */
export async function judgeShared(session: Session, tally: Tally): Promise<void> {
  const key = requireKey(session, 'WORKSPACE_SECOND_API_KEY');
  const parts = [
    () => judgeReadable(session, tally, 'agents', key),
    () => judgeReadable(session, tally, 'leads', key),
    ...kinds.map((kind) => () => judgeListed(session, tally, kind, key)),
  ];
  await judgeEach(tally, parts, (part) => part());
}

async function judgeReadable(session: Session, tally: Tally, kind: Readable, key: ApiKey): Promise<void> {
  const { id } = await detailView(session, kind);
  const answer = await send(session, reading(kind), { id, key });
  const own = answer.accepted ? answer : await send(session, reading(kind), { id });
  if (!own.accepted) {
    const message = `Cannot tell whether a second key can read ${withArticle(nounOf(kind))}: the first key got ${describeAnswer(own)}`;
    throw undecided(own, message, endpointOf(reading(kind)).clause);
  }
  assertAllowed(answer);
  tally.judge(expectAccepted(answer, `The second key cannot read the ${nounOf(kind)} that the first created`));
}

async function judgeListed(session: Session, tally: Tally, kind: Kind, key: ApiKey): Promise<void> {
  const record = await undeletedRecord(session, kind);
  const search = await findInListUntil(session, record, ({ isShown, first }) => isShown || !isSuccess(first), { key });
  const { isShown, isComplete, first, last } = search;
  assertAllowed(first);
  if (!isShown && !(isComplete && (await findInList(session, record.collection, record)).isShown)) {
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

/** Throws Inconclusive where the second key may not read. */
function assertAllowed(answer: Answer): void {
  if (answer.status === 401 || answer.status === 403) {
    throw undecided(
      answer,
      `WORKSPACE_SECOND_API_KEY may not read: ${describeAnswer(answer)}; set it to a second key of the workspace, whose user has permission`,
    );
  }
}

/**
 * The key of another workspace finds no record of this one, by no call. Where that may have a record with the same id,
 * a call that changes or deletes is sent only if a read with the key found nothing: the write guard sees to it.
 */
export async function judgeScoped(session: Session, tally: Tally): Promise<void> {
  const key = requireKey(session, 'WORKSPACE_OTHER_API_KEY');
  await assertKeyWorks(session, key);
  const judgeById = async (kind: Kind): Promise<void> => {
    for (const { id, path } of session.api.endpoints) {
      if (kindOf({ path }) === kind && path.includes(':id') && !(await isHiddenById(session, tally, id, key))) {
        return;
      }
    }
  };
  const parts = [
    ...kinds.map((kind) => () => judgeList(session, tally, kind, key)),
    () => judgeFiltered(session, tally, key),
    ...kinds.map((kind) => () => judgeById(kind)),
    () => judgeUnheard(session, tally),
  ];
  await judgeEach(tally, parts, (part) => part());
}

const cause = 'WORKSPACE_OTHER_API_KEY may be a key of this workspace, or lookups ignore the workspace';

/** A webhook of the other workspace gets no event of the run's records. Where no other gets one, it shows nothing. */
async function judgeUnheard(session: Session, tally: Tally): Promise<void> {
  const foreign = await foreignMailbox(session);
  if (foreign === null || !(await arrivals(session)).some(({ deliveries }) => deliveries.length > 0)) {
    return;
  }
  // It may well be told of itself.
  const own = session.ledger.all().filter(({ keySetting }) => keySetting !== 'WORKSPACE_OTHER_API_KEY');
  const isOwn = (delivery: Received): boolean =>
    own.some(({ id = '', tag }) => isAbout(delivery, { id: isUnguessable(id) ? id : tag, tag }));
  const stray = foreign.deliveries.find(isOwn);
  tally.judge(
    stray === undefined
      ? null
      : {
          message: `A webhook of another workspace got ${eventNames(stray).join(', ')} of a record of this one`,
          expected: 'no delivery',
          actual: 'a delivery',
          cause,
        },
  );
}

/** Throws Inconclusive where the key may read no list: a key that opens nothing finds nothing either. */
async function assertKeyWorks(session: Session, key: ApiKey): Promise<void> {
  const answers = await Promise.all(session.api.tryouts.map((id) => read(session, id, { key })));
  const [first] = answers;
  if (first !== undefined && !answers.some(isSuccess)) {
    throw new Inconclusive(
      findingOn(first, {
        message: `A key of another workspace is refused on every list: ${describeAnswer(first)}`,
        expected: '200',
        actual: describeAnswer(first),
        cause: 'WORKSPACE_OTHER_API_KEY may not be a valid key',
      }),
    );
  }
}

const isHidden = ({ status }: Pick<Answer, 'status'>): boolean => status === 403 || status === 404;

/** Judges a call that names a record by its id; gives whether it got 403 or 404. */
async function isHiddenById(session: Session, tally: Tally, id: string, key: ApiKey): Promise<boolean> {
  const endpoint = endpointOf(id);
  if (id === deleting('agents')) {
    // The deletion names another agent than the read did.
    await send(session, reading('agents'), {
      id: (await standingRecord(session, 'agents')).id,
      key,
      purpose: 'refusal',
    });
  }
  const call = await callWithKey(session, endpoint, key);
  const { answer } = call;
  const twin = await (await arrangeCall(session, endpoint)).twin();
  if (!isSuccess(twin) && !isSuccess(answer)) {
    const message = `Cannot tell whether another workspace reaches a record by ${id}: its own key got ${describeAnswer(twin)}`;
    tally.leaveOpen(findingOn(twin, { message, blames: endpoint.clause }));
  } else if (isHidden(answer)) {
    const hasEffect = call.words !== null && (await tookEffect(session, call, kindOf(endpoint)));
    const message = `${id} with a key of another workspace took effect although it got ${answer.status}`;
    judgeThat(tally, !hasEffect, answer, { message, expected: 'no effect', actual: 'an effect', cause });
  } else {
    const finding = findingOn(answer, {
      message: `A key of another workspace got ${describeAnswer(answer)}, not 403 or 404, on ${id}`,
      expected: '403 or 404',
      actual: describeAnswer(answer),
      cause,
    });
    if (await isAboutRecord(session, id, call, key)) {
      tally.judge(finding);
    } else {
      // Any unknown id may get this answer, which another clause judges.
      tally.leaveOpen({ ...finding, blames: 'workspace.errors.not-found' });
    }
  }
  return isHidden(answer);
}

/**
 * Whether an answer says something of the record: one that succeeded shows its words, or the record shows the effect; a
 * read that was refused gets another status than one with an id that nobody has.
 */
async function isAboutRecord(session: Session, id: string, call: TriedCall, key: ApiKey): Promise<boolean> {
  const { answer, record } = call;
  const endpoint = endpointOf(id);
  const kind = kindOf(endpoint);
  if (endpoint.method === 'GET') {
    const { id: real, tag } = await detailView(session, kind as Readable);
    return isSuccess(answer)
      ? tag !== null && mentions(answer.json, tag)
      : (await send(session, id, { id: madeUpId(real), key, purpose: 'refusal' })).status === 404;
  }
  const isShown = record !== null && mentions(answer.json, record.tag);
  return isSuccess(answer) && (isShown || (await tookEffect(session, call, kind)));
}

/** Whether the record shows the words of a change, is cancelled, or is gone from its list. */
async function tookEffect(session: Session, { words, record }: TriedCall, kind: Kind): Promise<boolean> {
  if (record === null) {
    return false;
  }
  if (words !== null) {
    return mentions((await send(session, reading(kind as Readable), { id: record.id })).json, words);
  }
  const { isShown, row } = await findInList(session, pathOf(kind), record);
  return !isShown || (kind === 'bookings' && showsCancelled(row));
}

/** A list that is filtered by the status of the run's lead does not show it either: other code may answer it. */
async function judgeFiltered(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const { tag, answer } = await undeletedRecord(session, 'leads');
  const status = scalarText(recordIn(answer.json, 'lead')?.status);
  if (status === null) {
    return;
  }
  const list = await send(session, listing('leads'), { key, query: { status }, purpose: 'off-document' });
  if (!isSuccess(list)) {
    return;
  }
  judgeThat(tally, !mentions(list.json, tag), list, {
    message: `A key of another workspace sees a lead of this one in ${listing('leads')}?status=${status}`,
    expected: 'nothing of this workspace',
    actual: 'a record of it',
    place: 'body',
    cause,
  });
}

/** The list shows no record of the run. */
async function judgeList(session: Session, tally: Tally, kind: Kind, key: ApiKey): Promise<void> {
  const record = await undeletedRecord(session, kind);
  const reuse = begunAfter(session, record.answer);
  const { isShown, first, last, row, hasRows } = await findInList(session, pathOf(kind), record, { key, reuse });
  if (!isSuccess(first) || !hasRows) {
    const message = `A key of another workspace cannot list ${kind}: ${describeAnswer(first)}`;
    tally.leaveOpen(findingOn(first, { message, blames: endpointOf(listing(kind)).clause }));
    return;
  }
  // Both workspaces may count their ids: where the list shows the record's words, those decide.
  const isInDoubt = isShown && row !== undefined && !mentions(row, record.tag);
  const own = isInDoubt ? await findInList(session, pathOf(kind), record, { reuse }) : null;
  const isOfRecord = isShown && !mentions(own?.row, record.tag);
  judgeThat(tally, !isOfRecord, last, {
    message: `A key of another workspace sees ${nounOf(kind)} ${record.id} in ${listing(kind)}`,
    expected: 'nothing of this workspace',
    actual: 'a record of it',
    place: 'body',
    cause,
  });
}
