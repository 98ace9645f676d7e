import { type Answer, isSuccess } from '../../../session/answer.ts';
import type { Difference } from '../../../session/api.ts';
import { isOfOtherWorkspace } from '../../../session/key.ts';
import { givenKey, mainKey } from '../../../session/keys.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { firstWebhook, registration } from '../events/registrations.ts';
import { webhookRemoval } from '../events/webhook-removal.ts';
import type { Kind } from '../kinds.ts';
import { type Deletable, deleting } from '../kinds.ts';
import { assertCreated, type Created } from '../records/create.ts';
import { mainRecord } from '../records/main-record.ts';
import { recordFor, secondBooking } from '../records/run-records.ts';
import { agentDeletion, bookingCancellation, type Deletion } from './deletions.ts';

/** A record on which deletions are tried, one after the other, that should be refused. */
interface DeletionTarget {
  /** The record, once the calls under way are answered: where one of them deleted it, its successor. */
  readonly current: () => Promise<Created>;
  /** Tries to delete it. Where that succeeds, a successor is made. */
  readonly tryToDelete: (difference: Difference) => Promise<{ readonly answer: Answer; readonly record: Created }>;
}

/**
 * The record of a kind on which deletions are tried that should be refused. It is made once the accepted deletion of
 * another record is done, since a deployment may cap the number of records. Throws Inconclusive where none can be made.
 */
export const deletionTarget = stepFor(
  (kind: Deletable) => kind,
  async (session, kind): Promise<DeletionTarget> => {
    const accepted = await fullDeletion(session, kind);
    let number = 1;
    const make = (): Promise<Created> => targetRecord(session, kind, number, accepted);
    let current = make();
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
        current = make();
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

/** The keys with which deletions are tried early, while other clauses still need the main records. */
const earlyKeys = ['WORKSPACE_LIMITED_API_KEY', 'WORKSPACE_OTHER_API_KEY'] as const;

/** The target with that number. Where only bad keys try deletions, which come last, the first is the main record. */
async function targetRecord(session: Session, kind: Deletable, number: number, accepted: Deletion): Promise<Created> {
  const isTriedLate = earlyKeys.every((name) => givenKey(session, name) === undefined);
  if (kind !== 'bookings' && number === 1 && isTriedLate) {
    const main = kind === 'agents' ? await mainRecord(session, kind) : (await firstWebhook(session)).attempt;
    if (main.id !== accepted.record.id) {
      return assertCreated(main);
    }
  }
  if (kind === 'webhooks') {
    return assertCreated((await registration(session, `webhook for refused calls ${number}`)).attempt);
  }
  const label = kind === 'bookings' && number === 1 ? secondBooking : `refused calls ${number}`;
  return assertCreated(await recordFor(session, kind, label));
}

/** The deletion of another record of the kind, with full permission. */
function fullDeletion(session: Session, kind: Deletable): Promise<Deletion> {
  const deletion = { agents: agentDeletion, bookings: bookingCancellation, webhooks: webhookRemoval }[kind];
  return deletion(session);
}

/** The answer to the deletion of a record of the kind with full permission. */
export const fullDeletionAnswer = async (session: Session, kind: Deletable): Promise<Answer> =>
  (await fullDeletion(session, kind)).answer;

/** A record of the run's that no clause deletes. Throws Inconclusive where there is none. */
export const undeletedRecord = async (session: Session, kind: Kind): Promise<Created> =>
  kind === 'bookings' || kind === 'webhooks'
    ? (await deletionTarget(session, kind)).current()
    : assertCreated(await mainRecord(session, kind));
