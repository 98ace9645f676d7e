import { endpointOf } from '../../../../contract/endpoints.ts';
import type { Kind } from '../../../../fixtures/workspace-bodies.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import type { Difference } from '../../../session/api.ts';
import { givenKey, mainKey } from '../../../session/keys.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { placedAs } from '../../../shared/ids/answer-ids.ts';
import { firstWebhook, registration } from '../events/registrations.ts';
import { webhookRemoved } from '../events/webhook-removal.ts';
import { type Deletable, deleting } from '../kinds.ts';
import { type Attempt, assertCreated, type Created } from '../records/create.ts';
import { mainRecord } from '../records/main-record.ts';
import { besideFirst, recordFor } from '../records/records.ts';
import { agentDeleted, bookingCancelled, type Deletion } from './deletions.ts';

/** A record on which deletions are tried that are to be refused, one after the other. */
interface Target {
  /** The one that no call has deleted yet with success, once those that are under way have been answered. */
  readonly standing: () => Promise<Created>;
  /** Tries to delete it; where that succeeds, another one is made for the next. */
  readonly remove: (difference: Difference) => Promise<{ readonly answer: Answer; readonly record: Created }>;
}

/**
 * The record of its kind that deletions are tried on, one a run: looked for once the accepted deletion of another one is done,
 * since a deployment may cap their number. Throws Inconclusive where none can be made.
 */
export const targetOf = stepFor(
  (kind: Deletable) => kind,
  async (session, kind): Promise<Target> => {
    const accepted = await deletionOf(session, kind);
    const next = async (): Promise<Created> => byPathId(await make(session, kind, { number, accepted }), accepted);
    let number = 1;
    let standing = next();
    let turn: Promise<unknown> = standing;
    await standing;
    return {
      standing: () => turn.then(() => standing),
      remove({ reshape: _, key = mainKey(session), ...difference }) {
        const tried = turn.then(async () => {
          const record = await standing;
          const answer = await send(session, deleting(kind), { purpose: 'refusal', ...difference, key, id: record.id });
          if (isSuccess(answer)) {
            // That a key deleted it which may do nothing here need not be true: it stays in the ledger.
            if (key?.origin === 'given' && key.label !== 'WORKSPACE_OTHER_API_KEY') {
              session.ledger.remove(record.entry);
            }
            number += 1;
            standing = next();
            // Whoever needs it meets the failure.
            standing.catch(() => {});
          }
          return { answer, record };
        });
        turn = tried.catch(() => {});
        return tried;
      },
    };
  },
);

/** Keys that are tried while other clauses need the records that they look at. */
const earlyKeys = ['WORKSPACE_LIMITED_API_KEY', 'WORKSPACE_OTHER_API_KEY'] as const;

/** Calls with a bad key come last: they try the record that is there anyway, and where it goes, another one. */
async function make(
  session: Session,
  kind: Deletable,
  { number, accepted }: { readonly number: number; readonly accepted: Deletion },
): Promise<Created> {
  if (kind !== 'bookings' && number === 1 && earlyKeys.every((name) => givenKey(session, name) === undefined)) {
    const main = await (kind === 'agents'
      ? mainRecord(session, kind)
      : firstWebhook(session).then((one) => one.attempt));
    if (main.id !== accepted.record.id) {
      return assertCreated(main);
    }
  }
  if (kind === 'webhooks') {
    return assertCreated((await registration(session, `webhook for refused calls ${number}`)).attempt);
  }
  const label = kind === 'bookings' && number === 1 ? besideFirst : `refused calls ${number}`;
  return assertCreated(await recordFor(session, kind, label));
}

/** A deletion with full permission, of another record of the kind. */
function deletionOf(session: Session, kind: Deletable): Promise<Deletion> {
  const deleted = { agents: agentDeleted, bookings: bookingCancelled, webhooks: webhookRemoved }[kind];
  return deleted(session);
}

/** Its answer. */
export const acceptedDeletion = async (session: Session, kind: Deletable): Promise<Answer> =>
  (await deletionOf(session, kind)).answer;

/** The record under the one of its ids that paths take, where the accepted deletion has shown which one of several that is. */
function byPathId<T extends Attempt>(record: T, { record: deleted, id: taken, answer }: Deletion): T {
  if (!isSuccess(answer)) {
    return record;
  }
  const ids = idsOf(record);
  const id = placedAs(ids, record.answer, { of: deleted.answer, id: taken }) ?? ids[idsOf(deleted).indexOf(taken)];
  return id === undefined ? record : { ...record, id, otherIds: ids.filter((one) => one !== id) };
}

/** A create with the id that paths take, where several may be it: its own answer need not show that one. */
export async function withPathId(session: Session, kind: Deletable, attempt: Attempt): Promise<Attempt> {
  const isOpen = attempt.otherIds.length > 0 && session.clauses.has(endpointOf(deleting(kind)).clause);
  const deletion = isOpen ? await resultOrNull(deletionOf(session, kind)) : null;
  return deletion === null ? attempt : byPathId(attempt, deletion);
}

const idsOf = ({ id = '', otherIds }: Attempt): readonly string[] => [id, ...otherIds];

/** A record of the run's that stands: no clause deletes it. Throws Inconclusive where there is none. */
export const standing = async (session: Session, kind: Kind): Promise<Created> =>
  kind === 'bookings' || kind === 'webhooks'
    ? (await targetOf(session, kind)).standing()
    : assertCreated(await mainRecord(session, kind));
