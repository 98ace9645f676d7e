import { at, escapeToken, isObject, type JsonObject, parentOf, walk } from '../../../common/json.ts';
import { isOfOther, ownIds } from './own-ids.ts';
import { whole } from './own-words.ts';
import { isUnguessable } from './unguessable.ts';

/** Objects beside a record that are not it. */
const beside = /^(meta|links|_links|pagination|paging|page_info|error|errors|request|embedded|_embedded|included)$/i;

const wrappers = ['data', 'result', 'record', 'item', 'payload', 'response', 'attributes'];

const namesIn = (pointer: string): string[] => pointer.split('/').slice(1);

const isBeside = (pointer: string): boolean => namesIn(pointer).some((name) => beside.test(name));

/** An object, and where it stands. */
interface Placed {
  readonly pointer: string;
  readonly value: JsonObject;
}

/** The record that an answer shows, out of whatever it is wrapped in: `{agent: {…}}`, `{data: {…}}`, bare. */
export const recordIn = (json: unknown, noun: string): JsonObject | undefined => placeOfRecord(json, noun)?.value;

function placeOfRecord(json: unknown, noun: string): Placed | undefined {
  if (Array.isArray(json) && json.length === 1) {
    const only = placeOfRecord(json[0], noun);
    return only && { ...only, pointer: `/0${only.pointer}` };
  }
  const held = heldById(json, noun);
  if (held !== undefined) {
    return held;
  }
  const objects = walk(json).flatMap(({ pointer, name, value, depth }) =>
    isObject(value) && !isBeside(pointer) && !namesIn(pointer).some((one) => /^\d+$/.test(one))
      ? [{ pointer, name: name.toLowerCase(), value, depth }]
      : [],
  );
  const [root] = objects;
  // One of the same name that stands deeper, under another name, is what the record refers to.
  const named = objects.find(
    ({ name, pointer }) =>
      name === noun &&
      (namesIn(pointer)
        .slice(0, -1)
        .every((one) => wrappers.includes(one.toLowerCase())) ||
        isFramed(json, pointer)),
  );
  const wrapped =
    objects.find(({ name, depth }) => depth <= 2 && wrappers.includes(name)) ??
    objects.findLast(
      ({ pointer }) =>
        pointer !== '' && isFramed(json, pointer) && !namesIn(pointer).some((one) => isOfOther(one, noun)),
    );
  const isBare = root !== undefined && isIdentified(root.value, noun) && !wrapsRecord(root.value);
  return isBare && !isLesser(root.value, named?.value) ? root : (named ?? (isBare ? root : (wrapped ?? root)));
}

/** Whether an answer is but a frame of what stands there: nothing else but what stands beside records is around it. */
const isFramed = (json: unknown, pointer: string): boolean =>
  around(pointer).every((outer) => {
    const holder = at(json, outer);
    return isObject(holder) && Object.keys(holder).filter((name) => !beside.test(name)).length === 1;
  });

/** The only record of a map by id: `{"agents": {"agt_7": {…}}}`. */
function heldById(json: unknown, noun: string): (Placed & { readonly key: string }) | undefined {
  const [name, ...others] = isObject(json) ? Object.keys(json).filter((key) => !beside.test(key)) : [];
  const map = name === `${noun}s` && others.length === 0 ? at(json, `/${name}`) : undefined;
  const [key, ...more] = isObject(map) ? Object.keys(map) : [];
  const value = key === undefined || more.length > 0 ? undefined : (map as JsonObject)[key];
  return key !== undefined && isObject(value) ? { pointer: `/${name}/${escapeToken(key)}`, value, key } : undefined;
}

/** The name under which a map holds its only record, where it looks like an id. */
function keyOfHeld(json: unknown, noun: string): ReturnType<typeof idsAt> {
  const held = heldById(json, noun);
  return held !== undefined && isIdAlone(held.key)
    ? [{ id: held.key, place: parentOf(held.pointer), isOwn: true, rank: 0 }]
    : [];
}

/** Whether an object is but the frame of the other: it shows little besides. */
const isLesser = (root: JsonObject, named: JsonObject | undefined): boolean =>
  named !== undefined && Object.keys(named).length >= Object.keys(root).length;

/** A root that has an id field and a wrapper too: the id is the request's, the record is in the wrapper. */
const wrapsRecord = (root: JsonObject): boolean =>
  wrappers.some((name) => {
    const inner = root[name];
    return name !== 'attributes' && isObject(inner) && Object.keys(inner).length > 1 && isIdentified(inner, '');
  });

const isIdentified = (record: JsonObject, noun: string): boolean => sureIds(record, noun).length > 0;

const sureIds = (record: JsonObject, noun: string): string[] =>
  ownIds(record, noun).flatMap(({ id, rank }) => (rank === 0 ? [id] : []));

/** An id that an answer shows, and may be the record's. */
export interface ShownId {
  readonly id: string;
  /** Where it stands: a JSON pointer, the same in every answer of the kind. */
  readonly place: string;
  /** It stands at the record, or in what is wrapped around it; otherwise it may be that of something it refers to. */
  readonly isOwn: boolean;
  /** Its field is called an id, or is a link to the record; otherwise it may be that of a request. */
  readonly isSure: boolean;
}

/** Words as people and programs write them: `ok`, `CREATED`, `bookingCreated`, `created_at`. A capital by itself is none. */
const isWorded = (text: string): boolean =>
  /^[A-Za-z]+(?:[_-][A-Za-z]+)*$/.test(text) && !/(?<![A-Z])[A-Z](?![A-Za-z])/.test(text);

/** One word that is no word of a language: what is told is none. */
const isIdAlone = (text: string): boolean =>
  /^[^\s/]{1,128}$/.test(text) &&
  (/\d/.test(text) || isUnguessable(text) || (/^[\w-]+$/.test(text) && !isWorded(text)));

/**
 * The ids that an answer may show of a record, likeliest first: those of the object in which its words stand and of what is
 * wrapped around it, then those of what stands within or beside it. `ownPlaces`: pointers to what stands in the record alone; where
 * no id stands around its words, one beside these is its own. An answer of one word that nobody says is the id.
 */
export function shownIds(json: unknown, noun: string, tag: string, ownPlaces: readonly string[] = []): ShownId[] {
  if ((typeof json === 'string' && isIdAlone(json)) || typeof json === 'number') {
    return [{ id: String(json), place: '', isOwn: true, isSure: true }];
  }
  const record = placeOfRecord(json, noun);
  const all = walk(json);
  const pattern = whole(tag);
  const worded = all.filter(({ value }) => typeof value === 'string' && pattern.test(value));
  const words = worded.find(({ pointer }) => !isBeside(pointer)) ?? worded[0];
  const chain = words === undefined ? around(`${record?.pointer ?? ''}/`) : around(words.pointer);
  const isPreferred = (pointer: string): boolean => pointer === record?.pointer;
  const ordered = [...chain.filter(isPreferred), ...chain.filter((pointer) => !isPreferred(pointer))];
  const others = all
    .filter(({ pointer, value }) => isObject(value) && !chain.includes(pointer) && !isBeside(pointer))
    .flatMap(({ pointer }) => (namesIn(pointer).some((name) => isOfOther(name, noun)) ? [] : pointer));
  const ofWords = ordered.flatMap((pointer) => idsAt(json, pointer, noun, true));
  const own = ofWords.length > 0 ? ofWords : ownPlaces.flatMap((place) => idsAt(json, parentOf(place), noun, true));
  const sure = own.filter(({ rank }) => rank === 0);
  const within = others.flatMap((pointer) => idsAt(json, pointer, noun, false)).filter(({ rank }) => rank === 0);
  // What merely ends in an id beside the words may belong to others as well as what is called one inside.
  const likely = sure.length > 0 ? [...sure, ...within] : alternating(own, within);
  const shown = [...keyOfHeld(json, noun), ...likely];
  return shown
    .filter(({ id }, index) => shown.findIndex((one) => one.id === id) === index)
    .map(({ rank, ...id }) => ({ ...id, isSure: rank === 0 }));
}

const alternating = <T>(some: readonly T[], others: readonly T[]): T[] =>
  [...some, ...others].flatMap((_, index) => [some[index] ?? [], others[index] ?? []].flat() as T[]);

/** The objects around a value, the nearest first, as pointers. */
function around(pointer: string): string[] {
  const names = namesIn(pointer);
  return names.map((_, index) => `/${names.slice(0, names.length - 1 - index).join('/')}`.replace(/^\/$/, ''));
}

function idsAt(
  json: unknown,
  pointer: string,
  noun: string,
  isOwn: boolean,
): (Omit<ShownId, 'isSure'> & { rank: 0 | 1 })[] {
  const object = at(json, pointer);
  const place = (name: string): string => `${pointer}/${name}`.replace(/\/\d+(?=\/)/g, '/*');
  return isObject(object)
    ? ownIds(object, noun).map(({ id, name, rank }) => ({ id, place: place(name), isOwn, rank }))
    : [];
}

/** The ids of a record in fields that are surely called one: its own, or those of what it is wrapped around. */
export function sureIdsOf(record: JsonObject, noun: string): string[] {
  const inner = record[noun] ?? record.attributes;
  return [...sureIds(record, noun), ...(isObject(inner) ? sureIds(inner, noun) : [])];
}

/** The ids that a record, or a row of a list, shows of itself, likeliest first: where no field is surely called one, all that may be it. */
export function idsOf(record: JsonObject, noun: string): string[] {
  const sure = sureIdsOf(record, noun);
  const likely = sure.length > 0 ? sure : ownIds(record, noun).map(({ id }) => id);
  return likely.length > 0 ? [...new Set(likely)] : innerIds(record, noun).slice(0, 1);
}

/** Ids within a record, of nothing that it refers to. */
const innerIds = (record: JsonObject, noun: string): string[] =>
  walk(record)
    .filter(({ pointer }) => !namesIn(pointer).some((name) => isOfOther(name, noun)))
    .flatMap(({ value }) => (isObject(value) ? ownIds(value, noun).map(({ id }) => id) : []));

/** The id of the record that an answer shows; undefined where it shows none. */
export function idIn(json: unknown, noun: string): string | undefined {
  const record = recordIn(json, noun);
  return record && idsOf(record, noun)[0];
}

/** The id in a field of the record that is surely called one; undefined where there is none. */
export function sureIdIn(json: unknown, noun: string): string | undefined {
  const record = recordIn(json, noun);
  return record && sureIdsOf(record, noun)[0];
}
