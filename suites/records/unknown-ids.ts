import { endpointOf, isEndpoint } from '../../contract/endpoints.ts';
import type { Purpose } from '../../results/exchange.ts';
import { Inconclusive, type Tally } from '../../results/outcome.ts';
import { describeAnswer, expectStatus, findingOn } from '../engine/expect.ts';
import { isUnguessable, uuid } from '../reading/record.ts';
import { type Answer, type CallDetails, isSuccess } from '../session/call.ts';
import { mainKey, type Session, send, stepFor } from '../session/session.ts';
import { madeUpId, sendWithUnknownId } from './made-up-ids.ts';
import { firstView, nounOf, readingOf } from './reads.ts';

/** A documented call that names an id. */
interface IdCall {
  readonly endpoint: string;
  /** The answer to the call with an id that the deployment knows. */
  readonly twin: () => Promise<Answer>;
  /** The body of a call with that id, and what else it has to carry. */
  readonly details?: (id: string) => Promise<CallDetails>;
}

/** The id of a record that the run has deleted. */
interface DeletedId {
  readonly id: string;
  /** The answer to a read of it since; null: there is no such read. */
  readonly later?: Answer | null;
  /** Whether its list still shows it: asked of kinds that no read by an id shows. */
  readonly isListed?: boolean;
}

/** The records of one kind, and the calls that name one of them. */
export interface IdCalls {
  readonly collection: string;
  /** An id that the deployment gave out. */
  readonly real: string;
  /** null: no record of the kind was deleted. */
  readonly deleted: DeletedId | null;
  /** Whether a second deletion may succeed, although nothing is left to delete. */
  readonly mayDeleteAgain: boolean;
  readonly calls: readonly IdCall[];
  readonly purpose: Purpose;
}

/**
 * Calls with ids that the deployment does not know get 404: with the id of a record that the run deleted, and with a
 * made-up id.
 */
export const judgeUnknownIds = (session: Session, tally: Tally, kind: IdCalls): Promise<void> =>
  tally.each(kind.calls, (call) => judgeCall(session, tally, kind, call));

async function judgeCall(session: Session, tally: Tally, kind: IdCalls, call: IdCall): Promise<void> {
  const { collection, real, deleted, mayDeleteAgain } = kind;
  const twin = await call.twin();
  const ofDeleted = deleted === null ? null : await callUnder(session, kind, call, deleted.id);
  // Once a write under the deleted id gets 404, none is made under a made-up one: reads are. Of keys, whose calls may
  // tell a deleted one from one that never was, all are.
  const isEnough = !call.endpoint.startsWith('GET') && !mayDeleteAgain && ofDeleted?.status === 404;
  const ofMadeUp = isEnough ? null : await callUnder(session, kind, call, madeUpId(real));
  // A 400 may be about the form of the made-up id, which is not judged: the deleted id, which was well-formed, gets
  // another answer, or there is none. Other UUIDs, and numbers of 32 bits where ids count from one, are well-formed.
  const isAboutForm = ({ status }: Answer): boolean =>
    status === 400 && !uuid.test(real) && !/^\d{1,8}$/.test(real) && ofDeleted?.status !== 400;
  const noun = nounOf(collection);
  const judged = [
    ...(ofMadeUp === null || isAboutForm(ofMadeUp)
      ? []
      : [{ what: `A call with an unknown ${noun} id`, answer: ofMadeUp }]),
    ...(ofDeleted === null || (await isRemembered(session, kind, call, ofDeleted))
      ? []
      : [{ what: `A call with the id of a deleted ${noun}`, answer: ofDeleted }]),
  ];
  if (judged.length === 0) {
    throw undecidedId(kind, call, ofMadeUp ?? ofDeleted);
  }
  for (const { what, answer } of judged) {
    if (isSuccess(twin) || isSuccess(answer)) {
      tally.judge(expectStatus(answer, 404, what));
    } else {
      const message = `Cannot judge unknown ids on ${call.endpoint}: a known id got ${describeAnswer(twin)}`;
      const blames = endpointOf(call.endpoint).clause;
      tally.leaveOpen(findingOn(answer, { message, expected: '404', actual: describeAnswer(answer), blames }));
    }
  }
}

/**
 * The answer to the call with the id of the deleted record, or a made-up one; null: the call may not be made. It
 * changes or deletes only where no read finds somebody's record: a deployment may give out a counted id anew. And only
 * where nobody can have the id: it cannot be guessed; or a read takes the ids of deleted records; or it is a made-up
 * one that a read of the record itself does not find. The read that shows whose the id is serves as the call where it
 * is the same call.
 */
async function callUnder(session: Session, kind: IdCalls, call: IdCall, id: string): Promise<Answer | null> {
  const { collection, deleted, purpose } = kind;
  const { endpoint, details } = call;
  const reading = readingOf(session.api.endpoints, collection);
  const answer = await readById(session, kind, id);
  if (reading?.id === endpoint) {
    return answer;
  }
  const isDeleted = deleted?.id === id;
  if (!isDeleted || !isUnguessable(id)) {
    // Without a call that takes ids, the list alone would show a deleted one, and a new record may just be made.
    const isUnused = isDeleted
      ? reading?.isView === false
      : isUnguessable(id) || (reading?.isView === true && answer?.status === 404);
    if (!isUnused || (answer !== null && isSuccess(answer)) || !session.writeGuard.allow(collection, id)) {
      return null;
    }
  }
  const key = mainKey(session);
  const sent = { purpose, ...(await details?.(id)) };
  return sendWithUnknownId(session, endpoint, { collection, id, key, keySetting: key.label, details: sent });
}

/** The answer to a read by an id, sent once a run: it shows whose the id is. null: the kind has no such read. */
const readById = stepFor(
  ({ collection }: IdCalls, id: string) => `${collection}/${id}`,
  async (session, { collection, purpose, deleted }, id): Promise<Answer | null> => {
    const reading = readingOf(session.api.endpoints, collection);
    if (reading === undefined) {
      return null;
    }
    if (deleted?.id === id || purpose !== 'documented') {
      return deleted?.later ?? send(session, reading.id, { id, purpose });
    }
    // The proof of whose an id is may have read a made-up one.
    return firstView(session, reading.id, id, mainKey(session));
  },
);

/**
 * Whether the deployment remembers the deleted record, so that its id is not unknown: reads or lists show it, or it may
 * be deleted again.
 */
async function isRemembered(session: Session, kind: IdCalls, call: IdCall, ofDeleted: Answer): Promise<boolean> {
  if (ofDeleted.status === 404 || kind.deleted === null) {
    return false;
  }
  const answer = await readById(session, kind, kind.deleted.id);
  const isShown = answer === null ? kind.deleted.isListed === true : isSuccess(answer);
  return isShown || (kind.mayDeleteAgain && call.endpoint.startsWith('DELETE') && isSuccess(ofDeleted));
}

/** The id of a deleted record would decide it: where no deletion succeeded, the deletion is to blame. */
const undecidedId = (
  { collection, real, deleted }: IdCalls,
  { endpoint }: IdCall,
  answer: Answer | null,
): Inconclusive => {
  const deletion = `DELETE ${collection}/:id`;
  const text = {
    message: `Cannot judge ${endpoint}: no ${nounOf(collection)} id can be made up that is well-formed and certainly unused (real ids look like ${real})`,
    ...(deleted === null && isEndpoint(deletion) ? { blames: endpointOf(deletion).clause } : {}),
  };
  return new Inconclusive(answer === null ? text : findingOn(answer, text));
};
