import { at, isObject, type JsonObject, parentOf, pointerNames, walk } from '../../common/json.ts';
import { oncePerObject } from '../../common/once-per-object.ts';
import { idFields, isOtherKind } from './id-fields.ts';
import { wordsPattern } from './own-words.ts';
import { around, isBeside, placeOfRecord, recordIn } from './record.ts';
import { isUnguessable } from './unguessable.ts';

/**
 * How a document shows an id of a record: the document is nothing but the id; or a field of the record is called its id
 * (`named`) or may be its id (`possible`); or an object inside or beside the record has an id (`nested`), which may
 * belong to something else.
 */
export type Standing = 'alone' | 'named' | 'possible' | 'nested';

/** An id that a document shows, and that may be the record's. */
interface ShownId {
  readonly id: string;
  /** A JSON pointer with `*` for places in lists: the same in all documents of the kind. */
  readonly place: string;
  readonly standing: Standing;
}

/** Most ids that are read of one document. */
const mostShown = 100;

/** Whether a text that comes alone can be an id: it is in one piece, and no word, since messages are. */
const isIdAlone = (text: string): boolean => /^[^\s/]{1,128}$/.test(text) && (/\d/.test(text) || isUnguessable(text));

/**
 * The ids that a document may show of a record, likeliest first. The record is the object in which its words are, and
 * what is wrapped around that object. Where no id is around the words, the record is the object that holds what no
 * other record has: `ownPlaces` points to that.
 */
export function shownIds(json: unknown, noun: string, tag: string, ownPlaces: readonly string[] = []): ShownId[] {
  if ((typeof json === 'string' && isIdAlone(json)) || typeof json === 'number') {
    return [{ id: String(json), place: '', standing: 'alone' }];
  }
  const record = placeOfRecord(json, noun);
  const objects = objectsAround(json, tag, record?.pointer ?? '');
  const ofWords = objects.flatMap((pointer) => idsAt(json, pointer, noun));
  const own = ofWords.length > 0 ? ofWords : ownPlaces.flatMap((place) => idsAt(json, parentOf(place), noun));
  const nested = walk(json)
    .filter(({ pointer, value }) => isObject(value) && !objects.includes(pointer) && !isBeside(pointer))
    .filter(({ pointer }) => !pointerNames(pointer).some((name) => isOtherKind(name, noun)))
    .flatMap(({ pointer }) => idsAt(json, pointer, noun))
    .flatMap((one) => (one.standing === 'named' ? [{ ...one, standing: 'nested' as const }] : []));
  const [named, possible] = (['named', 'possible'] as const).map((kind) => own.filter((one) => one.standing === kind));
  const all = [...(named ?? []), ...(possible ?? []), ...nested].slice(0, mostShown);
  return all.filter(({ id }, index) => all.findIndex((one) => one.id === id) === index);
}

/**
 * The objects around the record's words, the record itself first; around the record where it shows none of its words.
 */
function objectsAround(json: unknown, tag: string, record: string): readonly string[] {
  const pattern = wordsPattern(tag);
  const worded = walk(json).filter(({ value }) => typeof value === 'string' && pattern.test(value));
  const words = worded.find(({ pointer }) => !isBeside(pointer)) ?? worded[0];
  const objects = around(words === undefined ? `${record}/` : words.pointer);
  return objects.includes(record) ? [record, ...objects.filter((pointer) => pointer !== record)] : objects;
}

function idsAt(json: unknown, pointer: string, noun: string): ShownId[] {
  const object = at(json, pointer);
  const placeOf = (name: string): string => `${pointer}/${name}`.replace(/\/\d+(?=\/)/g, '/*');
  return (isObject(object) ? idFields(object, noun) : []).map(({ id, name, isNamed }) => ({
    id,
    place: placeOf(name),
    standing: isNamed ? 'named' : 'possible',
  }));
}

/** The ids that fields of a record are called: its own fields, or those of the object that it wraps. */
export function namedIdsOf(record: JsonObject, noun: string): string[] {
  const inner = record[noun] ?? record.attributes;
  return [record, inner].flatMap((one) =>
    isObject(one) ? idFields(one, noun).flatMap(({ id, isNamed }) => (isNamed ? [id] : [])) : [],
  );
}

/**
 * The ids of a record, or of a row of a list, likeliest first: where no field is called its id, all that may be its id.
 */
export const idsOf = oncePerObject((record: JsonObject, noun): readonly string[] => {
  const named = namedIdsOf(record, noun);
  const likely = named.length > 0 ? named : idFields(record, noun).map(({ id }) => id);
  return likely.length > 0 ? [...new Set(likely)] : innerIds(record, noun).slice(0, 1);
});

/** The ids of objects inside a record, other than records of other kinds. */
const innerIds = (record: JsonObject, noun: string): string[] =>
  walk(record)
    .filter(({ pointer }) => !pointerNames(pointer).some((name) => isOtherKind(name, noun)))
    .flatMap(({ value }) => (isObject(value) ? idFields(value, noun).map(({ id }) => id) : []));

/** The id of the record that an answer shows; undefined where it shows none. */
export function idIn(json: unknown, noun: string): string | undefined {
  const record = recordIn(json, noun);
  return record && idsOf(record, noun)[0];
}

/** The id of the record that an answer shows in a field that is called its id; undefined where it shows none. */
export function namedIdIn(json: unknown, noun: string): string | undefined {
  const record = recordIn(json, noun);
  return record && namedIdsOf(record, noun)[0];
}
