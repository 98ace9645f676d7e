import { escapeToken, isObject, type JsonObject } from '../../common/json.ts';
import { idFields } from './id-fields.ts';
import { mentions, standsIn } from './own-words.ts';
import { placeOfRecord, recordIn } from './record.ts';
import { isUnguessable } from './unguessable.ts';

/** The ids of a record, or of a row of a list, likeliest first: in its own fields, or in those of the object that it wraps. */
export function idsOf(record: JsonObject, noun: string): readonly string[] {
  const inner = record[noun] ?? record.attributes;
  const shown = [record, inner].flatMap((one) => (isObject(one) ? idFields(one, noun) : []));
  return [...new Set(shown.map(({ id }) => id))];
}

/** The id of the record that an answer shows; undefined where it shows none. */
export function idIn(json: unknown, noun: string): string | undefined {
  const record = recordIn(json, noun);
  return record && idsOf(record, noun)[0];
}

/** An id that a document shows, and that may be the record's. */
export interface ShownId {
  readonly id: string;
  /** A JSON pointer with `*` for places in lists: the same in all documents of the kind. Empty: there is nothing else. */
  readonly place: string;
}

/** Whether a text that comes alone can be an id: it is in one piece, and no word, since messages are. */
const isIdAlone = (text: string): boolean => /^[^\s/]{1,128}$/.test(text) && (/\d/.test(text) || isUnguessable(text));

/**
 * The ids that a document may show of the record in it, likeliest first. What only looks like the record, and lacks its
 * words although the document has them, is a part of it.
 */
export function shownIds(json: unknown, noun: string, tag: string): readonly ShownId[] {
  if ((typeof json === 'string' && isIdAlone(json)) || typeof json === 'number') {
    return [{ id: String(json), place: '' }];
  }
  const record = placeOfRecord(json, noun);
  const isPart = record !== undefined && !mentions(record.value, tag) && mentions(json, tag);
  const { value, pointer } = isPart || record === undefined ? { value: json, pointer: '' } : record;
  return idsWithin(value, pointer, noun, tag);
}

/** The ids of an object or, where it has neither ids nor words of its own, of the object in it that has the words. */
function idsWithin(object: unknown, pointer: string, noun: string, tag: string): readonly ShownId[] {
  if (!isObject(object)) {
    return [];
  }
  const placeOf = (name: string): string => `${pointer}/${name}`.replace(/\/\d+(?=\/)/g, '/*');
  const ids = idFields(object, noun).map(({ id, name }) => ({ id, place: placeOf(name) }));
  const isWorded = Object.values(object).some((held) => typeof held === 'string' && standsIn(held, tag));
  const [inner, part] = Object.entries(object).find(([, held]) => isObject(held) && mentions(held, tag)) ?? [];
  return ids.length > 0 || isWorded || inner === undefined
    ? ids
    : idsWithin(part, `${pointer}/${escapeToken(inner)}`, noun, tag);
}
