import { asRead } from '../../common/exact-json.ts';
import { placeOfId } from '../../common/json.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import type { Answer } from '../session/answer.ts';
import { isSuccess } from '../session/answer.ts';
import { type Call, type CallDetails, callOf } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import { mainKey } from '../session/keys.ts';
import type { Entry } from '../session/ledger/ledger.ts';
import { fingerprintOf } from '../session/reading/fingerprint.ts';
import { mentions } from '../session/reading/own-words.ts';
import { recordIn, sureIdsOf } from '../session/reading/record.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { canDelete, nounOf } from './collections.ts';
import { shownInField } from './ids/like-another.ts';
import { provenIds } from './ids/own-id.ts';
import type { Known, Unidentified } from './ids/tried-ids.ts';

/** A create, and what came of it. */
export interface Attempt {
  readonly collection: string;
  /** Words that stand in the record and in no other. */
  readonly tag: string;
  readonly body: unknown;
  readonly answer: Answer;
  /** undefined: nothing was made, or nothing proves which id is its own. */
  readonly id: string | undefined;
  /** Further ids of its own, where no read tells which one paths take. */
  readonly otherIds: readonly string[];
  /** What its answer calls an id of it. */
  readonly aliases: readonly string[];
  readonly entry: Entry;
}

/** A record of the run's. */
export type Created = Attempt & { readonly id: string };

/** A create that was answered. */
export type Posted = Omit<Attempt, 'id' | 'otherIds' | 'aliases'> & {
  /** Finds out whose id it is that the answer shows. */
  readonly proven: () => Promise<Attempt>;
};

/** What is created, and how the call differs from the plain one. */
export interface Creation extends CallDetails {
  readonly tag: string;
  readonly body: unknown;
  /** The key whose record it is to be, and that will delete it. Default: the main key. */
  readonly maker?: ApiKey;
  /** The key that is sent; null: none. Default: the maker. */
  readonly key?: ApiKey | null;
  /** Pointers in what the answer shows to what stands in the new record alone, besides its words. */
  readonly ownPlaces?: (json: unknown) => readonly string[];
  /** A record of another kind that a read has shown under its id: those that no read shows may have theirs in the same field. */
  readonly like?: () => Promise<Attempt | null>;
  /** Creates another of its kind, where one is needed: one reading of the list shows both. */
  readonly beside?: (() => Promise<unknown>) | undefined;
  /** Sends the call. Default: when its budget allows. */
  readonly via?: (call: Call) => Promise<Answer>;
}

/** Creates a record, and finds out its id. Throws as the client does. */
export const createRecord = async (session: Session, collection: string, creation: Creation): Promise<Attempt> =>
  (await post(session, collection, creation)).proven();

/**
 * Sends a create; whatever it makes stands in the ledger, before it is sent. `body` need not be well-formed: a broken
 * deployment may take it. Throws as the client does.
 */
export async function post(session: Session, collection: string, creation: Creation): Promise<Posted> {
  const {
    tag,
    maker = mainKey(session),
    key = maker,
    via = session.client.send,
    ownPlaces,
    like,
    beside,
    ...details
  } = creation;
  const body = asRead(creation.body);
  const fingerprint = fingerprintOf(session.writeGuard, body);
  const isTraceable = fingerprint.references.length > 0 || mentions(creation.body, tag);
  const entry = session.ledger.intend({
    api: session.api.name,
    origin: session.origin,
    collection,
    keySetting: maker.label,
    tag,
    ...(fingerprint.references.length > 0 ? { fingerprint } : {}),
    // What is to be refused makes nothing, unless an answer says so.
    ...(isTraceable || (details.purpose ?? 'documented') !== 'documented' ? {} : { untraceable: true }),
    ...(canDelete(collection) ? {} : { lasting: true }),
  });
  const answer = await sendOrForget(session, entry, () =>
    via(callOf(endpointOf(`POST ${collection}`), key, { ...details, creates: canDelete(collection) })),
  );
  // After a 5xx or no answer nobody knows: it stays in the ledger, to be looked for by its words. So does what was refused,
  // which a broken deployment may have made all the same.
  if (answer.status >= 400 && answer.status < 500) {
    session.ledger.noteRefused(entry);
  }
  const posted = { collection, tag, body: creation.body, answer, entry };
  const another = async (): Promise<Known | null> => {
    const record = (await like?.()) ?? null;
    return record && shownInField(session, record, maker);
  };
  const unidentified = { ...posted, body, maker, fingerprint, ownPlaces, like: another, beside };
  return {
    ...posted,
    proven: async () =>
      isSuccess(answer) ? identified(session, unidentified) : { ...posted, id: undefined, otherIds: [], aliases: [] },
  };
}

/** What was made, with the ids that are proven to be its own. */
async function identified(
  session: Session,
  { entry, ...made }: Unidentified & Pick<Attempt, 'entry'>,
): Promise<Attempt> {
  const { collection, tag, body, answer, maker } = made;
  const { id, others } = await provenIds(session, made);
  if (id === undefined) {
    session.ledger.accept(entry);
  } else {
    session.ledger.identify(entry, id, others);
    const place = answer.unredacted(({ json }) => placeOfId(json, id));
    if (place !== undefined) {
      session.records.made(answer.exchange.number, { collection, id, place, maker });
    }
  }
  const noun = nounOf(collection);
  const aliases = answer.unredacted(({ payload }) => sureIdsOf(recordIn(payload, noun) ?? {}, noun));
  return { collection, tag, body, answer, id, otherIds: others, aliases, entry };
}

/** A call that was never sent made nothing. */
async function sendOrForget(session: Session, entry: Entry, call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    session.ledger.remove(entry);
    throw error;
  }
}

/** How long a record may still take to show all effects of its create, ms. */
export const timeToSettle = ({ settings, clock }: Session, { exchange }: Answer): number =>
  exchange.receivedAt + settings.KEY_SETTLE_MS - clock.now();

/** What is known of a record that is to be deleted. */
type Deleted = Pick<Created, 'collection' | 'id' | 'entry' | 'answer'> & Partial<Pick<Created, 'otherIds'>>;
type Details = CallDetails & { readonly key?: ApiKey | null };

/** Deletes a record of the run's, with the main key or another. Throws as the client does. */
export const deleteRecord = async (session: Session, record: Deleted, details: Details = {}): Promise<Answer> =>
  (await deleteById(session, record, details)).answer;

/**
 * The same, with the id that the last call named: where the record shows several, those after the first are tried as long as
 * they get 404 or, being no ids of paths, 400. What was created may take KEY_SETTLE_MS to be found, and to be ready: a 404 or 400
 * before then is tried again.
 */
export async function deleteById(
  session: Session,
  { collection, id: first, otherIds = [], entry, answer: created }: Deleted,
  details: Details = {},
): Promise<{ readonly answer: Answer; readonly id: string }> {
  const removeOnce = (one: string) => send(session, `DELETE ${collection}/:id`, { deletes: true, ...details, id: one });
  // Where no answer came, it may have been done all the same: unless it succeeds then, it stays open.
  const remove = async (one: string): Promise<Answer> => {
    const answer = await removeOnce(one);
    const again = answer.status === 0 ? await removeOnce(one) : answer;
    return isSuccess(again) ? again : answer;
  };
  const removeByAny = async (): Promise<{ readonly answer: Answer; readonly id: string }> => {
    let [id, answer] = [first, await remove(first)];
    for (const other of otherIds) {
      if (answer.status === 404 || answer.status === 400) {
        [id, answer] = [other, await remove(other)];
      }
    }
    return { answer, id };
  };
  let tried = await removeByAny();
  const wait = timeToSettle(session, created);
  if ([404, 400].includes(tried.answer.status) && wait > 0) {
    await session.clock.sleep(wait);
    tried = await removeByAny();
  }
  if (isSuccess(tried.answer)) {
    session.ledger.remove(entry);
    session.records.deleted(tried.answer.exchange.number, { collection, id: first });
  }
  return tried;
}
