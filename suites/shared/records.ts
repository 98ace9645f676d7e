import { at, walk } from '../../common/json.ts';
import type { Answer } from '../session/answer.ts';
import { isSuccess } from '../session/answer.ts';
import type { CallDetails } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import { mainKey } from '../session/keys.ts';
import type { Entry } from '../session/ledger.ts';
import { idIn } from '../session/record.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { canDelete, nounOf } from './collections.ts';
import { lookFor } from './sighting.ts';

/** A create, and what came of it. */
export interface Attempt {
  readonly collection: string;
  /** Words that stand in the record and in no other. */
  readonly tag: string;
  readonly body: unknown;
  readonly answer: Answer;
  /** undefined: nothing was made, or nothing shows its id. */
  readonly id: string | undefined;
  readonly entry: Entry;
}

/** A record of the run's. */
export type Created = Attempt & { readonly id: string };

/** What is created, and how the call differs from the plain one. */
export interface Creation extends CallDetails {
  readonly tag: string;
  readonly body: unknown;
  /** The key whose record it is to be, and that will delete it. Default: the main key. */
  readonly maker?: ApiKey;
  /** The key that is sent; null: none. Default: the maker. */
  readonly key?: ApiKey | null;
}

/**
 * Sends a create; whatever it makes stands in the ledger, before it is sent. `body` need not be well-formed: a broken
 * deployment may take it. Throws as the client does.
 */
export async function createRecord(session: Session, collection: string, creation: Creation): Promise<Attempt> {
  const { tag, maker = mainKey(session), key = maker, ...details } = creation;
  const entry = session.ledger.intend({
    api: session.api.name,
    origin: session.origin,
    collection,
    keySetting: maker.label,
    tag,
    ...(canDelete(collection) ? {} : { lasting: true }),
  });
  const answer = await sendOrForget(session, entry, () =>
    send(session, `POST ${collection}`, { ...details, key, creates: canDelete(collection) }),
  );
  // After a 5xx or no answer nobody knows: it stays in the ledger, to be looked for by its words.
  if (answer.status >= 400 && answer.status < 500) {
    session.ledger.remove(entry);
  }
  const id = isSuccess(answer) ? await newId(session, answer, { collection, tag, maker }) : undefined;
  if (id !== undefined) {
    session.ledger.identify(entry, id);
    const place = answer.unredacted(({ json }) => walk(json).find(({ value }) => String(value) === id)?.pointer);
    if (place !== undefined) {
      session.records.made(answer.exchange.number, { collection, id, place });
    }
  }
  return { collection, tag, body: creation.body, answer, id, entry };
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

/** The new record's id: in the answer, in its Location, or in the list. */
async function newId(
  session: Session,
  answer: Answer,
  { collection, tag, maker }: Pick<Attempt, 'collection' | 'tag'> & { maker: ApiKey },
): Promise<string | undefined> {
  const shown = answer.unredacted(
    ({ json, header }) =>
      idIn(at(json, session.api.payload), nounOf(collection)) ??
      new RegExp(`/${collection.split('/').at(-1)}/([^/?#]+)`).exec(header('Location') ?? '')?.[1],
  );
  return shown ?? (await lookFor(session, collection, { id: undefined, tag }, maker)).id;
}

/** Deletes a record of the run's, with the main key or another. Throws as the client does. */
export async function deleteRecord(
  session: Session,
  { collection, id, entry }: Pick<Created, 'collection' | 'id' | 'entry'>,
  details: CallDetails & { readonly key?: ApiKey | null } = {},
): Promise<Answer> {
  const answer = await send(session, `DELETE ${collection}/:id`, { deletes: true, ...details, id });
  if (isSuccess(answer)) {
    session.ledger.remove(entry);
    session.records.deleted(answer.exchange.number, { collection, id });
  }
  return answer;
}
