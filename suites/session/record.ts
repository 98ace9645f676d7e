import { type Found, findId, findMainList, isObject, type JsonObject, walk } from '../../common/json.ts';

/** The words by which a record is found: its id, where it is known, and text that stands in it and in no other. */
export interface Identity {
  readonly id: string | undefined;
  readonly tag: string;
}

/** Objects beside a record that are not it. */
const beside = /^(meta|links|_links|pagination|paging|page_info|error|errors|request|embedded|_embedded|included)$/i;
const wrappers = ['data', 'result', 'record', 'item', 'payload', 'response', 'attributes'];

/** The record that an answer shows, out of whatever it is wrapped in: `{agent: {…}}`, `{data: {…}}`, bare. */
export function recordIn(json: unknown, noun: string): JsonObject | undefined {
  const objects = walk(json).filter(
    (found): found is Found & { value: JsonObject } =>
      isObject(found.value) && !found.pointer.split('/').some((name) => beside.test(name) || /^\d+$/.test(name)),
  );
  const [root] = objects;
  const named = objects.find(({ name }) => name.toLowerCase() === noun);
  const wrapped = objects.find(({ name, depth }) => depth <= 2 && wrappers.includes(name.toLowerCase()));
  const isBare = root !== undefined && ownId(root.value, noun) !== undefined && !wrapsRecord(root.value);
  return (named ?? (isBare ? root : (wrapped ?? root)))?.value;
}

/** A root that has an id field and a wrapper too: the id is the request's, the record is in the wrapper. */
const wrapsRecord = (root: JsonObject): boolean =>
  wrappers.some((name) => {
    const inner = root[name];
    return isObject(inner) && Object.keys(inner).length > 1 && ownId(inner, '') !== undefined;
  });

/** The id among the record's own fields, and not of something that it refers to. */
function ownId(record: JsonObject, noun: string): string | undefined {
  const plain = Object.fromEntries(Object.entries(record).filter(([, value]) => typeof value !== 'object'));
  const found = findId(plain, noun);
  return found !== undefined && isOwnName(found.pointer.slice(1), noun) ? found.id : undefined;
}

const isOwnName = (name: string, noun: string): boolean =>
  /^_?(id|uid|uuid|guid)$/i.test(name) || name.toLowerCase().startsWith(noun);

/** The id of the record that an answer shows; undefined where it shows none. */
export function idIn(json: unknown, noun: string): string | undefined {
  const record = recordIn(json, noun);
  return record === undefined ? undefined : idOf(record, noun);
}

/** The id of a record, whatever it is called. */
const idOf = (record: JsonObject, noun: string): string | undefined => ownId(record, noun) ?? findId(record, noun)?.id;

/** The rows of a list answer; undefined where no list can be found in it. */
export const rowsIn = (json: unknown, ...nouns: readonly string[]): readonly JsonObject[] | undefined =>
  findMainList(json, ...nouns)?.rows;

/** Whether a row of a list is the record of that id or, where the row shows no id, of those words. */
export function isRecord(row: JsonObject, noun: string, { id, tag }: Identity): boolean {
  const shown = idOf(row, noun);
  return shown === undefined || id === undefined ? mentions(row, tag) : shown === id;
}

/** The text as a pattern that means it literally. */
export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether the words stand whole in the text: `run-1` does not stand in `run-12`. */
export const standsIn = (text: string, words: string): boolean =>
  new RegExp(`(?<![A-Za-z0-9])${escaped(words)}(?![A-Za-z0-9])`, 'i').test(text);

/** Whether a string somewhere in the document holds the words. */
export const mentions = (root: unknown, words: string): boolean =>
  walk(root).some(({ value }) => typeof value === 'string' && standsIn(value, words));
