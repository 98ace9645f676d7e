import type { Endpoint } from '../../../../contract/endpoint.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import { createTally, type Outcome, type Tally } from '../../../../results/outcome.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import { describeAnswer } from '../../../engine/describe-answer.ts';
import { findingOn } from '../../../engine/expect.ts';
import { judgePart } from '../../../engine/parts.ts';
import { mentions } from '../../../reading/own-words.ts';
import { isUnguessable } from '../../../reading/unguessable.ts';
import { nounOf } from '../../../records/collections.ts';
import { findCreated, findInList } from '../../../records/list-search.ts';
import { madeUpId } from '../../../records/made-up-ids.ts';
import { read } from '../../../records/reads.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import { requireKey } from '../../../session/keys.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import type { Kind } from '../../kinds.ts';
import { changing, deleting, kindOf, kinds, listing, pathOf, type Readable, reading } from '../../kinds.ts';
import { cancelledRowTest } from '../../life/collateral.ts';
import { detailView } from '../../life/details.ts';
import { standingRecord, undeletedRecord } from '../../life/standing.ts';
import type { Created } from '../../records/creating.ts';
import { arrangeCall, callWithKey, type TriedCall } from './arrange.ts';

/**
 * The key of another workspace finds no record of this one, by no call. It is sent in calls that change or delete only
 * where a read with it found nothing under the id: the other workspace may have a record with the same id.
 */
export async function judgeScoped(session: Session): Promise<Outcome> {
  const key = requireKey(session, 'WORKSPACE_OTHER_API_KEY');
  await assertKeyWorks(session, key);
  const tally = createTally();
  await Promise.all([
    judgePart(tally, () => judgeReadAndChange(session, tally, 'agents', key)),
    judgePart(tally, () => judgeReadAndChange(session, tally, 'leads', key)),
    judgePart(tally, () => judgeAgentDeletion(session, tally, key)),
    ...kinds.map((kind) => judgePart(tally, () => judgeListAndDeletion(session, tally, kind, key))),
  ]);
  return tally.outcome();
}

const cause = 'WORKSPACE_OTHER_API_KEY may be a key of this workspace, or lookups ignore the workspace';

/** Throws Inconclusive where the key may read no list: a key that opens nothing finds nothing either. */
async function assertKeyWorks(session: Session, key: ApiKey): Promise<void> {
  const answers = await Promise.all(session.api.tryouts.map((id) => read(session, id, { key })));
  const [first] = answers;
  if (first === undefined || answers.some(isSuccess)) {
    return;
  }
  throw new Inconclusive(
    findingOn(first, {
      message: `A key of another workspace is refused on every list: ${describeAnswer(first)}`,
      expected: '200',
      actual: describeAnswer(first),
      cause: 'WORKSPACE_OTHER_API_KEY may not be a valid key',
    }),
  );
}

async function judgeReadAndChange(session: Session, tally: Tally, kind: Readable, key: ApiKey): Promise<void> {
  if (await isHiddenById(session, tally, reading(kind), key)) {
    await isHiddenById(session, tally, changing(kind), key);
  }
}

async function judgeAgentDeletion(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const { id } = await (await standingRecord(session, 'agents')).current();
  const view = await send(session, reading('agents'), { id, key, purpose: 'refusal' });
  if (isHidden(view)) {
    await isHiddenById(session, tally, deleting('agents'), key);
  }
}

async function judgeListAndDeletion(session: Session, tally: Tally, kind: Kind, key: ApiKey): Promise<void> {
  const isAbsent = await isHiddenInList(session, tally, kind, key);
  if (isAbsent && (kind === 'bookings' || kind === 'webhooks')) {
    await isHiddenById(session, tally, deleting(kind), key);
  }
}

const isHidden = ({ status }: Pick<Answer, 'status'>): boolean => status === 403 || status === 404;

/** Judges a call that names a record by its id; gives whether it got 403 or 404. */
async function isHiddenById(session: Session, tally: Tally, id: string, key: ApiKey): Promise<boolean> {
  const endpoint = endpointOf(id);
  const call = await callWithKey(session, endpoint, key);
  const { answer } = call;
  const twin = await (await arrangeCall(session, endpoint)).twin();
  if (!isSuccess(twin) && !isSuccess(answer)) {
    const message = `Cannot tell whether another workspace reaches a record by ${id}: its own key got ${describeAnswer(twin)}`;
    tally.leaveOpen(findingOn(twin, { message, blames: endpoint.clause }));
  } else if (isHidden(answer)) {
    tally.judge(null);
  } else {
    const finding = findingOn(answer, {
      message: `A key of another workspace got ${describeAnswer(answer)}, not 403 or 404, on ${id}`,
      expected: '403 or 404',
      actual: describeAnswer(answer),
      cause,
    });
    const isAboutRecord = isSuccess(answer)
      ? await reachesRecord(session, endpoint, call)
      : await differsForUnknownId(session, endpoint, call, key);
    if (isAboutRecord) {
      tally.judge(finding);
    } else {
      // Any unknown id may get this answer, which another clause judges.
      tally.leaveOpen({ ...finding, blames: 'workspace.errors.not-found' });
    }
  }
  return isHidden(answer);
}

/** Whether a refused read of a record gets another status than a read with an id that nobody has, which gets 404. */
async function differsForUnknownId(
  session: Session,
  { id, method }: Endpoint,
  { answer }: TriedCall,
  key: ApiKey,
): Promise<boolean> {
  if (method !== 'GET') {
    return false;
  }
  const { id: real } = await detailView(session, kindOf(endpointOf(id)) as Readable);
  const unknown = await send(session, id, { id: madeUpId(real), key, purpose: 'refusal' });
  return unknown.status === 404 && answer.status !== 404;
}

/** Whether a call that succeeded reached the record: its answer shows the record's words, or the record its effect. */
async function reachesRecord(
  session: Session,
  { method, path }: Endpoint,
  { answer, words, record }: TriedCall,
): Promise<boolean> {
  const kind = kindOf({ path });
  if (method === 'DELETE') {
    return record !== null && !(await isUntouched(session, kind, record));
  }
  const { tag } = record ?? (await undeletedRecord(session, kind));
  if (mentions(answer.json, tag)) {
    return true;
  }
  if (method === 'GET') {
    return !mentions((await detailView(session, kind as Readable)).answer.json, tag);
  }
  const view = await send(session, reading(kind as Readable), { id: record?.id ?? '' });
  return words !== null && mentions(view.json, words);
}

const isUntouched = async (session: Session, kind: Kind, record: Created): Promise<boolean> => {
  const { isShown, row } = await findInList(session, pathOf(kind), record);
  return isShown && !(kind === 'bookings' && (await cancelledRowTest(session))(row));
};

/** Judges a list; gives whether no record of the other workspace can have the record's id. */
async function isHiddenInList(session: Session, tally: Tally, kind: Kind, key: ApiKey): Promise<boolean> {
  const record = await undeletedRecord(session, kind);
  const { row: ownRow } = await findCreated(session, record);
  const { isShown, isComplete, first, last, row } = await findInList(session, pathOf(kind), record, { key });
  if (!isSuccess(first)) {
    const message = `A key of another workspace cannot list ${kind}: ${describeAnswer(first)}`;
    tally.leaveOpen(findingOn(first, { message, blames: endpointOf(listing(kind)).clause }));
    return false;
  }
  // Both workspaces may count their ids: where the list shows the record's words, those decide.
  const isOfRecord = !mentions(ownRow, record.tag) || row === undefined || mentions(row, record.tag);
  tally.judge(
    isShown && isOfRecord
      ? findingOn(last, {
          message: `A key of another workspace sees ${nounOf(kind)} ${record.id} in ${listing(kind)}`,
          expected: 'nothing of this workspace',
          actual: 'a record of it',
          place: 'body',
          cause,
        })
      : null,
  );
  return !isShown && (isComplete || isUnguessable(record.id));
}
