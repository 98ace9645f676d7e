import { isWrite } from '../../contract/endpoint.ts';
import { endpointOf, isEndpoint } from '../../contract/endpoints.ts';
import type { Purpose } from '../../results/exchange.ts';
import { Inconclusive, type Tally } from '../../results/outcome.ts';
import { describeAnswer, expectStatus, findingOn } from '../engine/expect.ts';
import { idIn, isUnguessable, uuid } from '../reading/record.ts';
import { type Answer, type CallDetails, isSuccess } from '../session/call.ts';
import { mainKey, type Session, send, step } from '../session/session.ts';
import { canDelete, canRead, firstView, nounOf, readingOf } from './reads.ts';

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
    const deletion = `DELETE ${collection}/:id`;
    const message = `Cannot judge ${call.endpoint}: no ${noun} id can be made up that is well-formed and certainly unused (real ids look like ${real})`;
    // The id of a deleted record would decide it: where no deletion succeeded, the deletion is to blame.
    const blames = deleted === null && isEndpoint(deletion) ? { blames: endpointOf(deletion).clause } : {};
    const answer = ofMadeUp ?? ofDeleted;
    throw new Inconclusive(answer === null ? { message, ...blames } : findingOn(answer, { message, ...blames }));
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
  const reading = readingOf(session, collection);
  const answer = await readById(session, kind, id);
  if (reading === endpoint) {
    return answer;
  }
  const isDeleted = deleted?.id === id;
  if (!isDeleted || !isUnguessable(id)) {
    // Without a call that takes ids, the list alone would show a deleted one, and a new record may just be made.
    const isUnused = isDeleted
      ? reading !== undefined && !canRead(collection)
      : isUnguessable(id) || (canRead(collection) && answer?.status === 404);
    if (!isUnused || (answer !== null && isSuccess(answer)) || !session.writeGuard.allow(collection, id)) {
      return null;
    }
  }
  return sendWithUnknownId(session, endpoint, collection, { purpose, ...(await details?.(id)), id });
}

/** The answer to a read by an id, sent once a run: it shows whose the id is. null: the kind has no such read. */
const readById = step(
  async (session, { collection, purpose, deleted }: IdCalls, id: string): Promise<Answer | null> => {
    const reading = readingOf(session, collection);
    if (reading === undefined) {
      return null;
    }
    if (deleted?.id === id || purpose !== 'documented') {
      return deleted?.later ?? send(session, reading, { id, purpose });
    }
    // The proof of whose an id is may have read a made-up one.
    return firstView(session, reading, id, mainKey(session));
  },
  ({ collection }, id) => `${collection}/${id}`,
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

/**
 * The characters that stand in for those of an id or key, so that it stays well-formed: those of hexadecimal numbers,
 * or those that all alphabets have in common, base 32, base 58 and base 64 among them. `step`: how far a letter is
 * turned, so far that not only the bits change that the last character of a base64 text leaves unused.
 */
const hexadecimal = { digits: '0123456789', letters: 'abcdef', step: 3 };
const common = { digits: '123456789', letters: 'abcdefghjkmnpqrstvwxyz', step: 13 };

/** The text with other digits for its last digits, and other letters of the same case for letters; of four of them. */
export function altered(text: string, count = 4): string {
  const tail = text.replace(/^.*[^0-9A-Za-z](?=[0-9A-Za-z])/s, '');
  const { digits, letters, step } = /^[0-9a-f]*$/i.test(tail) ? hexadecimal : common;
  const turned = (one: string): string => {
    const [wheel, by] = /\d/.test(one) ? [digits, 4] : [letters, step];
    const next = wheel.charAt((wheel.indexOf(one.toLowerCase()) + by) % wheel.length);
    return /[A-Z]/.test(one) ? next.toUpperCase() : next;
  };
  const places = [...text.matchAll(/[0-9A-Za-z]/g)].map(({ index }) => index).slice(-count);
  return [...text].map((one, index) => (places.includes(index) ? turned(one) : one)).join('');
}

/**
 * The text with another letter or digit at the place or, where something else is there, at the nearest place before
 * it.
 */
export function alteredAt(text: string, index: number): string {
  return altered(text.slice(0, index + 1), 1) + text.slice(index + 1);
}

/** Where ids count from one, a number of 32 bits is well-formed everywhere. */
const ahead = 2_000_000_000;
const farAhead = 900_000_000_000;

/**
 * An id shaped like a real one of the deployment: a counted id gets far ahead of the newest, any other gets other
 * characters at its end.
 */
export function madeUpId(real: string): string {
  const [, prefix = '', counter] = /^([A-Za-z]{0,10}[_-]?)(\d{1,12})$/.exec(real) ?? [];
  const from = Number(counter);
  return counter === undefined ? altered(real) : `${prefix}${from + (from < 100_000_000 ? ahead : farAhead)}`;
}

// --- Calls with such an id

/**
 * Sends a call with an id that no record has. A broken deployment may make a record of that id or of a new one, so a
 * line in the ledger comes before a write. Throws as the client does.
 */
export async function sendWithUnknownId(
  session: Session,
  endpoint: string,
  collection: string,
  details: CallDetails & { readonly id: string },
): Promise<Answer> {
  const { id } = details;
  const sendIt = (): Promise<Answer> => send(session, endpoint, details);
  const { method } = endpointOf(endpoint);
  if (!isWrite(method) || method === 'DELETE') {
    return sendIt();
  }
  const { ledger, api, origin } = session;
  const entry = ledger.intend({
    api: api.name,
    origin,
    collection,
    keySetting: mainKey(session).label,
    tag: id,
    ...(canDelete(collection) ? {} : { lasting: true }),
  });
  const answer = await sendIt();
  const shown = answer.unredacted(({ payload }) => idIn(payload, nounOf(collection))) ?? id;
  if (!isSuccess(answer)) {
    ledger.note(entry, { gone: true });
  } else if (shown === id) {
    // It may be one that was deleted, and lives again.
    session.writeGuard.allow(collection, id);
    ledger.note(entry, { id });
  } else {
    // It may be a new record, or somebody's that was changed.
    ledger.note(entry, { accepted: true, answeredIds: [shown] });
  }
  return answer;
}
