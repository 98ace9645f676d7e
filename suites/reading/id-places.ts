import { type Found, isScalar, type JsonObject, pointerNames, scalarText, walk } from '../../common/json.ts';
import { isOtherKind } from './id-fields.ts';
import { placeOfRecord } from './record.ts';

/** Whether a value is an id, or a path that ends with it. */
export function holdsId(value: unknown, id: string): boolean {
  const text = scalarText(value);
  return text === id || (text?.endsWith(`/${id}`) ?? false);
}

/** Whether an id is anywhere in a document. */
export const showsId = (json: unknown, id: string): boolean => walk(json).some(({ value }) => holdsId(value, id));

/** The names of the fields in which a document shows an id. */
export function namesOfId(json: unknown, id: string): readonly string[] {
  const found = walk(json).filter(({ name, value }) => holdsId(value, id) && !isPlaceInList(name));
  return [...new Set(found.map(({ name }) => name))];
}

const isPlaceInList = (name: string): boolean => /^\d+$/.test(name);

/** A text or number in a document. */
export interface Leaf {
  /** The name of its field. */
  readonly name: string;
  /**
   * Its pointer within the record, without what the record is called and without places in lists: `agent_id` of an
   * agent and `booking_id` of a booking have the same. What is beside the record has its pointer in the document.
   */
  readonly place: string;
  readonly text: string;
}

/** Most texts and numbers that are read of one document, so that a hostile one takes no longer than its size. */
const mostLeaves = 2_000;

/**
 * The texts and numbers in a document that shows a record, in its order. `without`: JSON pointers, with `*` for places
 * in lists, of the objects that are left out.
 */
export function leavesOf(json: unknown, noun: string, without: readonly string[] = []): Leaf[] {
  const record = placeOfRecord(json, noun)?.pointer ?? '';
  const within = (pointer: string): string =>
    pointer.startsWith(`${record}/`) ? pointer.slice(record.length) : `beside ${pointer}`;
  return walk(json)
    .filter((found): found is Found & { value: string | number } => isScalar(found.value))
    .filter(({ pointer }) => !without.some((object) => isWithin(pointer, object)))
    .slice(0, mostLeaves)
    .map(({ name, pointer, value }) => ({ name, place: placeWithoutNoun(within(pointer), noun), text: String(value) }));
}

const isWithin = (pointer: string, object: string): boolean =>
  pointer.replace(/\/\d+(?=\/)/g, '/*').startsWith(`${object}/`);

const placeWithoutNoun = (pointer: string, noun: string): string =>
  pointer
    .toLowerCase()
    .split('/')
    .map((name) => (isPlaceInList(name) ? '*' : name.replace(noun, '')))
    .join('/');

/** No id is longer: a pattern that looks ahead takes long on long texts. */
const longestId = 128;

/** The name of a time, and a number that may be one: seconds or milliseconds since 1970. */
const timeName = /(_at|At|_on|date|time|stamp|created|updated|modified)$/;
const mayBeTime = (name: string, value: unknown): boolean =>
  typeof value === 'number' && timeName.test(name) && value > 1e9 && value < 1e13;

/**
 * Values of a record that look like ids, in fields of any name but not in records of other kinds: numbers, and words of
 * no language; no times.
 */
export const textsLikeIds = (record: JsonObject, noun: string): string[] =>
  walk(record).flatMap(({ name, pointer, value }) =>
    isScalar(value) &&
    looksLikeId(String(value)) &&
    !mayBeTime(name, value) &&
    !pointerNames(pointer).some((one) => isOtherKind(one, noun))
      ? [String(value)]
      : [],
  );

/**
 * Whether a text is in one piece, and has digits, or small letters and capitals: a date is no id, nor is a path. A URI
 * of another scheme than http, such as `gid://app/Key/7`, may be one.
 */
const looksLikeId = (text: string): boolean =>
  text.length <= longestId &&
  /^(?=.*\d|.*[a-z].*[A-Z]|.*[A-Z].*[a-z])(?:(?!https?:)[a-z][a-z\d+.-]*:\/\/\S+|[^\s/]+)$/.test(text) &&
  !/^\d{4}-\d\d-\d\d/.test(text);
