import { type Found, findLists, isObject, parseJson, walk } from '../../common/json.ts';
import { type EventKind, eventKinds } from '../../contract/events.ts';
import { bounds, type Delivery, plainBody } from '../signature/delivery.ts';
import { parseBody } from '../signature/tokens.ts';

/** What was read from a delivery: an event, or that it names none. */
type EventReading = ReturnType<typeof eventOf>;

/**
 * `kind`: null if it names none, or none that is documented. `place`: that of the name, a JSON pointer with `*` for an
 * index, `header …` or `text`. `payload`: the part that belongs to the event, with documents in strings unpacked, or the
 * text of a body. `isReadable`: whether the body is a document, or names its event at least.
 */
const eventOf = (
  kind: EventKind | null,
  name: string | null,
  place: string | null,
  payload: unknown,
  isReadable = true,
) => ({ kind, name, place, payload, isReadable });

/**
 * The events of a delivery in their order: one, several of a batch, or a single reading that says that there is none.
 * A documented kind counts wherever it stands; any other name only where events are named. Throws nothing.
 */
export function eventsIn(delivery: Pick<Delivery, 'url' | 'headers' | 'body'>): readonly EventReading[] {
  const { document, text } = readBody(delivery);
  const inside = eventsOf(document, '');
  const outside = eventInHeaders(delivery.headers, document ?? text);
  const isDocumented = ({ kind }: EventReading): boolean => kind !== null;
  const likeliest = [
    inside.some(isDocumented) ? inside : [],
    outside.filter(isDocumented),
    kindsInText([delivery.url, text ?? '']).map((kind) => eventOf(kind, kind, 'text', document ?? text)),
    outside,
    inside,
  ].find((events) => events.length > 0);
  return likeliest ?? [eventOf(null, null, null, document ?? text, text === undefined)];
}

/** A delivery's body: JSON, a form or a JWT as a document, anything else as a text. */
function readBody(delivery: Pick<Delivery, 'body' | 'headers'>): { document?: object; text?: string } {
  const body = plainBody(delivery);
  const text = body.toString('utf8').replace(/^\ufeff/, '');
  const document = unpacked(parseBody({ ...delivery, body }) ?? text);
  return typeof document === 'object' && document !== null ? { document } : text === '' ? {} : { text };
}

/** The document in a text: JSON, the claims of a JWT, or base64 of JSON, as Google Pub/Sub wraps it. */
function documentIn(text: string): object | undefined {
  const [, first = '', claims] = /^\s*(ey[\w+/-]{6,}={0,2})(?:\.([\w-]*)\.[\w-]*)?\s*$/.exec(text) ?? [];
  const json = first === '' ? text : Buffer.from(claims ?? first, 'base64').toString('utf8');
  const value = /^\s*[{[]/.test(json.slice(0, 64)) ? parseJson(json, bounds.parsedValues) : undefined;
  return typeof value === 'object' && value !== null ? value : undefined;
}

/** A copy in which strings that are documents, as Amazon SNS sends them, are replaced by these. */
function unpacked(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    return documentIn(value) ?? value;
  }
  if (typeof value !== 'object' || value === null || depth > 32) {
    return value;
  }
  const inner = Object.entries(value).map(([name, each]) => [name, unpacked(each, depth + 1)] as const);
  return Array.isArray(value) ? inner.map(([, each]) => each) : Object.fromEntries(inner);
}

/** The documented kind that a text is, by itself or after its sender's namespace: `com.acme.booking.created`. */
const kindOf = (text: string): EventKind | null =>
  eventKinds.find((kind) => text === kind || (text.endsWith(kind) && namespace.test(text.slice(0, -kind.length)))) ??
  null;

const namespace = /^([A-Za-z][\w-]*[.:/]+){2,}$/;

/** The documented kinds that occur as words in any of the texts. */
const kindsInText = (texts: readonly string[]): EventKind[] =>
  eventKinds.filter((kind) => {
    const word = new RegExp(`(?<![\\w.-])${kind.replace('.', String.raw`\.`)}(?![\\w-]|\\.\\w)`);
    return texts.some((text) => word.test(text));
  });

/** Fields and headers that hold an event's name, whatever it is. */
const eventName = /(^|-)(event|topic|event[_-]?(type|name|topic|kind))$/i;

/**
 * The name in a field or header called so; undefined if it holds none. A `type` is one beside the event's object, or as
 * a name of two words.
 */
function undocumentedName(field: string, value: unknown, isEnvelope: boolean): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  const isTyped = /^(ce-|_)?type$/i.test(field) && (isEnvelope || /^[A-Za-z]\w*[.:/][A-Za-z][\w.:/-]*$/.test(text));
  return text !== '' && text.length <= 100 && (eventName.test(field) || isTyped) ? text : undefined;
}

const mostItems = 500;

/** The documented kind that a field holds, is called, as in `{"booking.created": {…}}`, or has in two fields. */
const kindAt = ({ name, value }: Found): EventKind | null =>
  typeof value === 'string'
    ? kindOf(value.trim())
    : typeof value === 'object' && value !== null
      ? (kindOf(name) ?? kindOfTwo(value))
      : null;

/**
 * The documented kind that two fields of an object make up, as GoCardless's `{"resource_type": "booking", "action":
 * "created"}`. The status of a record, as in Stripe's `{"object": "booking", "status": "cancelled"}`, names no event.
 */
function kindOfTwo(value: object): EventKind | null {
  const fields = Object.entries(value).filter(([name]) => !/^\d+$|stat(e|us)$/i.test(name));
  const words = new Set(fields.map(([, each]) => each));
  return eventKinds.find((kind) => kind.split('.').every((word) => words.has(word))) ?? null;
}

/** The events of a document: its own, else those of the objects in its lists, else its own under another name. */
function eventsOf(value: unknown, at: string): EventReading[] {
  if (Array.isArray(value)) {
    const items = value.flat().slice(0, mostItems);
    return items.flatMap((item) => (isObject(item) ? eventsOf(item, `${at}/*`) : []));
  }
  if (!isObject(value)) {
    return [];
  }
  for (const found of walk(value)) {
    const kind = found.isInList || /^\d+$/.test(found.name) ? null : kindAt(found);
    if (kind !== null) {
      return [eventOf(kind, kind, `${at}${found.pointer || '/*'}`, value)];
    }
  }
  const batch = findLists(value).flatMap(({ pointer, rows }) => eventsOf(rows, `${at}${pointer}`));
  const isEnvelope = Object.values(value).some((each) => typeof each === 'object' && each !== null);
  const own = Object.entries(value).flatMap(([field, each]): EventReading[] => {
    const name = undocumentedName(field, each, isEnvelope);
    return name === undefined ? [] : [eventOf(null, name, `${at}/${field}`, value)];
  });
  if (batch.some(({ kind }) => kind !== null)) {
    return batch.length === 1 && own.length === 0 ? batch.map((only) => ({ ...only, payload: value })) : batch;
  }
  return own.length > 0 ? own.slice(0, 1) : batch;
}

/** The event that a header names: a documented one, if there is any. */
const eventInHeaders = (headers: Delivery['headers'], payload: unknown): EventReading[] =>
  headers
    .flatMap(([header, value]): EventReading[] => {
      const kind = kindOf(value.trim());
      const name = kind ?? undocumentedName(header, value, true);
      return name === undefined ? [] : [eventOf(kind, name, `header ${header}`, payload)];
    })
    .sort((one, other) => Number(one.kind === null) - Number(other.kind === null))
    .slice(0, 1);
