import { scalarText, walk } from '../../../common/json.ts';
import type { EventKind } from '../../../contract/events.ts';
import { type EventReading, eventsIn } from '../../../webhooks/events/read.ts';
import type { Delivery } from '../../../webhooks/signature/delivery.ts';
import { escaped, standsIn } from '../../reading/own-words.ts';

/** By what a payload may name a record of the run's. */
interface NamedRecord {
  readonly id: string;
  /** What the answer to its create calls its ids: events may use any of them. */
  readonly aliases?: readonly string[];
  readonly tag: string;
}

/** An event that a delivery names. */
type NamedEvent = Extract<EventReading, { found: 'event' }>;

/** The events that a delivery names. */
export const namedEvents = (delivery: Delivery): readonly NamedEvent[] =>
  eventsIn(delivery).filter((reading) => reading.found === 'event');

/** Whether nothing in a delivery can be read. */
export const isUnreadable = (delivery: Delivery): boolean =>
  eventsIn(delivery).every(({ found }) => found === 'unreadable');

const payloadOf = (reading: EventReading): unknown => ('text' in reading ? reading.text : reading.payload);

/** Whether a delivery is about the record. */
export const isAbout = (delivery: Delivery, record: NamedRecord): boolean =>
  eventsIn(delivery).some((reading) => namesRecord(payloadOf(reading), record));

/** Whether a delivery brings an event of that kind about the record. */
export const announces = (delivery: Delivery, kind: EventKind, record: NamedRecord): boolean =>
  namedEvents(delivery).some((event) => event.kind === kind && namesRecord(event.payload, record));

/** The names of the events that a delivery brings. */
export const eventNames = (delivery: Delivery): string[] => {
  const names = namedEvents(delivery).map(({ name }) => name);
  return names.length === 0 ? ['no event'] : names;
};

/** Fields in which a number is an id, and those in which it is surely the id of the record that the event is about. */
const idName = /id$|^(booking|resource|object|ref)/i;
const recordIdName = /^(id|uid|pk|booking|resource|object|ref)/i;

/** Whether a payload contains an id of the record, as a value or in a path, or the record's words. */
function namesRecord(payload: unknown, { id, aliases = [], tag }: NamedRecord): boolean {
  const ids = [id, ...aliases];
  if (typeof payload === 'string') {
    return standsIn(payload, tag) || ids.some((one) => one.length >= 8 && standsIn(payload, one));
  }
  return walk(payload).some(({ value, name }) => {
    const text = scalarText(value) ?? '';
    if (typeof value === 'number') {
      return (text === id && idName.test(name)) || (aliases.includes(text) && recordIdName.test(name));
    }
    const isInPath = (one: string): boolean => new RegExp(`/${escaped(one)}(?![\\w-])`).test(text);
    return standsIn(text, tag) || ids.some((one) => value === one || isInPath(one));
  });
}

/** The shape of a payload: by JSON pointer the type of each field, of lists that of the first member. */
export function shapeOf(payload: unknown): Record<string, string> {
  const typeName = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);
  const fields = walk(payload)
    .filter(({ pointer }) => !/\/[1-9]\d*(\/|$)/.test(pointer))
    .slice(0, 300);
  return Object.fromEntries(
    fields.map(({ pointer, value }) => [pointer.replace(/\/0(?=\/|$)/g, '/*'), typeName(value)] as const).sort(),
  );
}
