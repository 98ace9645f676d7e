import type { Endpoint } from '../../../contract/endpoint.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import type { Kind } from '../../../fixtures/workspace-bodies.ts';
import { createTally, type Outcome, type Tally } from '../../../results/outcome.ts';
import { Inconclusive } from '../../../results/stop.ts';
import { describeAnswer, expectAccepted, findingOn } from '../../engine/expect.ts';
import { judgePart } from '../../engine/parts.ts';
import { isSuccess } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import { requireKey } from '../../session/keys.ts';
import { mentions } from '../../session/record.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { nounOf } from '../../shared/collections.ts';
import { read } from '../../shared/reads.ts';
import { lookFor, readUntil, whereListed } from '../../shared/sighting.ts';
import { arrangeCall, sentWith, type Tried } from './arrange.ts';
import { showsCancelled } from './booking-state.ts';
import { assertCreated, type Created } from './create.ts';
import { details } from './details.ts';
import { kindOf, kinds, listing, pathOf, type Readable, reading } from './kinds.ts';
import { mainRecord } from './main-record.ts';
import { targetOf } from './targets.ts';

/** Calls that name a record. */
const byId = [
  'GET /v1/agents/:id',
  'PATCH /v1/agents/:id',
  'DELETE /v1/agents/:id',
  'GET /v1/leads/:id',
  'PATCH /v1/leads/:id',
  'DELETE /v1/bookings/:id',
  'DELETE /v1/webhooks/:id',
];

/** The key of another workspace finds none of this one's records, by no call. */
export async function judgeScoped(session: Session): Promise<Outcome> {
  const key = requireKey(session, 'WORKSPACE_OTHER_API_KEY');
  await assertWorks(session, key);
  const tally = createTally();
  await Promise.all(byId.map((id) => judgePart(tally, () => judgeFoundById(session, tally, id, key))));
  await Promise.all(kinds.map((kind) => judgePart(tally, () => judgeFoundInList(session, tally, kind, key))));
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
      message: `Key of another workspace opens no list: ${describeAnswer(first)}`,
      expected: '200',
      actual: describeAnswer(first),
      cause: 'WORKSPACE_OTHER_API_KEY may be no valid key',
    }),
  );
}

async function judgeFoundById(session: Session, tally: Tally, id: string, key: ApiKey): Promise<void> {
  const endpoint = endpointOf(id);
  const tried = await sentWith(session, endpoint, key);
  const { answer } = tried;
  const twin = await (await arrangeCall(session, endpoint)).twin();
  const isHidden = answer.status === 403 || answer.status === 404;
  if (!isSuccess(twin) && !isSuccess(answer)) {
    const message = `Whether another workspace reaches a record by ${id} is unknown: its own key got ${describeAnswer(twin)}`;
    tally.leaveOpen(findingOn(twin, { message, blames: endpoint.clause }));
  } else if (isHidden) {
    tally.judge(null);
  } else {
    const finding = findingOn(answer, {
      message: `Key of another workspace is not refused with 403 or 404: ${describeAnswer(answer)} on ${id}`,
      expected: '403 or 404',
      actual: describeAnswer(answer),
      cause,
    });
    // What any unknown id is answered with is the matter of another clause.
    if (isSuccess(answer) && (await reached(session, endpoint, tried))) {
      tally.judge(finding);
    } else {
      tally.leaveOpen({ ...finding, blames: 'workspace.errors.not-found' });
    }
  }
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
  return isShown && !(kind === 'bookings' && showsCancelled(row));
};

async function judgeFoundInList(session: Session, tally: Tally, kind: Kind, key: ApiKey): Promise<void> {
  const record = await standing(session, kind);
  const { isShown, first, last } = await lookFor(session, pathOf(kind), record, key);
  if (!isSuccess(first)) {
    tally.leaveOpen(
      findingOn(first, {
        message: `Key of another workspace cannot list ${kind}: ${describeAnswer(first)}`,
        blames: endpointOf(listing(kind)).clause,
      }),
    );
    return;
  }
  tally.judge(
    isShown
      ? findingOn(last, {
          message: `Key of another workspace is shown the ${nounOf(kind)} ${record.id} in ${listing(kind)}`,
          expected: 'nothing of this workspace',
          actual: 'a record of it',
          place: 'body',
          cause,
        })
      : null,
  );
}

/** A record of the run's that stands: no clause deletes it. */
const standing = async (session: Session, kind: Kind): Promise<Created> =>
  kind === 'bookings' || kind === 'webhooks'
    ? (await targetOf(session, kind)).standing()
    : assertCreated(await mainRecord(session, kind));

/** A second key of the workspace finds what the first one made, by id and in lists. */
export async function judgeShared(session: Session): Promise<Outcome> {
  const key = requireKey(session, 'WORKSPACE_SECOND_API_KEY');
  const tally = createTally();
  await Promise.all([
    ...(['agents', 'leads'] as const).map((kind) => judgePart(tally, () => judgeReadable(session, tally, kind, key))),
    ...(['agents', 'bookings'] as const).map((kind) => judgePart(tally, () => judgeListed(session, tally, kind, key))),
  ]);
  return tally.outcome();
}

async function judgeReadable(session: Session, tally: Tally, kind: Readable, key: ApiKey): Promise<void> {
  const { id, answer: twin } = await details(session, kind);
  const view = () => send(session, reading(kind), { id, key });
  const answer = await readUntil(session, view, ({ status }) => status !== 404);
  if (!twin.accepted) {
    const message = `Whether a second key reads a ${nounOf(kind)} is unknown: the first one got ${describeAnswer(twin)}`;
    tally.leaveOpen(findingOn(twin, { message, blames: endpointOf(reading(kind)).clause }));
  } else if (answer.status === 401 || answer.status === 403) {
    tally.leaveOpen(notAllowed(answer));
  } else {
    tally.judge(expectAccepted(answer, `Second key does not find the ${nounOf(kind)} that the first one made`));
  }
}

async function judgeListed(session: Session, tally: Tally, kind: 'agents' | 'bookings', key: ApiKey): Promise<void> {
  const record = await standing(session, kind);
  const own = await whereListed(session, record);
  const { isShown, isComplete, first, last } = await lookFor(session, pathOf(kind), record, key);
  if (!isSuccess(first)) {
    tally.leaveOpen(notAllowed(first));
  } else if (isShown) {
    tally.judge(null);
  } else if (own.isShown && isComplete) {
    tally.judge(
      findingOn(last, {
        message: `Second key is not shown the ${nounOf(kind)} that the first one made: ${record.id} is not in ${listing(kind)}`,
        expected: record.id,
        actual: 'absent',
        place: 'body',
      }),
    );
  } else {
    const message = `Whether a second key is shown a ${nounOf(kind)} is unknown: the list is not known to show all`;
    tally.leaveOpen(findingOn(last, { message, blames: endpointOf(listing(kind)).clause }));
  }
}

const notAllowed = (answer: Parameters<typeof describeAnswer>[0]): ReturnType<typeof findingOn> =>
  findingOn(answer, {
    message: `Second key may not read: ${describeAnswer(answer)}`,
    cause: 'WORKSPACE_SECOND_API_KEY may be a key whose user lacks permission, or no key of this workspace',
  });
