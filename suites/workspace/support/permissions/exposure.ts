import type { Endpoint } from '../../../../contract/endpoint.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import type { Kind } from '../../../../fixtures/workspace-bodies.ts';
import { createTally, type Outcome, type Tally } from '../../../../results/outcome.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import { describeAnswer, findingOn } from '../../../engine/expect.ts';
import { judgePart } from '../../../engine/parts.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import { requireKey } from '../../../session/keys.ts';
import { mentions } from '../../../session/reading/own-words.ts';
import { isUnguessable } from '../../../session/reading/unguessable.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { nounOf } from '../../../shared/collections.ts';
import { lookFor, whereListed } from '../../../shared/lists/list-search.ts';
import { read } from '../../../shared/reads.ts';
import { madeUpId } from '../../../shared/unknown-ids/made-up-ids.ts';
import { cancelledTeller } from '../deletions/deletions.ts';
import { standing, targetOf } from '../deletions/targets.ts';
import { changing, deleting, kindOf, kinds, listing, pathOf, type Readable, reading } from '../kinds.ts';
import type { Created } from '../records/create.ts';
import { details } from '../records/details.ts';
import { arrangeCall, sentWith, type Tried } from './arrange.ts';

/**
 * The key of another workspace finds none of this one's records, by no call. It is sent in calls that change or delete only
 * where a read with it found nothing under the id: there it may be somebody else's.
 */
export async function judgeScoped(session: Session): Promise<Outcome> {
  const key = requireKey(session, 'WORKSPACE_OTHER_API_KEY');
  await assertWorks(session, key);
  const tally = createTally();
  await Promise.all([
    ...(['agents', 'leads'] as const).map((kind) =>
      judgePart(tally, async () => {
        if (await judgeFoundById(session, tally, reading(kind), key)) {
          await judgeFoundById(session, tally, changing(kind), key);
        }
      }),
    ),
    judgePart(tally, () => judgeAgentDeletion(session, tally, key)),
    ...kinds.map((kind) =>
      judgePart(tally, async () => {
        const isAbsent = await judgeFoundInList(session, tally, kind, key);
        if (isAbsent && (kind === 'bookings' || kind === 'webhooks')) {
          await judgeFoundById(session, tally, deleting(kind), key);
        }
      }),
    ),
  ]);
  return tally.outcome();
}

const cause = 'WORKSPACE_OTHER_API_KEY may be a key of this workspace, or records are looked up without it';

/** A key that opens nothing at all finds nothing, whatever the deployment looks at. */
async function assertWorks(session: Session, key: ApiKey): Promise<void> {
  const answers = await Promise.all(session.api.tryouts.map((id) => read(session, id, { key })));
  const [first] = answers;
  if (first === undefined || answers.some(isSuccess)) {
    return;
  }
  throw new Inconclusive(
    findingOn(first, {
      message: `Key of another workspace is refused on every list: ${describeAnswer(first)}`,
      expected: '200',
      actual: describeAnswer(first),
      cause: 'WORKSPACE_OTHER_API_KEY may be no valid key',
    }),
  );
}

/** Nobody's agent in the other workspace has the id of the one that is to be deleted. */
async function judgeAgentDeletion(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const { id } = await (await targetOf(session, 'agents')).standing();
  const view = await send(session, reading('agents'), { id, key, purpose: 'refusal' });
  if (isHidden(view)) {
    await judgeFoundById(session, tally, deleting('agents'), key);
  }
}

const isHidden = ({ status }: Pick<Answer, 'status'>): boolean => status === 403 || status === 404;

/** Judges a call that names a record; gives whether it found none. */
async function judgeFoundById(session: Session, tally: Tally, id: string, key: ApiKey): Promise<boolean> {
  const endpoint = endpointOf(id);
  const tried = await sentWith(session, endpoint, key);
  const { answer } = tried;
  const twin = await (await arrangeCall(session, endpoint)).twin();
  if (!isSuccess(twin) && !isSuccess(answer)) {
    const message = `Whether another workspace reaches a record by ${id} is unknown: its own key got ${describeAnswer(twin)}`;
    tally.leaveOpen(findingOn(twin, { message, blames: endpoint.clause }));
  } else if (isHidden(answer)) {
    tally.judge(null);
  } else {
    const finding = findingOn(answer, {
      message: `Key of another workspace is not refused with 403 or 404: ${describeAnswer(answer)} on ${id}`,
      expected: '403 or 404',
      actual: describeAnswer(answer),
      cause,
    });
    // What any unknown id is answered with is the matter of another clause.
    if (
      isSuccess(answer) ? await reached(session, endpoint, tried) : await isOnlyForIts(session, endpoint, tried, key)
    ) {
      tally.judge(finding);
    } else {
      tally.leaveOpen({ ...finding, blames: 'workspace.errors.not-found' });
    }
  }
  return isHidden(answer);
}

/** Whether an odd refusal is for ids of this workspace: a read of one that is nobody's is answered otherwise. */
async function isOnlyForIts(
  session: Session,
  { id, method }: Endpoint,
  { answer }: Tried,
  key: ApiKey,
): Promise<boolean> {
  if (method !== 'GET') {
    return false;
  }
  const { id: real } = await details(session, kindOf(endpointOf(id)) as Readable);
  const nobodys = await send(session, id, { id: madeUpId(real), key, purpose: 'refusal' });
  return nobodys.status === 404 && answer.status !== 404;
}

/** Whether a call that succeeded was about the record: its words came, or what the call does was done. */
async function reached(
  session: Session,
  { method, path }: Endpoint,
  { answer, words, record }: Tried,
): Promise<boolean> {
  const kind = kindOf({ path });
  if (method === 'DELETE') {
    return record !== null && !(await isUntouched(session, kind, record));
  }
  const { tag } = record ?? (await standing(session, kind));
  if (mentions(answer.json, tag)) {
    return true;
  }
  if (method === 'GET') {
    return !mentions((await details(session, kind as Readable)).answer.json, tag);
  }
  const view = await send(session, reading(kind as Readable), { id: record?.id ?? '' });
  return words !== null && mentions(view.json, words);
}

const isUntouched = async (session: Session, kind: Kind, record: Created): Promise<boolean> => {
  const { isShown, row } = await lookFor(session, pathOf(kind), record);
  return isShown && !(kind === 'bookings' && (await cancelledTeller(session))(row));
};

/** Judges a list; gives whether nobody there can have the record's id: the list surely does not show it, or nobody could guess it. */
async function judgeFoundInList(session: Session, tally: Tally, kind: Kind, key: ApiKey): Promise<boolean> {
  const record = await standing(session, kind);
  const { row } = await whereListed(session, record);
  const { isShown, isComplete, first, last, row: found } = await lookFor(session, pathOf(kind), record, { key });
  if (!isSuccess(first)) {
    const message = `Key of another workspace cannot list ${kind}: ${describeAnswer(first)}`;
    tally.leaveOpen(findingOn(first, { message, blames: endpointOf(listing(kind)).clause }));
    return false;
  }
  // Workspaces may count their ids alike: then the words decide, where lists show them.
  const hasWords = mentions(row, record.tag);
  tally.judge(
    isShown && (!hasWords || found === undefined || mentions(found, record.tag))
      ? findingOn(last, {
          message: `Key of another workspace is shown the ${nounOf(kind)} ${record.id} in ${listing(kind)}`,
          expected: 'nothing of this workspace',
          actual: 'a record of it',
          place: 'body',
          cause,
        })
      : null,
  );
  return !isShown && (isComplete || isUnguessable(record.id));
}
