import { createRedactor } from '../../common/redact.ts';
import { decoded, fitsInUrl } from '../../common/uri.ts';
import { shapeName } from '../../settings/bodies-file.ts';
import { isRecognised, showsOthers } from '../reading/own-words.ts';
import { idIn, recordIn, type ShownId, shownIds } from '../reading/record.ts';
import { shapeOf } from '../reading/rows.ts';
import type { Answer, ApiKey } from '../session/call.ts';
import type { Entry } from '../session/ledger/ledger.ts';
import type { Session } from '../session/session.ts';
import { nounOf } from './reads.ts';

// What may be the id of a record of the run.

/** A record that the run asked for, and what is known of it. */
export interface Claim {
  /** Its line in the ledger, with its collection and the words that stand in this record and in no other. */
  readonly entry: Entry;
  /** The key that made it, or one of its account. */
  readonly maker: ApiKey;
  /** The body of its create. */
  readonly body?: unknown;
  /** The answer to its create; undefined: an earlier run got it. */
  readonly answer?: Answer;
}

/** The values in the answer to a create that may be the record's id, likeliest first. */
export function candidatesOf(session: Session, claim: Claim): readonly ShownId[] {
  const { answer, entry } = claim;
  const noted = (entry.answeredIds ?? []).map((id): ShownId => ({ id, place: '' }));
  const shown = answer === undefined ? noted : shownInAnswer(session, claim, answer);
  return shown.filter(mayBeOwn(session, claim));
}

/**
 * The ids that the answer to a create shows: where the user says, at the end of Location, and by convention. None where
 * it shows another record: the newest one of all, or the one that somebody has with the same address.
 */
function shownInAnswer(session: Session, { entry }: Claim, answer: Answer): readonly ShownId[] {
  const { collection, tag } = entry;
  const noun = nounOf(collection);
  const isOfAnother = answer.unredacted(({ payload }) => showsOthers(recordIn(payload, noun), entry));
  if (isOfAnother && !isRecognised(answer.payload, entry)) {
    return [];
  }
  const shown = answer.unredacted(({ payload }) => shownIds(payload, noun, tag));
  if (isIdTold(session, collection)) {
    const id = answer.unredacted(({ payload }) => idIn(payload, noun));
    return shown.filter((one) => one.id === id);
  }
  const located = locatedId(answer, collection);
  const place = shown.find(({ id }) => id === located)?.place ?? 'Location';
  return located === undefined ? shown : [{ id: located, place }, ...shown.filter(({ id }) => id !== located)];
}

/** Whether the user says where the ids of a collection stand. */
export const isIdTold = ({ shapes }: Session, collection: string): boolean =>
  shapeOf(shapes, `POST ${collection}`)?.id !== undefined;

/** The id to which the Location of an answer leads; undefined: it leads to no record of the collection. */
export function locatedId(answer: Answer, collection: string): string | undefined {
  const location = answer.unredacted(({ header }) => header('Location')) ?? '';
  const segments = location.replace(/[?#].*/s, '').split('/');
  // The base URL may have the collection's name in its path, too.
  const place = segments.lastIndexOf(collection.split('/').at(-1) ?? '');
  const id = place < 0 ? undefined : segments[place + 1];
  return id === undefined || id === '' ? undefined : decoded(id);
}

/** A test whether a value may be the id of the record: not one that was there before, nor the key that was sent. */
export const mayBeOwn =
  (session: Session, { entry: { collection }, maker }: Claim) =>
  ({ id }: ShownId): boolean =>
    fitsInUrl(id) && !session.ledger.isOther(collection, id) && !holdsKey(session, maker, id);

/** Whether a text holds a key, however written: it may not go into URLs and the ledger. */
export function holdsKey({ redactor }: Session, { secret }: ApiKey, text: string): boolean {
  // The session's redactor knows all secrets: where it finds any, that may be another one, such as the new key's.
  if (redactor.clean(text) === text) {
    return false;
  }
  const own = createRedactor();
  own.learn(secret);
  return own.clean(text) !== text;
}

/** The advice to tell in BODIES where the id of a new record stands, with the likeliest place that its answer shows. */
export function adviceOnId(collection: string, { unredacted }: Answer, tag: string): string {
  const [likeliest] = unredacted(({ payload }) => shownIds(payload, nounOf(collection), tag));
  const { place = '/…', isInPart } = likeliest ?? {};
  const shape = { [shapeName(collection)]: { id: isInPart ? place : `/${nameOf(place)}` } };
  return `Add this to BODIES, with the place of the id: "shapes": ${JSON.stringify(shape)}`;
}

/** The name of the field at a place. */
export const nameOf = (place: string): string => place.split('/').at(-1) ?? '';
