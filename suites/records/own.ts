import { scalarText, walk } from '../../common/json.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { fieldsWith, mentions } from '../reading/own-words.ts';
import { idsOf, recordIn } from '../reading/record.ts';
import { type Answer, type ApiKey, type Call, type CallDetails, callOf, isSuccess } from '../session/call.ts';
import type { Entry } from '../session/ledger/ledger.ts';
import { mainKey, type Session } from '../session/session.ts';
import { adviceOnId, type Claim, holdsKey, locatedId } from './candidates.ts';
import { noteOthers } from './own-rows.ts';
import { prove } from './prove.ts';
import { canDelete, canRead, nounOf } from './reads.ts';

/** A create, and what came of it. */
export interface Attempt {
  /** What it is called, proven or not: the write guard lets calls change it under a proven id alone. */
  readonly id: string | undefined;
  readonly collection: string;
  /** Words that are in this record and in no other. */
  readonly tag: string;
  readonly body: unknown;
  readonly answer: Answer;
  /** What the answer calls an id of the record, proven or not. */
  readonly aliases: readonly string[];
  readonly entry: Entry;
}

/** A record that the run created. */
export type Created = Attempt & { readonly id: string };

/** What is created, and how the call differs from the plain one. */
export interface Creation extends CallDetails {
  readonly tag: string;
  readonly body: unknown;
  /** The key to whose account the record will belong, and that will delete it. Default: the main key. */
  readonly maker?: ApiKey;
  /** The key that is sent; null: none. Default: the maker. */
  readonly key?: ApiKey | null;
  /** Sends the call at once, and leaves it to the clean-up to find out the id. Default: when its budget allows. */
  readonly via?: (call: Call) => Promise<Answer>;
}

/**
 * Creates a record, after a line in the ledger for whatever the call makes, and finds out its ids. `body` need not be
 * well-formed: a broken deployment may take it. Throws as the client does.
 */
export async function createRecord(session: Session, collection: string, creation: Creation): Promise<Attempt> {
  const { tag, maker = mainKey(session), key = maker, via, ...details } = creation;
  const isDocumented = (details.purpose ?? 'documented') === 'documented';
  await noteOthers(session, collection, maker);
  const { body } = details;
  const isTraceable = mentions(body, tag);
  const entry = session.ledger.intend({
    api: session.api.name,
    origin: session.origin,
    collection,
    keySetting: maker.label,
    tag,
    ...(isTraceable ? { fields: fieldsWith(body, tag) } : {}),
    // A call that has to be refused makes nothing, unless an answer says so.
    ...(isTraceable || !isDocumented ? {} : { untraceable: true }),
    ...(canDelete(collection) ? {} : { lasting: true }),
  });
  const answer = await sendOrForget(session, entry, () =>
    (via ?? session.client.send)(callOf(endpointOf(`POST ${collection}`), key, details)),
  );
  // A broken deployment may have made what it refused: the ledger keeps it in doubt. After a 5xx or no answer it stays
  // open.
  if (answer.status >= 400 && answer.status < 500) {
    session.ledger.note(entry, { refused: true });
  }
  if (isSuccess(answer) && via !== undefined) {
    session.ledger.note(entry, { accepted: true });
  }
  const claim = { entry, maker, body, answer };
  const isToProve = isSuccess(answer) && via === undefined;
  const ids = isToProve ? await provenIds(session, claim) : { id: undefined, aliases: [] };
  return { collection, tag, body, answer, entry, ...ids };
}

/** Finds out the id of a new record, and notes it in the ledger. The write guard is told why one is not proven. */
async function provenIds(session: Session, record: Claim & { readonly answer: Answer }) {
  const { answer, maker, entry } = record;
  const { collection } = entry;
  const noun = nounOf(collection);
  const aliases = answer
    .unredacted(({ payload }) => idsOf(recordIn(payload, noun) ?? {}, noun))
    .filter((id) => !holdsKey(session, maker, id));
  if (aliases.length > 0) {
    session.ledger.note(entry, { answeredIds: aliases });
  }
  const proven = await prove(session, record);
  if (proven !== undefined) {
    session.ledger.note(entry, { id: proven });
    const place = answer.unredacted(
      ({ json }) => walk(json).find(({ value }) => scalarText(value) === proven)?.pointer,
    );
    const { number, receivedAt: at } = answer.exchange;
    session.records.made({ collection, id: proven, at }, place === undefined ? undefined : { number, place, maker });
    return { id: proven, aliases };
  }
  session.ledger.note(entry, { accepted: true });
  const id = aliases[0] ?? locatedId(answer, collection);
  if (id === undefined) {
    return { id, aliases };
  }
  session.writeGuard.noteUnproven(collection, id, {
    cause: `No read and no row of the list shows for certain that ${id} is its id`,
    advice: adviceOnId(collection, answer, entry.tag),
    blames: endpointOf(canRead(collection) ? `GET ${collection}/:id` : `GET ${collection}`).clause,
  });
  return { id, aliases };
}

/** Sends a call that creates a record, after its line in the ledger. One that was never sent created nothing. */
export async function sendOrForget(session: Session, entry: Entry, call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    session.ledger.note(entry, { gone: true });
    throw error;
  }
}

/** How long the effects of the call with this answer may still take to show, ms. */
export const timeToSettle = ({ settings, clock }: Session, { exchange }: Answer): number =>
  exchange.receivedAt + settings.KEY_SETTLE_MS - clock.now();

/** Deletes a record of the run: by default with the main key, when its budget allows. Throws as the client does. */
export async function deleteRecord(
  session: Session,
  { collection, id, entry }: Pick<Created, 'collection' | 'id' | 'entry'>,
  { key = mainKey(session), via = session.client.send }: Pick<Creation, 'via'> & { readonly key?: ApiKey } = {},
): Promise<Answer> {
  const answer = await via(callOf(endpointOf(`DELETE ${collection}/:id`), key, { deletes: true, id }));
  if (isSuccess(answer)) {
    session.ledger.note(entry, { gone: true });
  }
  return answer;
}
