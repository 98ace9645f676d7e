import { scalarText } from '../../common/json.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import type { Tally } from '../../results/outcome.ts';
import type { Received } from '../../webhooks/inbox/inbox.ts';
import { resultOrNull } from '../engine/check.ts';
import { describeAnswer, findingOn, judgeThat, undecided } from '../engine/expect.ts';
import { mentions } from '../reading/own-words.ts';
import { isUnguessable, recordIn } from '../reading/record.ts';
import { findInList, type ListSearch, noteIfUnlisted, nounOf, read, readPages } from '../records/reads.ts';
import { madeUpId } from '../records/unknown-ids.ts';
import { type ApiKey, isSuccess } from '../session/call.ts';
import { mainKey, requireKey, type Session, send } from '../session/session.ts';
import { arrangeCall, callWithKey, standingRecord, type TriedCall, undeletedRecord } from './calls.ts';
import { arrivals, eventNames, isAbout } from './events/webhook-story.ts';
import { deleting, type Kind, kindOf, kinds, listing, reading } from './records/creating.ts';
import { foreignMailbox } from './records/run-records.ts';
import { effectOf } from './refused-writes.ts';
import { detailView } from './stories/record-story.ts';

// What other keys find: a second one of the workspace all records, one of another workspace none.

/** A second key of the workspace finds the records that the first one made, by id and in lists. */
export async function judgeShared(session: Session, tally: Tally): Promise<void> {
  const key = requireKey(session, 'WORKSPACE_SECOND_API_KEY');
  const byId = (kind: Kind) => async (reader: ApiKey) => {
    const { id } = await detailView(session, kind);
    const answer = await send(session, reading(kind), { id, key: reader });
    return { call: reading(kind), id, answer, isFound: answer.accepted, isComplete: true };
  };
  const inList = (kind: Kind) => async (reader: ApiKey) => {
    const record = await undeletedRecord(session, kind);
    const isOver = ({ isShown, first }: ListSearch): boolean => isShown || !isSuccess(first);
    const { isShown, isComplete, last } = await findInList(session, record, { key: reader, shows: isOver });
    return { call: listing(kind), id: record.id, answer: last, isFound: isShown, isComplete };
  };
  await tally.each([byId('agents'), byId('leads'), ...kinds.map(inList)], async (find) => {
    const { call, id, answer, isFound, isComplete } = await find(key);
    if (answer.status === 401 || answer.status === 403) {
      const advice = 'set it to a second key of the workspace, whose user has permission';
      throw undecided(answer, `WORKSPACE_SECOND_API_KEY may not read: ${describeAnswer(answer)}; ${advice}`);
    }
    // Of a record that is deleted meanwhile, or gets another id, nothing is known.
    if (!isFound && !(isComplete && (await find(mainKey(session))).isFound)) {
      const message = `Cannot tell whether a second key finds ${id} by ${call}: the first one does not for certain`;
      throw undecided(answer, message, endpointOf(call).clause);
    }
    judgeThat(tally, isFound, answer, {
      message: `The second key does not find ${id}, which the first one created, by ${call}: it got ${describeAnswer(answer)}`,
      expected: 'the record that the first key created',
      actual: 'absent',
      place: 'body',
    });
  });
}

/**
 * The key of another workspace finds no record of this one, by no call. Where that may have a record with the same id,
 * a call that changes or deletes is sent only if a read or the list with the key did not show it: the write guard sees
 * to it.
 */
export async function judgeScoped(session: Session, tally: Tally): Promise<void> {
  const key = requireKey(session, 'WORKSPACE_OTHER_API_KEY');
  const answers = await Promise.all(session.api.tryouts.map((id) => read(session, id, { key })));
  const [first] = answers;
  if (first !== undefined && !answers.some(isSuccess)) {
    // A key that opens nothing finds nothing either.
    throw undecided(first, `WORKSPACE_OTHER_API_KEY is refused on every list: ${describeAnswer(first)}`);
  }
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
  await tally.each(parts, (part) => part());
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

/** Judges a call that names a record by its id; gives whether it got 403 or 404. */
async function isHiddenById(session: Session, tally: Tally, id: string, key: ApiKey): Promise<boolean> {
  const endpoint = endpointOf(id);
  if (id === deleting('agents')) {
    // The deletion names another agent than the read did.
    const { id: other } = await standingRecord(session, 'agents');
    await send(session, reading('agents'), { id: other, key, purpose: 'refusal' });
  } else if (endpoint.method === 'DELETE') {
    await noteIfUnlisted(session, await standingRecord(session, kindOf(endpoint)), key);
  }
  const call = await callWithKey(session, endpoint, key);
  const { answer, words, record } = call;
  const twin = await (await arrangeCall(session, endpoint)).twin();
  const isHidden = answer.status === 403 || answer.status === 404;
  // Of deletions, those that were refused are tried with other keys (workspace.auth.no-effect).
  const mayHave = record !== null && (words !== null || isSuccess(answer));
  const pages = mayHave ? await readPages(session, listing(kindOf(endpoint))) : null;
  const hasEffect = pages !== null && (await resultOrNull(effectOf(session, endpoint, call, pages))) !== null;
  const finding = findingOn(answer, {
    message: `A key of another workspace got ${describeAnswer(answer)} on ${id}${hasEffect ? ', and it took effect' : ''}`,
    expected: '403 or 404, and no effect',
    actual: hasEffect ? 'an effect' : describeAnswer(answer),
    cause,
  });
  if (!isSuccess(twin) && !isSuccess(answer)) {
    tally.leaveOpen({ ...finding, blames: endpoint.clause });
  } else if (isHidden || hasEffect || (await isAboutRecord(session, endpoint, call, key))) {
    tally.judge(isHidden && !hasEffect ? null : finding);
  } else {
    // Any unknown id may get this answer, which another clause judges.
    tally.leaveOpen({ ...finding, blames: 'workspace.errors.not-found' });
  }
  return isHidden;
}

/**
 * Whether an answer says something of the record: one that succeeded shows its words; a read that was refused gets
 * another status than one with an id that nobody has.
 */
async function isAboutRecord(
  session: Session,
  { id, method, path }: Endpoint,
  { answer, record }: TriedCall,
  key: ApiKey,
): Promise<boolean> {
  const named = method === 'GET' ? await detailView(session, kindOf({ path })) : record;
  if (isSuccess(answer)) {
    return named !== null && named.tag !== null && mentions(answer.json, named.tag);
  }
  const unknown = method === 'GET' && named !== null ? { id: madeUpId(named.id), key } : null;
  return unknown !== null && (await send(session, id, { ...unknown, purpose: 'refusal' })).status === 404;
}

const seen = { expected: 'nothing of this workspace', actual: 'a record of it', place: 'body', cause };

/** A list that is filtered by the status of the run's lead does not show it either: other code may answer it. */
async function judgeFiltered(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const { tag, answer } = await undeletedRecord(session, 'leads');
  const status = scalarText(recordIn(answer.json, 'lead')?.status);
  const list = status && (await send(session, listing('leads'), { key, query: { status }, purpose: 'off-document' }));
  if (list && isSuccess(list)) {
    const message = `A key of another workspace sees a lead of this one in ${listing('leads')}?status=${status}`;
    judgeThat(tally, !mentions(list.json, tag), list, { message, ...seen });
  }
}

/** The list shows no record of the run. */
async function judgeList(session: Session, tally: Tally, kind: Kind, key: ApiKey): Promise<void> {
  const record = await undeletedRecord(session, kind);
  const { isShown, first, last, row, hasRows } = await findInList(session, record, { key });
  if (!isSuccess(first) || !hasRows) {
    const message = `A key of another workspace cannot list ${kind}: ${describeAnswer(first)}`;
    tally.leaveOpen(findingOn(first, { message, blames: endpointOf(listing(kind)).clause }));
    return;
  }
  // Both workspaces may count their ids: there the record's words decide.
  const isOfRecord = isShown && (isUnguessable(record.id) || mentions(row, record.tag));
  const message = `A key of another workspace sees ${nounOf(kind)} ${record.id} in ${listing(kind)}`;
  judgeThat(tally, !isOfRecord, last, { message, ...seen });
}
