import { decompress } from '../../../common/decompress.ts';
import { isObject, walk } from '../../../common/json.ts';
import { type EventKind, eventKinds } from '../../../contract/events.ts';
import { type Delivery, headerValues } from '../../../webhooks/signature/delivery.ts';
import { escaped, standsIn } from '../../session/record.ts';

const mostBytes = 4 * 1024 * 1024;

/** The text of a delivery's body, unpacked; empty where it cannot be. */
export function textOf(delivery: Delivery): string {
  try {
    return decompress(delivery.body, headerValues(delivery, 'content-encoding').join(', ') || null, mostBytes).toString(
      'utf8',
    );
  } catch {
    return '';
  }
}

/** The payload: JSON, or JSON in a field of a form; undefined where there is none. */
export function payloadOf(delivery: Delivery): unknown {
  const text = textOf(delivery);
  const form = headerValues(delivery, 'content-type').some((type) => /x-www-form-urlencoded/i.test(type));
  return unwrapped(
    parse(
      form
        ? (new URLSearchParams(text).get('payload') ?? JSON.stringify(Object.fromEntries(new URLSearchParams(text))))
        : text,
    ),
  );
}

/** An envelope may carry the payload as JSON in a string, as message services do: it is read in its place. */
function unwrapped(payload: unknown): unknown {
  if (!isObject(payload)) {
    return payload;
  }
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]) => {
      // Anything else is no JSON to unpack, and costs an exception each.
      const inner = typeof value === 'string' && /^\s*[{[]/.test(value) ? parse(value) : undefined;
      return [name, typeof inner === 'object' && inner !== null ? inner : value];
    }),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether a delivery tells of the record: its id, or the words that stand in it alone, in a value of the payload. */
export function tellsOf(delivery: Delivery, { id, tag }: { readonly id: string; readonly tag: string }): boolean {
  const payload = payloadOf(delivery);
  if (payload === undefined) {
    return standsIn(decoded(textOf(delivery)), tag) || (id.length >= 8 && standsIn(textOf(delivery), id));
  }
  return walk(payload).some(({ value, name }) => {
    if (typeof value === 'number') {
      return String(value) === id && /id$|^(booking|resource|object|ref)/i.test(name);
    }
    const text = String(value);
    return value === id || standsIn(text, tag) || new RegExp(`/${escaped(id)}(?![\\w-])`).test(text);
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** What a delivery names as its event: one of the documented kinds, another name in an event's place, or none. */
export interface EventName {
  readonly kind: EventKind | null;
  /** The name as it stands there; null where nothing names an event. */
  readonly name: string | null;
  /** JSON pointer or header. */
  readonly place: string | null;
}

const placeName = /(^|[_-])(event|topic|type|kind|action|trigger|subject|name)(type|name|kind)?$/i;
const camelName = /(event|Event|topic|Topic)(Type|Name|Kind)?$/;
/** Where a name stands that does not look like an event's. */
const plainName = /^(type|event|event_?type|event_?name|topic)$/i;
/** Words joined by dots and the like, as event names are. */
const eventLooks = /^[A-Za-z]+([._:/-][A-Za-z_]+)+$/;
const isKind = (text: string): text is EventKind => (eventKinds as readonly string[]).includes(text);

/** Looks in the fields of the body and in the headers; values in lists name no event (a webhook's own selection is one). */
export function eventOf(delivery: Delivery): EventName {
  const fields = walk(payloadOf(delivery))
    .filter(({ name, value }) => typeof value === 'string' && value.length <= 100 && !/^\d+$/.test(name))
    .map(({ pointer, name, value }) => ({ place: pointer, name, value: String(value) }));
  const headers = delivery.headers
    .filter(([name]) => !/^(content-type|accept|user-agent|host|connection)$/i.test(name))
    .map(([name, value]) => ({ place: `header ${name}`, name, value: value.trim() }));
  const all = [...fields, ...headers];
  const inPlace = all.filter(({ name }) => placeName.test(name) || camelName.test(name));
  const found =
    inPlace.find(({ value }) => isKind(value)) ??
    inPlace.find(({ value }) => eventLooks.test(value)) ??
    all.find(({ value }) => isKind(value)) ??
    fields.find(({ name, place, value }) => plainName.test(name) && place.split('/').length === 2 && value !== '');
  if (found === undefined) {
    return { kind: null, name: null, place: null };
  }
  return {
    kind: isKind(found.value) ? found.value : null,
    name: found.value,
    place: found.place.replace(/\/\d+(?=\/)/g, '/*'),
  };
}

/** The shape of a payload: the type of every field, lists by their first item, keyed by JSON pointer. */
export function shapeOf(payload: unknown): Record<string, string> {
  const fields = walk(payload)
    .filter(({ pointer }) => !/\/[1-9]\d*(\/|$)/.test(pointer))
    .slice(0, 300);
  return Object.fromEntries(
    fields.map(({ pointer, value }) => [pointer.replace(/\/0(?=\/|$)/g, '/*'), typeName(value)] as const).sort(),
  );
}

const typeName = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : isObject(value) ? 'object' : typeof value;
