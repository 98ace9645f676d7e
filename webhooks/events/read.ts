import { walk } from '../../common/json.ts';
import type { EventKind } from '../../contract/events.ts';
import type { Delivery } from '../signature/delivery.ts';
import { queryOf } from '../signature/tokens.ts';
import { type Body, readBody } from './body.ts';
import { kindsInText, namedBy } from './names.ts';
import { type Mention, type Scope, type ScopeList, scopeOf } from './scopes.ts';

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

/**
 * The events of a delivery in their order: one, several of a batch, or a single reading that says that there is none.
 * Throws nothing; takes linear time.
 */
export function eventsIn(delivery: Pick<Delivery, 'url' | 'headers' | 'body'>): readonly EventReading[] {
  const body = readBody(delivery);
  const outside = outsideBody(delivery, body);
  if (body.kind === 'text') {
    return eventsInText(body.text, outside);
  }
  const scope = scopeOf(body.kind === 'document' ? body.value : undefined);
  const found = eventsOfScope({ ...scope, mentions: [...scope.mentions, ...outside] });
  if (found.length > 0) {
    return found.map(eventOf);
  }
  const [only, ...others] = inProse(scope.value);
  return only === undefined || others.length > 0 ? [{ found: 'nothing', payload: scope.value }] : [eventOf(only)];
}

/**
 * The event that headers, query or path name, unless the text names a documented one and they do not; else those of the
 * text.
 */
function eventsInText(text: string, outside: readonly Mention[]): readonly EventReading[] {
  const inText = kindsInText(text).map((kind) => eventOf({ kind, name: kind, place: 'text', payload: text }));
  const named = surest(outside);
  const events = named === undefined || (named.kind === null && inText.length > 0) ? inText : [eventOf(named)];
  return events.length > 0 ? events : [{ found: 'unreadable', text }];
}

/** The documented names in prose within a document, as in a message to a chat. */
const inProse = (payload: unknown): Omit<Mention, 'confidence' | 'depth'>[] =>
  [
    ...new Set(
      walk(payload).flatMap(({ value }) =>
        typeof value === 'string' && isProse.test(value.trim()) ? kindsInText(value) : [],
      ),
    ),
  ].map((kind) => ({ kind, name: kind, place: 'text', payload }));

/** A text of several words, or with the marks of a chat message: `**booking.created**`. */
const isProse = /\s|[*`~<]/;

const eventOf = ({ kind, name, place, payload }: Omit<Mention, 'confidence' | 'depth'>): EventReading => ({
  found: 'event',
  kind,
  name,
  place,
  payload,
});

const general =
  /^(content-.*|accept.*|user-agent|host|connection|authorization|cookie|date|via|forwarded|x-forwarded-.*)$/i;

/** The events that headers, query and path name. */
function outsideBody({ url, headers }: Pick<Delivery, 'url' | 'headers'>, body: Body): Mention[] {
  const query = queryOf(url);
  const named = [
    ...headers
      .filter(([name]) => !general.test(name))
      .map(([name, text]) => ({ named: namedBy(name.replaceAll('-', '_'), text, false), place: `header ${name}` })),
    ...query.map(([name, text]) => ({ named: namedBy(name, text, false), place: `query ${name}` })),
    ...(url.split('?')[0] ?? '')
      .split('/')
      .map((segment) => ({ named: namedBy('type', segment, false), place: 'path' }))
      .filter((one) => (one.named?.confidence ?? 0) >= 3),
  ];
  const payload = payloadOf(body) ?? Object.fromEntries(query);
  return named.flatMap(({ named: one, place }) => (one === undefined ? [] : [{ ...one, place, depth: 1, payload }]));
}

function payloadOf(body: Body): unknown {
  if (body.kind === 'document') {
    return body.value;
  }
  return body.kind === 'text' ? body.text : undefined;
}

/** The mention with the highest confidence; among equals the shallowest, then the first. */
const surest = (mentions: readonly Mention[]): Mention | undefined =>
  mentions.toSorted((a, b) => b.confidence - a.confidence || a.depth - b.depth)[0];

/** Names of lists that are batches of events. The empty name is that of a list which is the whole document. */
const batchName =
  /^(events?|items?|data|messages?|batch|deliver(y|ies)|notifications?|records?|entr(y|ies)|changes?|payloads?|results?|values?|list|webhooks?)?$/i;

/** The events of a scope: itself, or the events in its lists if it names none or is an envelope around a batch. */
function eventsOfScope(scope: Scope): readonly Mention[] {
  const own = surest(scope.mentions);
  const keyed = keyedOf(scope);
  if (keyed.some(({ confidence }) => confidence > (own?.confidence ?? 0))) {
    return keyed;
  }
  const batches = eventsAmong(
    scope.lists.filter(isBatch).flatMap(({ items }) => items.flatMap(eventsOfScope)),
    scope,
  );
  if (own === undefined) {
    return batches.length > 0
      ? batches
      : scope.lists.filter(allNamed).flatMap(({ items }) => items.flatMap(eventsOfScope));
  }
  const speaksForList = own.kind === null || !own.place.startsWith('/');
  return speaksForList && batches.some(({ kind }) => kind !== null) ? batches : [own];
}

/**
 * The events among the members of a batch. If some are documented kinds, a member with another name at another place is
 * only a part of an event. If only one of several members is an event, the whole scope is its payload.
 */
function eventsAmong(members: readonly Mention[], { value }: Scope): readonly Mention[] {
  const places = new Set(members.flatMap(({ kind, place }) => (kind === null ? [] : [place])));
  const events = members.filter(
    ({ kind, place, confidence }) => places.size === 0 || kind !== null || confidence > 2 || places.has(place),
  );
  const [only, ...others] = events;
  return only === undefined || others.length > 0 || members.length === 1 ? events : [{ ...only, payload: value }];
}

const isBatch = ({ name, depth }: ScopeList): boolean => depth <= 2 && batchName.test(name);

const allNamed = ({ items }: ScopeList): boolean =>
  items.length > 0 && items.every(({ mentions }) => mentions.some(({ depth }) => depth === 1));

/** The events that are named by field names, at the shallowest level. */
function keyedOf({ keyed }: Scope): readonly Mention[] {
  const depth = Math.min(...keyed.map((one) => one.depth));
  return keyed.filter((one) => one.depth === depth && depth <= 2);
}
