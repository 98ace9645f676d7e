import { type Answer, isSuccess } from '../session/answer.ts';
import type { Difference } from '../session/api.ts';
import { isOfOtherWorkspace } from '../session/key.ts';
import { mainKey } from '../session/keys.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { stepFor } from '../session/step.ts';
import { storyOf } from './events/story.ts';
import { register } from './events/subscribe.ts';
import { type Deletable, deleting, type Kind } from './kinds.ts';
import { assertCreated, type Created } from './records/creating.ts';
import { createAnother, firstRecord } from './records/run-records.ts';

/** The record of a kind on which deletions are tried that should be refused, one after the other. */
interface Standing {
  /** Where a deletion succeeds, it has a successor. */
  record: Promise<Created>;
  lastCall: Promise<unknown>;
}

/** Made once the story of the kind is told, since a deployment may cap the number of records. */
const standing = stepFor(
  (kind: Deletable) => kind,
  async (session, kind): Promise<Standing> => {
    await storyOf(session, kind);
    const record = makeStanding(session, kind);
    await record;
    return { record, lastCall: record };
  },
);

const makeStanding = async (session: Session, kind: Deletable): Promise<Created> =>
  assertCreated(
    kind === 'webhooks'
      ? (await register(session, 'webhook for refused calls')).attempt
      : await createAnother(session, kind),
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
      state.record = makeStanding(session, kind);
      // The next caller meets the failure.
      state.record.catch(() => {});
    }
    return { answer, record };
  });
  state.lastCall = call.catch(() => {});
  return call;
}

/** A record of the run's that no clause deletes. Throws Inconclusive where there is none. */
export const undeletedRecord = async (session: Session, kind: Kind): Promise<Created> =>
  kind === 'bookings' || kind === 'webhooks'
    ? standingRecord(session, kind)
    : assertCreated(await firstRecord(session, kind));
