import { at, isScalar, parentOf, placeOfId, pointerNames, walk } from '../../../common/json.ts';
import { decoded } from '../../../common/uri.ts';
import { referencesIn } from '../../reading/fingerprint.ts';
import { holdsId } from '../../reading/id-places.ts';
import { mentions } from '../../reading/own-words.ts';
import { shownIds } from '../../reading/shown-ids.ts';
import type { Answer } from '../../session/answer.ts';
import { nounOf } from '../collections.ts';
import type { Standing } from './evidence.ts';
import type { NewRecord } from './new-record.ts';

/** An id that a document shows, where, and how. */
export interface PlacedId {
  readonly id: string;
  /** A JSON pointer, or `Location`. */
  readonly place: string;
  readonly standing: Standing;
}

/** The ids that the answer to a create shows: at the end of Location, and in its body. */
export function idsInAnswer({ collection, tag, answer, ownPlaces }: NewRecord): readonly PlacedId[] {
  const located = locatedId({ answer, collection });
  const shown = answer.unredacted(({ payload }) => shownIds(payload, nounOf(collection), tag, ownPlaces?.(payload)));
  if (located === undefined) {
    return shown;
  }
  const inBody = shown.find(({ id }) => id === located);
  const inLocation: PlacedId = { id: located, place: inBody?.place ?? 'Location', standing: 'located' };
  return [inLocation, ...shown.filter((one) => one !== inBody)];
}

/** The id to which the Location of an answer leads; undefined: it leads to no record of the collection. */
export function locatedId({ answer, collection }: Pick<NewRecord, 'answer' | 'collection'>): string | undefined {
  const location = answer.unredacted(({ header }) => header('Location')) ?? '';
  const segments = location.replace(/[?#].*/s, '').split('/');
  // The base URL may have the collection's name in its path, too.
  const place = segments.lastIndexOf(collection.split('/').at(-1) ?? '');
  const id = place < 0 ? undefined : segments[place + 1];
  return id === undefined || id === '' ? undefined : decoded(id);
}

/**
 * Whether the object in which an answer shows ids is the record for certain: the answer shows no other id than those
 * that the body gave, or it shows the words of the record, or the object names the records of the run that the body
 * named.
 */
export function isClear(record: NewRecord): boolean {
  const { answer, tag, fingerprint, body } = record;
  const nameAndText = (name: string, text: string): string => JSON.stringify([name, text]);
  const given = new Set(
    walk(body).flatMap(({ name, value }) => (isScalar(value) ? [nameAndText(name, String(value))] : [])),
  );
  const shown = idsInAnswer(record).filter(
    ({ id, place }) => !given.has(nameAndText(pointerNames(place).at(-1) ?? '', id)),
  );
  const ofRecord = shown.filter(({ standing }) => standing !== 'nested').map(({ place }) => parentOf(place));
  const referring = answer.unredacted(({ payload }) => referencesIn(payload, fingerprint).map(parentOf));
  const showsWords = answer.unredacted(({ payload }) => mentions(payload, tag));
  return shown.length === 1 || showsWords || ofRecord.some((object) => referring.includes(object));
}

/** Where an answer shows an id of the record: a JSON pointer, or `Location`; undefined: nowhere. */
export const placeInAnswer = (record: NewRecord, id: string | undefined): string | undefined =>
  idsInAnswer(record).find((one) => one.id === id)?.place ??
  record.answer.unredacted(({ payload }) => placeOfId(payload, id));

/** Where the answers to the creates of a kind show their ids. */
export interface TaughtPlace {
  /** A JSON pointer, or `Location`; undefined: nowhere. */
  readonly place: string | undefined;
  /** The ids are paths; otherwise a path ends with an id. */
  readonly isPath: boolean;
}

/** The id that the answer to a create shows at a place. */
export function idAtPlace({ place, isPath }: TaughtPlace, record: NewRecord): string | undefined {
  if (place === undefined) {
    return undefined;
  }
  const shown = idsInAnswer(record).find((one) => one.place === place && one.id.includes('/') === isPath);
  const value = record.answer.unredacted(({ payload }) => at(payload, place));
  return shown?.id ?? (place !== 'Location' && isScalar(value) ? String(value) : undefined);
}

/**
 * The one of some ids that stands in an answer where another answer has its id: the order of a record's ids may differ.
 */
export function placedAs(
  ids: readonly string[],
  answer: Answer,
  other: { of: Answer; id: string },
): string | undefined {
  const place = other.of.unredacted(({ payload }) => walk(payload).find(({ value }) => holdsId(value, other.id)));
  const value = place === undefined ? undefined : answer.unredacted(({ payload }) => at(payload, place.pointer));
  return isScalar(value) ? ids.find((one) => holdsId(value, one)) : undefined;
}
