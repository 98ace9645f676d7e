import { escapeToken, isObject, type JsonObject, walk } from '../../common/json.ts';
import type { EventKind } from '../../contract/events.ts';
import type { Delivery } from '../signature/delivery.ts';
import { queryOf } from '../signature/tokens.ts';
import { readBody } from './body.ts';
import { kindOf, kindsInText, nameIn, nameOfTwo } from './names.ts';

/** What was read from a delivery: an event, that it names none, or that it cannot be read. */
export type EventReading =
  | {
      readonly found: 'event';
      /** null if the name is not a documented one. */
      readonly kind: EventKind | null;
      readonly name: string;
      /** The place of the name: a JSON pointer with `*` for an index, `header …`, `query …`, `path` or `text`. */
      readonly place: string;
      /** The part of the payload that belongs to the event, with documents in strings unpacked. */
      readonly payload: unknown;
    }
  | { readonly found: 'nothing'; readonly payload: unknown }
  | { readonly found: 'unreadable'; readonly text: string };

type Event = Extract<EventReading, { found: 'event' }>;

/**
 * The events of a delivery in their order: one, several of a batch, or a single reading that says that there is none.
 * A documented kind counts wherever it stands; any other name only where events are named. Throws nothing.
 */
export function eventsIn(delivery: Pick<Delivery, 'url' | 'headers' | 'body'>): readonly EventReading[] {
  const body = readBody(delivery);
  const payload = body.kind === 'document' ? body.value : undefined;
  const inside = body.kind === 'document' ? eventsOf(payload, '', 0) : [];
  const text = body.kind === 'text' ? body.text : undefined;
  const outside = eventOutside(delivery, payload ?? text ?? Object.fromEntries(queryOf(delivery.url)));
  const inText = kindsInText(text ?? '').map((kind) => eventOf(kind, kind, 'text', text));
  const likeliest = [
    inside.some(({ kind }) => kind !== null) ? inside : [],
    outside !== undefined && outside.kind !== null ? [outside] : [],
    inText,
    onlyInProse(payload),
    outside === undefined ? [] : [outside],
    inside,
  ].find((events) => events.length > 0);
  if (likeliest !== undefined) {
    return likeliest;
  }
  return text === undefined ? [{ found: 'nothing', payload }] : [{ found: 'unreadable', text }];
}

const eventOf = (kind: EventKind | null, name: string, place: string, payload: unknown): Event => ({
  found: 'event',
  kind,
  name,
  place,
  payload,
});

/** How deep lists in lists are read, and how many items of each. */
const [deepest, mostItems] = [4, 500];

/** The events of a document: its own, else those of the objects in its lists, else its own under another name. */
function eventsOf(value: unknown, at: string, depth: number): Event[] {
  if (depth > deepest) {
    return [];
  }
  if (Array.isArray(value)) {
    return eventsInList(value, `${at}/*`, depth);
  }
  if (!isObject(value)) {
    const kind = typeof value === 'string' ? kindOf(value) : null;
    return kind === null ? [] : [eventOf(kind, kind, at, value)];
  }
  const keyed = eventsByKey(value, at);
  const own = keyed.length > 0 ? keyed : ownEvent(value, value, at, 0);
  if (own.some(({ kind }) => kind !== null)) {
    return own;
  }
  const batches = listsIn(value, at, 0).flatMap(([list, place]) => eventsInList(list, place, depth));
  const [only, ...others] = batches;
  const isPart = others.length === 0 && own.length === 0 && only?.kind !== null;
  return only === undefined || (own.length > 0 && batches.every(({ kind }) => kind === null))
    ? own
    : isPart
      ? [{ ...only, payload: value }]
      : batches;
}

const eventsInList = (list: readonly unknown[], place: string, depth: number): Event[] =>
  list
    .flat()
    .slice(0, mostItems)
    .filter(isObject)
    .flatMap((item) => eventsOf(item, place, depth + 1));

/** The lists of objects in an object, and in the objects in it. */
const listsIn = (value: JsonObject, at: string, depth: number): [readonly unknown[], string][] =>
  Object.entries(value).flatMap(([name, child]): [readonly unknown[], string][] => {
    const place = `${at}/${escapeToken(name)}`;
    if (Array.isArray(child)) {
      return [[child, `${place}/*`]];
    }
    return isObject(child) && depth < 2 ? listsIn(child, place, depth + 1) : [];
  });

/** Events that are named by a field's name, as in `{"booking.created": {…}}`, here or one level below. */
function eventsByKey(value: JsonObject, at: string): Event[] {
  const holders = [
    [value, at] as const,
    ...Object.entries(value).flatMap(([name, child]) =>
      isObject(child) ? [[child, `${at}/${escapeToken(name)}`] as const] : [],
    ),
  ];
  const holder = holders.find(([fields]) =>
    Object.entries(fields).some(([name, child]) => kindOf(name) !== null && typeof child === 'object'),
  );
  return Object.entries(holder?.[0] ?? {}).flatMap(([name, child]) => {
    const payloads = Array.isArray(child) && child.length > 0 ? child : [child];
    return typeof child === 'object' && /^[\w-]+\.[\w.-]+$/.test(name)
      ? payloads.map((payload) => eventOf(kindOf(name), name, `${holder?.[1]}/${escapeToken(name)}`, payload))
      : [];
  });
}

/** The event that a field of an object names, shallow fields first. Lists have events of their own. */
function ownEvent(value: JsonObject, payload: unknown, at: string, depth: number): Event[] {
  const fields = Object.entries(value);
  const isEnvelope = fields.some(([, child]) => typeof child === 'object' && child !== null);
  const named = fields.flatMap(([name, child]) => {
    const found = typeof child === 'string' ? nameIn(name, child, isEnvelope, depth === 0) : undefined;
    return found === undefined ? [] : [eventOf(found.kind, found.name, `${at}/${escapeToken(name)}`, payload)];
  });
  const documented = named.find(({ kind }) => kind !== null);
  const two = nameOfTwo(value);
  if (documented !== undefined || two !== null) {
    return [documented ?? eventOf(two, two ?? '', `${at}/*`, payload)];
  }
  const below = fields.flatMap(([name, child]) =>
    isObject(child) && depth < deepest
      ? ownEvent(child, payload, `${at}/${escapeToken(name)}`, depth + (fields.length === 1 ? 0 : 1))
      : [],
  );
  const best = below.find(({ kind }) => kind !== null) ?? named[0] ?? below[0];
  return best === undefined ? [] : [best];
}

const general =
  /^(content-.*|accept.*|user-agent|host|connection|authorization|cookie|date|via|forwarded|x-forwarded-.*)$/i;

/** The event that a header, the query or the path names. */
function eventOutside({ url, headers }: Pick<Delivery, 'url' | 'headers'>, payload: unknown): Event | undefined {
  const named = [
    ...headers
      .filter(([name]) => !general.test(name))
      .map(([name, text]) => ({
        found: nameIn(name.replace(/^.*-(?=event|topic|type)/i, ''), text, false, true),
        place: `header ${name}`,
      })),
    ...queryOf(url).map(([name, text]) => ({ found: nameIn(name, text, false, true), place: `query ${name}` })),
    ...(url.split('?')[0] ?? '').split('/').map((text) => ({ found: nameIn('', text, false, true), place: 'path' })),
  ].flatMap(({ found, place }) => (found === undefined ? [] : [eventOf(found.kind, found.name, place, payload)]));
  return named.find(({ kind }) => kind !== null) ?? named[0];
}

/** A documented name in a sentence of a document, as in a message to a chat, if there is only one. */
function onlyInProse(payload: unknown): Event[] {
  const texts = walk(payload).flatMap(({ value }) =>
    typeof value === 'string' && /[\s*`~<]/.test(value) ? [value] : [],
  );
  const [only, ...others] = new Set(texts.flatMap(kindsInText));
  return only === undefined || others.length > 0 ? [] : [eventOf(only, only, 'text', payload)];
}
