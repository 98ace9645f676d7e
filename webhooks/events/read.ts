import { walk } from '../../common/json.ts';
import type { EventKind } from '../../contract/events.ts';
import type { Delivery } from '../signature/delivery.ts';
import { queryOf } from '../signature/source.ts';
import { type Body, readBody } from './body.ts';
import { kindsInText, namedBy } from './names.ts';
import { type Mention, type Scope, type ScopeList, scopeOf } from './scopes.ts';

/** What one delivery says of events: an event, that it names none, or that nobody can read it. */
export type EventReading =
  | {
      readonly found: 'event';
      /** Null where the name is none of the documented ones. */
      readonly kind: EventKind | null;
      readonly name: string;
      /** JSON pointer with `*` for an index, `header …`, `query …`, `path` or `text`. */
      readonly place: string;
      /** The part of the payload that belongs to it, with text within text unpacked. */
      readonly payload: unknown;
    }
  | { readonly found: 'nothing'; readonly payload: unknown }
  | { readonly found: 'unreadable'; readonly text: string };

/**
 * The events of a delivery, in its order: one, several of a batch, or a single reading that says why there is none. Throws
 * nothing; takes linear time.
 */
export function eventsIn(delivery: Pick<Delivery, 'url' | 'headers' | 'body'>): readonly EventReading[] {
  const body = readBody(delivery);
  const around = aroundBody(delivery, body);
  if (body.kind === 'text') {
    const inText = kindsInText(body.text).map((kind) =>
      eventOf({ kind, name: kind, place: 'text', payload: body.text }),
    );
    const named = surest(around);
    const useful = named === undefined || (named.kind === null && inText.length > 0) ? inText : [eventOf(named)];
    return useful.length > 0 ? useful : [{ found: 'unreadable', text: body.text }];
  }
  const scope = scopeOf(body.kind === 'document' ? body.value : undefined);
  const found = eventsOfScope({ ...scope, mentions: [...scope.mentions, ...around] });
  const told = found.length > 0 ? [] : inProse(scope.value);
  return found.length > 0 || told.length === 1
    ? [...found, ...told].map(eventOf)
    : [{ found: 'nothing', payload: scope.value }];
}

/** The documented names that stand in texts of a document, as in a message to a chat. */
const inProse = (payload: unknown): Omit<Mention, 'confidence' | 'depth'>[] =>
  [
    ...new Set(
      walk(payload).flatMap(({ value }) =>
        typeof value === 'string' && /\s/.test(value.trim()) ? kindsInText(value) : [],
      ),
    ),
  ].map((kind) => ({ kind, name: kind, place: 'text', payload }));

const eventOf = ({ kind, name, place, payload }: Omit<Mention, 'confidence' | 'depth'>): EventReading => ({
  found: 'event',
  kind,
  name,
  place,
  payload,
});

const general =
  /^(content-.*|accept.*|user-agent|host|connection|authorization|cookie|date|via|forwarded|x-forwarded-.*)$/i;

/** What headers, query and path name. */
function aroundBody({ url, headers }: Pick<Delivery, 'url' | 'headers'>, body: Body): Mention[] {
  const payload = body.kind === 'document' ? body.value : body.kind === 'text' ? body.text : undefined;
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
  const ofQuery = Object.fromEntries(query);
  return named.flatMap(({ named: one, place }) =>
    one === undefined ? [] : [{ ...one, place, depth: 1, payload: payload ?? ofQuery }],
  );
}

/** The surest mention; of equals the shallowest, then the first. */
const surest = (mentions: readonly Mention[]): Mention | undefined =>
  mentions.toSorted((a, b) => b.confidence - a.confidence || a.depth - b.depth)[0];

/** Lists that hold a batch, by their names; a list that is the whole document is one too. */
const batchName =
  /^(events?|items?|data|messages?|batch|deliver(y|ies)|notifications?|records?|entr(y|ies)|changes?|payloads?|results?|values?|list|webhooks?)?$/i;

/** A scope is one event, or the events of its lists where it names none itself or is an envelope around a batch. */
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
 * The events among the members of a batch: beside documented ones, a member that names something of another kind, at another place, is
 * a part of the event. Of a single event the whole is the payload.
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

/** Events by their fields' names: the shallowest documented ones, and others beside them. */
function keyedOf({ keyed }: Scope): readonly Mention[] {
  const depth = Math.min(...keyed.map((one) => one.depth));
  return keyed.filter((one) => one.depth === depth && depth <= 2);
}
