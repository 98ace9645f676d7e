import { escapeToken, isObject, type JsonObject } from '../../common/json.ts';
import { idFields } from './id-fields.ts';

/** Objects beside a record that are no part of it. */
const beside = /^(meta|links|_links|pagination|paging|page_info|error|errors|request|embedded|_embedded|included)$/i;

const wrappers = ['data', 'result', 'record', 'item', 'payload', 'response'];

/** The record that an answer shows, and where. */
interface PlacedRecord {
  readonly pointer: string;
  readonly value: JsonObject;
}

/** The record that an answer shows, out of whatever wraps it: `{agent: {…}}`, `{data: {…}}`, bare. */
export const recordIn = (json: unknown, noun: string): JsonObject | undefined => placeOfRecord(json, noun)?.value;

/** The same, with its place: the innermost of what only wraps the next. */
export function placeOfRecord(json: unknown, noun: string): PlacedRecord | undefined {
  // PostgREST answers with a list of one.
  if (Array.isArray(json) && json.length === 1) {
    const only = placeOfRecord(json[0], noun);
    return only && { ...only, pointer: `/0${only.pointer}` };
  }
  if (!isObject(json)) {
    return undefined;
  }
  const inner = wrappedIn(json, noun);
  const wrapped = inner && placeOfRecord(inner.value, noun);
  return wrapped === undefined
    ? { pointer: '', value: json }
    : { value: wrapped.value, pointer: `/${escapeToken(inner?.name ?? '')}${wrapped.pointer}` };
}

/**
 * What an object wraps: the record under its own name, under a usual one, or alone. An object with an id of its own is a
 * record, unless the one inside is as large and has one, too: then the first id is the request's.
 */
function wrappedIn(outer: JsonObject, noun: string): { readonly name: string; readonly value: JsonObject } | undefined {
  const fields = Object.entries(outer).filter(([name]) => !beside.test(name));
  const inner =
    fields.find(([name, value]) => name.toLowerCase() === noun && isObject(value)) ??
    fields.find(([name, value]) => wrappers.includes(name.toLowerCase()) && isObject(value)) ??
    (fields.length === 1 ? fields[0] : undefined);
  const [name = '', value] = inner ?? [];
  const isPart =
    isObject(value) &&
    hasNamedId(outer, noun) &&
    !(hasNamedId(value, noun) && Object.keys(value).length >= Object.keys(outer).length);
  return isObject(value) && !isPart ? { name, value } : undefined;
}

const hasNamedId = (record: JsonObject, noun: string): boolean => idFields(record, noun).length > 0;
