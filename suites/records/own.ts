import { asRead } from '../../common/exact-json.ts';
import { placeOfId } from '../../common/json.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { fingerprintOf } from '../reading/fingerprint.ts';
import { namesOfId } from '../reading/id-places.ts';
import { mentions } from '../reading/own-words.ts';
import { recordIn } from '../reading/record.ts';
import { namedIdsOf } from '../reading/shown-ids.ts';
import { type Answer, isSuccess } from '../session/answer.ts';
import { type Call, type CallDetails, callOf } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import { mainKey } from '../session/keys.ts';
import type { Entry } from '../session/ledger/ledger.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { canChange, canDelete, nounOf } from './collections.ts';
import { noteOthers } from './ids/earlier-rows.ts';
import { identify, type OwnIds } from './ids/identify.ts';
import type { NewRecord } from './ids/new-record.ts';
import { keyTest } from './ids/secrets.ts';

/** A create, and what came of it. */
export interface Attempt extends OwnIds {
  readonly collection: string;
  /** Words that are in this record and in no other. */
  readonly tag: string;
  readonly body: unknown;
  readonly answer: Answer;
  /** What the answer calls an id of the record, proven or not. */
  readonly aliases: readonly string[];
  /** Names of the fields in which the answer shows the id. */
  readonly idNames: readonly string[];
  readonly entry: Entry;
}

/** A record that the run created. */
export type Created = Attempt & { readonly id: string };

type FoundIds = Pick<Attempt, 'id' | 'otherIds' | 'aliases' | 'idNames'>;

/** A create that was answered. */
export type Posted = Omit<Attempt, keyof FoundIds> & {
  /** Finds out the ids of the new record. */
  readonly proven: () => Promise<Attempt>;
};

/** What is created, and how the call differs from the plain one. */
export interface Creation extends CallDetails, Partial<Pick<NewRecord, 'ownPlaces' | 'companion'>> {
  readonly tag: string;
  readonly body: unknown;
  /** The key to whose account the record will belong, and that will delete it. Default: the main key. */
  readonly maker?: ApiKey;
  /** The key that is sent; null: none. Default: the maker. */
  readonly key?: ApiKey | null;
  /** Sends the call. Default: when its budget allows. */
  readonly via?: (call: Call) => Promise<Answer>;
}

/** Creates a record, and finds out its ids. Throws as the client does. */
export const createRecord = async (session: Session, collection: string, creation: Creation): Promise<Attempt> =>
  (await post(session, collection, creation)).proven();

/**
 * Sends a create, after a line in the ledger for whatever it makes. `body` need not be well-formed: a broken deployment
 * may take it. Throws as the client does.
 */
export async function post(session: Session, collection: string, creation: Creation): Promise<Posted> {
  const { tag, maker = mainKey(session), key = maker, via = session.client.send, ...rest } = creation;
  const { ownPlaces, companion, ...details } = rest;
  const isDocumented = (details.purpose ?? 'documented') === 'documented';
  if (canChange(session.api.endpoints, collection)) {
    await noteOthers(session, collection, maker);
  }
  const body = asRead(creation.body);
  const fingerprint = fingerprintOf(session.writeGuard.allowsAny, body);
  const isTraceable = fingerprint.references.length > 0 || mentions(creation.body, tag);
  const entry = session.ledger.intend({
    api: session.api.name,
    origin: session.origin,
    collection,
    keySetting: maker.label,
    tag,
    ...(fingerprint.references.length > 0 ? { fingerprint } : {}),
    // A call that has to be refused makes nothing, unless an answer says so.
    ...(isTraceable || !isDocumented ? {} : { untraceable: true }),
    ...(canDelete(collection) ? {} : { lasting: true }),
  });
  const answer = await sendOrForget(session, entry, () =>
    via(callOf(endpointOf(`POST ${collection}`), key, { ...details, creates: canDelete(collection) })),
  );
  // A broken deployment may have made what it refused: the ledger keeps it in doubt. After a 5xx or no answer it stays
  // open.
  if (answer.status >= 400 && answer.status < 500) {
    session.ledger.noteRefused(entry);
  }
  const posted = { collection, tag, body: creation.body, answer, entry };
  const record = { collection, tag, body, answer, maker, fingerprint, ownPlaces, companion };
  const answeredIds = isSuccess(answer) ? ownIdsOf(record) : [];
  if (answeredIds.length > 0) {
    session.ledger.noteAnsweredIds(entry, answeredIds);
  }
  return {
    ...posted,
    proven: async () => ({ ...posted, ...(isSuccess(answer) ? await provenIds(session, entry, record) : noIds) }),
  };
}

const noIds: FoundIds = { id: undefined, otherIds: [], aliases: [], idNames: [] };

/** Finds out the ids of a new record, and notes them in the ledger. */
async function provenIds(session: Session, entry: Entry, record: NewRecord): Promise<FoundIds> {
  const { collection, answer, maker } = record;
  const { id, otherIds } = await identify(session, record);
  const idNames = id === undefined ? [] : answer.unredacted(({ payload }) => namesOfId(payload, id));
  if (id === undefined) {
    session.ledger.accept(entry);
  } else {
    session.ledger.identify(entry, id, { otherIds, idNames });
    session.settling.made(collection, id, answer.exchange.receivedAt);
    const place = answer.unredacted(({ json }) => placeOfId(json, id));
    if (place !== undefined) {
      session.records.made(answer.exchange.number, { collection, id, place, maker });
    }
  }
  return { id, otherIds, aliases: answeredIdsOf(record), idNames };
}

/** What the answer to a create calls ids of the record, without keys. */
function ownIdsOf(record: NewRecord): readonly string[] {
  const isKey = keyTest(record);
  return answeredIdsOf(record).filter((id) => !isKey(id));
}

/** What the answer to a create calls ids of the record. */
function answeredIdsOf({ collection, answer }: NewRecord): readonly string[] {
  const noun = nounOf(collection);
  return answer.unredacted(({ payload }) => namedIdsOf(recordIn(payload, noun) ?? {}, noun));
}

/** A call that was never sent created nothing. */
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

/** What has to be known of a record to delete it. */
type Deletable = Pick<Created, 'collection' | 'id' | 'entry' | 'answer'> & Partial<Pick<Created, 'otherIds'>>;
type Details = CallDetails & { readonly key?: ApiKey | null };

/** The answer to a deletion, and the id that the call named. */
interface DeletedById {
  readonly answer: Answer;
  readonly id: string;
}

/** Deletes a record of the run, with the main key or another. Throws as the client does. */
export const deleteRecord = async (session: Session, record: Deletable, details: Details = {}): Promise<Answer> =>
  (await deleteById(session, record, details)).answer;

/**
 * Like `deleteRecord`, with the id that the last call named. A further id of the record is tried as long as the one
 * before gets 404 or, since paths take other ids, 400. A new record may take KEY_SETTLE_MS to be found: then all of its
 * ids are tried again.
 */
export async function deleteById(session: Session, record: Deletable, details: Details = {}): Promise<DeletedById> {
  const { collection, id: first, entry, answer: created } = record;
  let deleted = await deleteByAny(session, record, details);
  const wait = timeToSettle(session, created);
  if (isUnknown(deleted.answer) && wait > 0) {
    await session.clock.sleep(wait);
    deleted = await deleteByAny(session, record, details);
  }
  if (isSuccess(deleted.answer)) {
    session.ledger.remove(entry);
    session.records.deleted(deleted.answer.exchange.number, { collection, id: first });
  }
  return deleted;
}

const isUnknown = ({ status }: Answer): boolean => status === 404 || status === 400;

async function deleteByAny(session: Session, record: Deletable, details: Details): Promise<DeletedById> {
  const { collection, id: first, otherIds = [] } = record;
  const remove = async (id: string): Promise<Answer> => {
    const removeOnce = () => send(session, `DELETE ${collection}/:id`, { deletes: true, ...details, id });
    const answer = await removeOnce();
    // A call without an answer may have deleted it all the same: only a second call that succeeds shows that.
    const again = answer.status === 0 ? await removeOnce() : answer;
    return isSuccess(again) ? again : answer;
  };
  let [id, answer] = [first, await remove(first)];
  for (const other of otherIds) {
    if (isUnknown(answer)) {
      [id, answer] = [other, await remove(other)];
    }
  }
  return { answer, id };
}
