import { escapeToken, isObject, type JsonObject } from '../../common/json.ts';
import { idFields } from './id-fields.ts';
import { mentions, standsIn } from './own-words.ts';
import { placeOfRecord, recordIn } from './record.ts';
import { isUnguessable } from './unguessable.ts';

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
export function idsOf(record: JsonObject, noun: string): readonly string[] {
  const named = namedIdsOf(record, noun);
  return [...new Set(named.length > 0 ? named : idFields(record, noun).map(({ id }) => id))];
}

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

/** An id that a document shows, and that may be the record's. */
export interface ShownId {
  readonly id: string;
  /** A JSON pointer with `*` for places in lists: the same in all documents of the kind. Empty: there is nothing else. */
  readonly place: string;
  /** Whether it is surely an id of the record. */
  readonly isNamed: boolean;
}

/** Whether a text that comes alone can be an id: it is in one piece, and no word, since messages are. */
const isIdAlone = (text: string): boolean => /^[^\s/]{1,128}$/.test(text) && (/\d/.test(text) || isUnguessable(text));

/**
 * The ids that a document may show of the record in it, likeliest first. What only looks like the record, and lacks its
 * words although the document has them, is a part of it.
 */
export function shownIds(json: unknown, noun: string, tag: string): ShownId[] {
  if ((typeof json === 'string' && isIdAlone(json)) || typeof json === 'number') {
    return [{ id: String(json), place: '', isNamed: true }];
  }
  const record = placeOfRecord(json, noun);
  const isPart = record !== undefined && !mentions(record.value, tag) && mentions(json, tag);
  const { value, pointer } = isPart || record === undefined ? { value: json, pointer: '' } : record;
  const shown = idsWithin(value, pointer, noun, tag);
  const all = [...shown.filter(({ isNamed }) => isNamed), ...shown.filter(({ isNamed }) => !isNamed)];
  return all.filter(({ id }, index) => all.findIndex((one) => one.id === id) === index);
}

/** The ids of an object or, where it has neither ids nor words of its own, of the object in it that has the words. */
function idsWithin(object: unknown, pointer: string, noun: string, tag: string): readonly ShownId[] {
  if (!isObject(object)) {
    return [];
  }
  const placeOf = (name: string): string => `${pointer}/${name}`.replace(/\/\d+(?=\/)/g, '/*');
  const ids = idFields(object, noun).map(({ id, name, isNamed }) => ({ id, place: placeOf(name), isNamed }));
  const isWorded = Object.values(object).some((held) => typeof held === 'string' && standsIn(held, tag));
  const [inner, part] = Object.entries(object).find(([, held]) => isObject(held) && mentions(held, tag)) ?? [];
  return ids.length > 0 || isWorded || inner === undefined
    ? ids
    : idsWithin(part, `${pointer}/${escapeToken(inner)}`, noun, tag);
}
