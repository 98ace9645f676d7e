import { escapeToken, isObject, type JsonObject, pointerNames, walk } from '../../common/json.ts';
import { idFields, isOtherKind } from './id-fields.ts';

/** Objects beside a record that are no part of it. */
const beside = /^(meta|links|_links|pagination|paging|page_info|error|errors|request|embedded|_embedded|included)$/i;

const wrappers = ['data', 'result', 'record', 'item', 'payload', 'response', 'attributes'];

/** Whether something is in an object beside the record, such as `meta`. */
export const isBeside = (pointer: string): boolean => pointerNames(pointer).some((name) => beside.test(name));

/** The objects around a value, the nearest first, as pointers. */
export function around(pointer: string): string[] {
  const names = pointer.split('/').slice(1);
  return names.map((_, index) => `/${names.slice(0, names.length - 1 - index).join('/')}`.replace(/^\/$/, ''));
}

/** The record that an answer shows, and where. */
interface PlacedRecord {
  readonly pointer: string;
  readonly value: JsonObject;
}

/** The record that an answer shows, out of whatever wraps it: `{agent: {…}}`, `{data: {…}}`, bare. */
export const recordIn = (json: unknown, noun: string): JsonObject | undefined => placeOfRecord(json, noun)?.value;

/** The same, with its place. */
export function placeOfRecord(json: unknown, noun: string): PlacedRecord | undefined {
  // PostgREST answers with a list of one.
  if (Array.isArray(json) && json.length === 1) {
    const only = placeOfRecord(json[0], noun);
    return only && { ...only, pointer: `/0${only.pointer}` };
  }
  const objects = walk(json).flatMap(({ pointer, name, value, depth }) =>
    isObject(value) && !isBeside(pointer) && !pointerNames(pointer).some((one) => /^\d+$/.test(one))
      ? [{ pointer, name: name.toLowerCase(), value, depth }]
      : [],
  );
  const [root] = objects;
  const framed = framedIn(json);
  // An object of the same name that is deeper, under another name, is a record that this one refers to.
  const isWrapped = (pointer: string): boolean =>
    pointerNames(pointer)
      .slice(0, -1)
      .every((name) => wrappers.includes(name.toLowerCase()));
  const named = objects.find(({ name, pointer }) => name === noun && (isWrapped(pointer) || framed.has(pointer)));
  const wrapped =
    objects.find(({ name, depth }) => depth <= 2 && wrappers.includes(name)) ??
    objects.findLast(
      ({ pointer }) =>
        pointer !== '' && framed.has(pointer) && !pointerNames(pointer).some((name) => isOtherKind(name, noun)),
    );
  const isBare = root !== undefined && hasNamedId(root.value, noun) && !wrapsRecord(root.value);
  return isBare && !isFrameOf(root.value, named?.value) ? root : (named ?? (isBare ? root : (wrapped ?? root)));
}

const hasNamedId = (record: JsonObject, noun: string): boolean => idFields(record, noun).some(({ isNamed }) => isNamed);

/** The pointers of what an answer only frames: around each of them is nothing but what is beside records. */
function framedIn(json: unknown): ReadonlySet<string> {
  const framed = new Set(['']);
  let [pointer, value] = ['', json];
  while (isObject(value)) {
    const [name, ...others] = Object.keys(value).filter((one) => !beside.test(one));
    if (name === undefined || others.length > 0) {
      break;
    }
    pointer = `${pointer}/${escapeToken(name)}`;
    value = value[name];
    framed.add(pointer);
  }
  return framed;
}

/** Whether a root is only the frame of the record inside: it shows few fields besides. */
const isFrameOf = (root: JsonObject, named: JsonObject | undefined): boolean =>
  named !== undefined && Object.keys(named).length >= Object.keys(root).length;

/**
 * Whether a root with an id holds a wrapper with an id too: the first id is the request's, and the record is in the
 * wrapper.
 */
const wrapsRecord = (root: JsonObject): boolean =>
  wrappers.some((name) => {
    const inner = root[name];
    return name !== 'attributes' && isObject(inner) && Object.keys(inner).length > 1 && hasNamedId(inner, '');
  });
