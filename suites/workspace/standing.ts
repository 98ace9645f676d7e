import { resultOrNull, settle } from '../engine/parts.ts';
import { type Created, createRecord } from '../records/own.ts';
import { type Answer, isSuccess } from '../session/answer.ts';
import type { Difference } from '../session/api.ts';
import { isOfOtherWorkspace } from '../session/key.ts';
import { mainKey } from '../session/keys.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { step, stepFor } from '../session/step.ts';
import { storyOf } from './events/story.ts';
import { registration } from './events/subscribe.ts';
import { type Deletable, deleting, type Kind } from './kinds.ts';
import { recordStory } from './life/story.ts';
import { assertCreated } from './records/creating.ts';
import { firstRecord, recordFor } from './records/run-records.ts';

/** The record of a kind on which deletions are tried that should be refused, one after the other. */
interface Standing {
  /** How many there were: where a deletion succeeds, the record has a successor. */
  number: number;
  record: Promise<Created>;
  lastCall: Promise<unknown>;
}

/** Made once the story of the kind is told, since a deployment may cap the number of records. */
const standing = stepFor(
  (kind: Deletable) => kind,
  async (session, kind): Promise<Standing> => {
    const record = makeStanding(session, kind, 1);
    await record;
    return { number: 1, record, lastCall: record };
  },
);

/** The record, once the calls under way are answered. Throws Inconclusive where none can be made. */
export async function standingRecord(session: Session, kind: Deletable): Promise<Created> {
  const state = await standing(session, kind);
  await state.lastCall;
  return state.record;
}

/** Tries to delete the record. */
export async function tryToDelete(
  session: Session,
  kind: Deletable,
  { reshape: _, key = mainKey(session), ...difference }: Difference,
): Promise<{ readonly answer: Answer; readonly record: Created }> {
  const state = await standing(session, kind);
  const call = state.lastCall.then(async () => {
    const record = await state.record;
    const answer = await send(session, deleting(kind), { purpose: 'refusal', ...difference, key, id: record.id });
    if (isSuccess(answer)) {
      // The key of another workspace may not really have deleted it: then it stays in the ledger.
      if (key?.origin === 'given' && !isOfOtherWorkspace(key)) {
        session.ledger.remove(record.entry);
      }
      state.number += 1;
      state.record = makeStanding(session, kind, state.number);
      // The next caller meets the failure.
      state.record.catch(() => {});
    }
    return { answer, record };
  });
  state.lastCall = call.catch(() => {});
  return call;
}

/**
 * First one that serves nothing else: the booking that the story leaves, the webhook that nothing is sent to, the agent
 * that was created without a content type. Other clauses need the main agent, and events the webhooks.
 */
async function makeStanding(session: Session, kind: Deletable, number: number): Promise<Created> {
  const { first, deletion } = await storyOf(session, kind);
  const isFree = kind === 'bookings' || (kind === 'webhooks' && session.inbox.kind === 'no inbox');
  if (number === 1 && isFree && deletion().record.id !== first.id) {
    return first;
  }
  const isTried = kind === 'agents' && session.clauses.has('workspace.requests.content-type');
  const untyped = number === 1 && isTried ? await untypedAgent(session) : null;
  if (typeof untyped?.id === 'string') {
    return { ...untyped, id: untyped.id };
  }
  const label = `refused calls ${number}`;
  return assertCreated(
    kind === 'webhooks'
      ? (await registration(session, `webhook for ${label}`)).attempt
      : await recordFor(session, kind, label),
  );
}

/** The attempt to create an agent without a content type, once no other needs room; null: no agent can be created. */
export const untypedAgent = step(async (session) => {
  await settle(recordStory(session, 'agents'));
  const first = await resultOrNull(firstRecord(session, 'agents').then(assertCreated));
  if (first === null) {
    return null;
  }
  const creation = { ...(await first.another()), headers: { 'Content-Type': '' }, purpose: 'off-document' } as const;
  return createRecord(session, first.collection, creation);
});

/** A record of the run's that no clause deletes. Throws Inconclusive where there is none. */
export const undeletedRecord = async (session: Session, kind: Kind): Promise<Created> =>
  kind === 'bookings' || kind === 'webhooks'
    ? standingRecord(session, kind)
    : assertCreated(await firstRecord(session, kind));
