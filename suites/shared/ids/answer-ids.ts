import { parentOf } from '../../../common/json.ts';
import { decoded } from '../../../common/uri.ts';
import { referencesIn } from '../../session/reading/fingerprint.ts';
import { mentions } from '../../session/reading/own-words.ts';
import { shownIds } from '../../session/reading/shown-ids.ts';
import { nounOf } from '../collections.ts';
import type { Standing } from './evidence.ts';
import type { NewRecord } from './sources.ts';

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
 * Whether the object in which an answer shows ids is the record for certain: the answer shows no other id, or the words of the record, or
 * the object names the records of the run that the body named.
 */
export function isClear(record: NewRecord): boolean {
  const { answer, tag, fingerprint } = record;
  const shown = idsInAnswer(record);
  const ofRecord = shown.filter(({ standing }) => standing !== 'nested').map(({ place }) => parentOf(place));
  const referring = answer.unredacted(({ payload }) => referencesIn(payload, fingerprint).map(parentOf));
  const showsWords = answer.unredacted(({ payload }) => mentions(payload, tag));
  return shown.length === 1 || showsWords || ofRecord.some((object) => referring.includes(object));
}
