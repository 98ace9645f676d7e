import { type Answer, isSuccess } from '../../session/answer.ts';
import type { Difference } from '../../session/api.ts';
import { isOfOtherWorkspace } from '../../session/key.ts';
import { mainKey } from '../../session/keys.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { storyOf } from '../events/story.ts';
import { registration } from '../events/subscribe.ts';
import { type Deletable, deleting, type Kind } from '../kinds.ts';
import { assertCreated, type Created } from '../records/creating.ts';
import { recordFor } from '../records/run-records.ts';
import { mainRecord } from './story.ts';

/** A record on which deletions are tried, one after the other, that should be refused. */
interface StandingRecord {
  /** The record, once the calls under way are answered: where one of them deleted it, its successor. */
  readonly current: () => Promise<Created>;
  /** Tries to delete it. Where that succeeds, a successor is made. */
  readonly tryToDelete: (difference: Difference) => Promise<{ readonly answer: Answer; readonly record: Created }>;
}

/**
 * The record of a kind on which deletions are tried that should be refused. It is made once the story of the kind is
 * told, since a deployment may cap the number of records. Throws Inconclusive where none can be made.
 */
export const standingRecord = stepFor(
  (kind: Deletable) => kind,
  async (session, kind): Promise<StandingRecord> => {
    let number = 1;
    let current = makeStanding(session, kind, number);
    let lastCall: Promise<unknown> = current;
    await current;
    const deleteCurrent = async ({ reshape: _, key = mainKey(session), ...difference }: Difference) => {
      const record = await current;
      const answer = await send(session, deleting(kind), { purpose: 'refusal', ...difference, key, id: record.id });
      if (isSuccess(answer)) {
        // The key of another workspace may not really have deleted it: then it stays in the ledger.
        if (key?.origin === 'given' && !isOfOtherWorkspace(key)) {
          session.ledger.remove(record.entry);
        }
        number += 1;
        current = makeStanding(session, kind, number);
        // The next caller meets the failure.
        current.catch(() => {});
      }
      return { answer, record };
    };
    return {
      current: () => lastCall.then(() => current),
      tryToDelete(difference) {
        const call = lastCall.then(() => deleteCurrent(difference));
        lastCall = call.catch(() => {});
        return call;
      },
    };
  },
);

/**
 * The standing record with that number: first the booking that the story leaves, which serves nothing else. Other clauses
 * need the main agent, and events the webhooks.
 */
async function makeStanding(session: Session, kind: Deletable, number: number): Promise<Created> {
  const { first, deletion } = await storyOf(session, kind);
  if (kind === 'bookings' && number === 1 && deletion().record.id !== first.id) {
    return first;
  }
  const label = `refused calls ${number}`;
  return assertCreated(
    kind === 'webhooks'
      ? (await registration(session, `webhook for ${label}`)).attempt
      : await recordFor(session, kind, label),
  );
}

/** The answer to the deletion of a record of the kind with full permission. */
export const fullDeletionAnswer = async (session: Session, kind: Deletable): Promise<Answer> =>
  (await storyOf(session, kind)).deletion().answer;

/** A record of the run's that no clause deletes. Throws Inconclusive where there is none. */
export const undeletedRecord = async (session: Session, kind: Kind): Promise<Created> =>
  kind === 'bookings' || kind === 'webhooks'
    ? (await standingRecord(session, kind)).current()
    : assertCreated(await mainRecord(session, kind));
