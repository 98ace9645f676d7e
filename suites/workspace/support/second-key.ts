import { withArticle } from '../../../common/words.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { createTally, type Outcome, type Tally } from '../../../results/outcome.ts';
import { describeAnswer, expectAccepted, findingOn } from '../../engine/expect.ts';
import { judgePart } from '../../engine/parts.ts';
import { isSuccess } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import { requireKey } from '../../session/keys.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { nounOf } from '../../shared/collections.ts';
import { lookFor, lookUntil, readUntil, whereListed } from '../../shared/lists/list-search.ts';
import { details } from './details.ts';
import { listing, type Readable, reading } from './kinds.ts';
import { standing } from './targets.ts';

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
    const message = `Whether a second key can read ${withArticle(nounOf(kind))} is unknown: the first key got ${describeAnswer(twin)}`;
    tally.leaveOpen(findingOn(twin, { message, blames: endpointOf(reading(kind)).clause }));
  } else if (answer.status === 401 || answer.status === 403) {
    tally.leaveOpen(notAllowed(answer));
  } else if (!answer.accepted && !(await send(session, reading(kind), { id })).accepted) {
    const message = `Whether a second key can read ${withArticle(nounOf(kind))} is unknown: the first key cannot any more`;
    tally.leaveOpen(findingOn(answer, { message, blames: endpointOf(reading(kind)).clause }));
  } else {
    tally.judge(expectAccepted(answer, `Second key does not find the ${nounOf(kind)} that the first key created`));
  }
}

async function judgeListed(session: Session, tally: Tally, kind: 'agents' | 'bookings', key: ApiKey): Promise<void> {
  const record = await standing(session, kind);
  const own = await whereListed(session, record);
  const { isShown, isComplete, first, last } = await lookUntil(
    session,
    record,
    (search) => search.isShown || !search.isComplete || !isSuccess(search.first),
    { key },
  );
  // A call of another clause may have deleted it meanwhile.
  if (!isShown && (await standing(session, kind)).id !== record.id) {
    await judgeListed(session, tally, kind, key);
    return;
  }
  if (!isSuccess(first)) {
    tally.leaveOpen(notAllowed(first));
  } else if (isShown) {
    tally.judge(null);
  } else if (own.isShown && isComplete && (await lookFor(session, record.collection, record)).isShown) {
    tally.judge(
      findingOn(last, {
        message: `Second key is not shown the ${nounOf(kind)} that the first key created: ${record.id} is not in ${listing(kind)}`,
        expected: record.id,
        actual: 'absent',
        place: 'body',
      }),
    );
  } else {
    const message = `Whether a second key is shown ${withArticle(nounOf(kind))} is unknown: the list is not known to show all`;
    tally.leaveOpen(findingOn(last, { message, blames: endpointOf(listing(kind)).clause }));
  }
}

const notAllowed = (answer: Parameters<typeof describeAnswer>[0]): ReturnType<typeof findingOn> =>
  findingOn(answer, {
    message: `WORKSPACE_SECOND_API_KEY may not read: ${describeAnswer(answer)}; set it to a second key of the workspace`,
    cause: 'WORKSPACE_SECOND_API_KEY may be a key whose user lacks permission, or no key of this workspace',
  });
