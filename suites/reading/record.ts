import { at, escapeToken, isObject, isScalar, type JsonObject, scalarText, walk } from '../../common/json.ts';
import { switchesOften } from '../../common/redaction/key-like.ts';
import { decoded } from '../../common/uri.ts';
import { snakeCase } from '../../common/words.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';
import { mentions } from './own-words.ts';

// --- Which values of an object may be its id: in fields that are called so, and at the end of a link to itself

/** A field of a record that holds an id. */
interface IdField {
  readonly id: string;
  readonly name: string;
}

/** Twilio says sid, Asana gid. */
const idName = /^[@_$]?(id|uid|uuid|guid|sid|gid)$/;
/** A record's link to itself: HAL, JSON:API, Hydra, OData, AIP, Google Ads, Calendly, Django REST framework. */
const linkName = /^(@id|@odata\.id|self|href|uri|url)$|(^|_)name$/;
const selfLinks = ['/_links/self/href', '/links/self/href', '/links/self'] as const;
/** Most fields of one object that are read: no record has more. */
const mostFields = 200;
/** The longest link that is read. */
const longestLink = 2_048;

/** `agent`, `lead`: the records of the workspace API refer to each other. */
const kinds = [...new Set(workspaceEndpoints.map(({ path }) => path.split('/')[2]?.replace(/s$/, '') ?? ''))];
const idOfKind = new RegExp(`^(${kinds.join('|')})_?(id|uid|uuid|guid)$`);
/** Names that mean an id of the record in some products: Amadeus's reference, and `subscription_id`. */
const otherNames = /(^|_)(id|uid|uuid|guid|sid|gid|ref|reference|identifier|handle|code)$/;

/** Whether a field of that name may hold its record's id, and not one of another kind: the user can say so (BODIES). */
export const mayHoldId = (name: string): boolean => otherNames.test(snake(name)) && !idOfKind.test(snake(name));

const snake = (name: string): string => (/[A-Z-]/.test(name) ? snakeCase(name).replaceAll('-', '_') : name);

/** How documents name and link the records of one kind. */
const patternsFor = (noun: string) => ({
  // Names of the field with the record's id: the document says API key. `created_by_key_id` is the id of another key.
  idName: new RegExp(`^(?:api_?)?${noun}_?(id|uid|uuid|guid)$`),
  // The end of a record's link to itself: `/v1/agents/7`, `agents('7')`.
  link: new RegExp(`(?<![^/])(?:api[_-]?)?${noun}s(?:/|\\('?)([^/?#'()\\s]+)'?\\)?/?$`, 'i'),
});

/** An id as text. MongoDB writes one as an object: {"$oid": "…"}. */
function textOf(value: unknown): string | undefined {
  const [only, ...others] = isObject(value) ? Object.values(value) : [value];
  return isScalar(only) && only !== '' && others.length === 0 ? String(only) : undefined;
}

/**
 * The ids in a record's own fields, likeliest first: `id`, `agent_id`, a link. The noun (`key`, `agent`) keeps out the
 * ids of other kinds.
 */
function idFields(record: JsonObject, noun: string): IdField[] {
  const patterns = patternsFor(noun);
  const idInLink = (text: string): string | undefined =>
    text.length > longestLink ? undefined : patterns.link.exec(text)?.[1];
  const fields = Object.entries(record).slice(0, mostFields);
  const own = fields.flatMap(([name, value]): IdField[] => {
    const plain = snake(name);
    const text = textOf(value);
    const isId = idName.test(plain) || patterns.idName.test(plain);
    // The URL of a webhook is its receiver's.
    const isLink = isId || (linkName.test(plain) && !(plain === 'url' && noun === 'webhook'));
    const linked = isLink ? idInLink(text ?? '') : undefined;
    if (linked !== undefined) {
      return [{ id: decoded(linked), name }];
    }
    return isId && text !== undefined ? [{ id: text, name }] : [];
  });
  const links = selfLinks.flatMap((pointer) => idInLink(scalarText(at(record, pointer)) ?? '') ?? []).map(decoded);
  const linked = links.slice(0, 1).map((id) => ({ id, name: 'self' }));
  const all = [...linked, ...own];
  return all.filter(({ id }, index) => all.findIndex((one) => one.id === id) === index);
}

/** Whether an id is anywhere in a document, or at the end of a path. */
export const showsId = (json: unknown, id: string): boolean =>
  walk(json).some(({ value }) => scalarText(value) === id || scalarText(value)?.endsWith(`/${id}`));

// --- Which object of an answer is the record

/** What stands beside a record and is no part of it, as the cursor beside Relay's node. */
const beside =
  /^(meta|links|_links|pagination|paging|page_info|cursor|error|errors|request|embedded|_embedded|included)$/i;

const wrappers = ['data', 'result', 'record', 'item', 'payload', 'response'];

/** The record that an answer shows, and where. */
interface PlacedRecord {
  readonly pointer: string;
  readonly value: JsonObject;
}

/** The record that an answer shows, out of whatever wraps it: `{agent: {…}}`, `{data: {…}}`, bare. */
export const recordIn = (json: unknown, noun: string): JsonObject | undefined => placeOfRecord(json, noun)?.value;

/** The same, with its place: the innermost of what only wraps the next. */
function placeOfRecord(json: unknown, noun: string): PlacedRecord | undefined {
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
 * What an object wraps: the record under its own name, under a usual one, or alone. An object with an id of its own is
 * a record, unless the one inside is as large and has one, too: then the first id is the request's.
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

// --- Which ids an answer shows

/** A row of a list, and what it wraps: its fields or, as Relay's edges and Zendesk Sell's items, the record. */
export function partsOf(row: JsonObject, noun: string): readonly JsonObject[] {
  const named = row[noun] ?? row.attributes ?? row.fields ?? row.properties;
  const inner = named ?? (hasNamedId(row, noun) ? undefined : recordIn(row, noun));
  return isObject(inner) && inner !== row ? [row, inner] : [row];
}

/** What a row shows in the fields of a name, in any case, with its noun before it or not: `status`, `lead_status`. */
export function valuesNamed(row: JsonObject, noun: string, name: string): readonly unknown[] {
  const pattern = new RegExp(`^(${noun}_?)?(${name})$`, 'i');
  const fields = partsOf(row, noun).flatMap(Object.entries);
  return fields.flatMap(([one, value]) => (pattern.test(one) ? [value] : []));
}

/** The ids of a record, or of a row of a list, likeliest first: in its own fields, or in those of what it wraps. */
export const idsOf = (record: JsonObject, noun: string): readonly string[] => [
  ...new Set(partsOf(record, noun).flatMap((part) => idFields(part, noun).map(({ id }) => id))),
];

/** The id of the record that an answer shows; undefined where it shows none. */
export const idIn = (json: unknown, noun: string): string | undefined => idsOf(recordIn(json, noun) ?? {}, noun)[0];

/** An id that a document shows, and that may be the record's. */
export interface ShownId {
  readonly id: string;
  /** A JSON pointer with `*` for places in lists: the same in all documents of the kind. */
  readonly place: string;
  /** It stands under a name of the deployment's own: what has it may be a part of the record. */
  readonly isInPart?: true;
}

/**
 * The ids that a document may show of the record in it, likeliest first. What only looks like the record, and lacks its
 * words although the document has them, is a part of it. Where a document without them and without an id has one object
 * with both, that may be the record, such as Sanctum's `accessToken` beside `plainTextToken`.
 */
export function shownIds(json: unknown, noun: string, tag: string): readonly ShownId[] {
  const record = placeOfRecord(json, noun);
  const isPart = record !== undefined && !mentions(record.value, tag) && mentions(json, tag);
  const { value, pointer } = isPart || record === undefined ? { value: json, pointer: '' } : record;
  const placeOf = (name: string): string => `${pointer}/${name}`.replace(/\/\d+(?=\/)/g, '/*');
  if (!isObject(value)) {
    return [];
  }
  const own = idFields(value, noun).map(({ id, name }) => ({ id, place: placeOf(name) }));
  const worded = Object.entries(value).filter(([, one]) => mentions(one, tag));
  const [[wrapper = '', only] = [], ...others] = worded;
  return own.length > 0 || !isObject(only) || others.length > 0
    ? own
    : idFields(only, noun).map(({ id, name }) => ({ id, place: placeOf(`${wrapper}/${name}`), isInPart: true }));
}

/** Its characters do not check each other: a changed one is well-formed. */
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** The end of digests, and of ids that databases give. */
const hex = /^(?=.*[a-f].*[a-f])(?=.*\d.*\d)[0-9a-f]{24,}$/i;

/** A ULID, or the end of a TypeID: 26 characters of Crockford's base32, which has no i, l, o and u, for 128 bits. */
const ulid = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/i;

/**
 * Whether an id is so long and so mixed that nobody can guess it, and a made-up id like it is unused. Numbers, words
 * and dates can be guessed, alone or one behind the other, in base64 or not.
 */
export function isUnguessable(id: string): boolean {
  const text = /^[\w+/-]+={0,2}$/.test(id) ? Buffer.from(id, 'base64').toString('latin1') : '';
  // Such as `gid://shop/Booking/1234567`; up to three bytes at its end may have been altered.
  if (/^[\x20-\x7e]{9,}[\s\S]{0,3}$/.test(text)) {
    return isUnguessable(text);
  }
  const last = /[A-Za-z0-9]*$/.exec(id)?.[0] ?? '';
  // URL-safe base64 has hyphens and underscores anywhere.
  return (
    uuid.test(id) ||
    hex.test(last) ||
    ulid.test(last) ||
    switchesOften(last, 16) ||
    switchesOften(id.replace(/[_-]/g, ''), 18, 0.4)
  );
}
