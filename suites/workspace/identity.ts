import { type Found, findId, isObject, type JsonObject, walk } from '../../common/json.ts';
import type { Kind } from '../../fixtures/workspace-bodies.ts';
import { nounOf } from './endpoints.ts';

/** Objects beside a record that are not it. */
const beside = /^(meta|links|_links|pagination|paging|page_info|error|errors|request|embedded|_embedded|included)$/i;
const wrappers = ['data', 'result', 'record', 'item', 'payload', 'response', 'attributes'];

/** The record that an answer shows, out of whatever it is wrapped in: `{agent: {…}}`, `{data: {…}}`, bare. */
export function recordIn(json: unknown, kind: Kind): JsonObject | undefined {
  const objects = walk(json).filter(
    (found): found is Found & { value: JsonObject } =>
      isObject(found.value) && !found.pointer.split('/').some((name) => beside.test(name) || /^\d+$/.test(name)),
  );
  const noun = nounOf(kind);
  const named = objects.find(({ name }) => name.toLowerCase() === noun);
  const wrapped = objects.find(({ name, depth }) => depth <= 2 && wrappers.includes(name.toLowerCase()));
  const [root] = objects;
  const chosen =
    named ?? (root && ownId(root.value, noun) !== undefined && !hasNested(root.value) ? root : (wrapped ?? root));
  return chosen?.value;
}

/** A root that has an id field and a wrapper too: the id is the request's, the record is in the wrapper. */
const hasNested = (root: JsonObject): boolean =>
  wrappers.some(
    (name) => isObject(root[name]) && Object.keys(root[name]).length > 1 && ownId(root[name], '') !== undefined,
  );

const ownId = (record: JsonObject, noun: string): string | undefined => {
  const shallow = Object.fromEntries(Object.entries(record).filter(([, value]) => typeof value !== 'object'));
  const found = findId(shallow, noun);
  return found !== undefined && isOwn(found.pointer.slice(1), noun) ? found.id : undefined;
};

const isOwn = (name: string, noun: string): boolean =>
  /^_?(id|uid|uuid|guid)$/i.test(name) || name.toLowerCase().startsWith(noun);

/** The id of the record that an answer shows; undefined where it shows none. */
export function idIn(json: unknown, kind: Kind): string | undefined {
  const record = recordIn(json, kind);
  return record === undefined ? undefined : (ownId(record, nounOf(kind)) ?? findId(record, nounOf(kind))?.id);
}

/** Whether a row of a list is the record of that id or, where the row shows no id, of those words. */
export function isRecord(
  row: JsonObject,
  kind: Kind,
  { id, tag }: { readonly id: string | undefined; readonly tag: string },
): boolean {
  const shown = ownId(row, nounOf(kind)) ?? findId(row, nounOf(kind))?.id;
  return shown === undefined || id === undefined ? mentions(row, tag) : shown === id;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether the words stand whole in the text: `run-1` does not stand in `run-12`. */
export const standsIn = (text: string, words: string): boolean =>
  new RegExp(`(?<![A-Za-z0-9])${escaped(words)}(?![A-Za-z0-9])`, 'i').test(text);

/** Whether a string somewhere in the document holds the words. */
export const mentions = (root: unknown, words: string): boolean =>
  walk(root).some(({ value }) => typeof value === 'string' && standsIn(value, words));

/**
 * An id shaped like a real one of the deployment's that it does not know. Counted ids get far ahead of the newest; none
 * where the id is too short for its neighbour to be surely nobody's.
 */
export function unknownLike(id: string): string[] {
  const [, prefix = '', counter] = /^([A-Za-z]*[_-]?)(\d{1,12})$/.exec(id) ?? [];
  if (counter !== undefined) {
    return [`${prefix}${Number(counter) + 900_000}`];
  }
  return id.replace(/[^0-9A-Za-z]/g, '').length >= 6 ? [altered(id)] : [];
}

/** The last four characters replaced by others of their kind. */
export function altered(text: string, characters = 4): string {
  const hex = /^[0-9a-f-]+$/i.test(text);
  const turn = (one: string): string => {
    const wheel = [
      '0123456789',
      hex ? 'abcdef' : 'abcdefghjkmnpqrstvwxyz',
      hex ? 'ABCDEF' : 'ABCDEFGHJKMNPQRSTVWXYZ',
    ].find((letters) => letters.includes(one));
    return wheel === undefined ? one : wheel.charAt((wheel.indexOf(one) + 3) % wheel.length);
  };
  return text.slice(0, -characters) + text.slice(-characters).replace(/[0-9A-Za-z]/g, turn);
}
