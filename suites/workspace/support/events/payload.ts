import { isObject, walk } from '../../../../common/json.ts';
import type { EventKind } from '../../../../contract/events.ts';
import { type EventReading, eventsIn } from '../../../../webhooks/events/read.ts';
import type { Delivery } from '../../../../webhooks/signature/delivery.ts';
import { escaped, standsIn } from '../../../session/reading/own-words.ts';

/** What identifies a record of the run's in a payload. */
interface Named {
  readonly id: string;
  /** Others that its create or its row shows: paths and events may take either. */
  readonly otherIds?: readonly string[];
  readonly tag: string;
}

/** An event that a delivery names. */
type NamedEvent = Extract<EventReading, { found: 'event' }>;

export const namedEvents = (delivery: Delivery): readonly NamedEvent[] =>
  eventsIn(delivery).filter((reading) => reading.found === 'event');

/** Whether nobody can read what a delivery says. */
export const isUnreadable = (delivery: Delivery): boolean =>
  eventsIn(delivery).every(({ found }) => found === 'unreadable');

const partOf = (reading: EventReading): unknown => ('text' in reading ? reading.text : reading.payload);

/** Whether a delivery is about the record: a value of a payload is its id, or holds the words that stand in it alone. */
export const isAbout = (delivery: Delivery, record: Named): boolean =>
  eventsIn(delivery).some((reading) => tellsOf(partOf(reading), record));

/** Whether a delivery brings an event of that kind about the record. */
export const brings = (delivery: Delivery, kind: EventKind, record: Named): boolean =>
  namedEvents(delivery).some((event) => event.kind === kind && tellsOf(event.payload, record));

/** The names of the events that a delivery brings about a record. */
export const namesAbout = (delivery: Delivery, record: Named): string[] => {
  const readings = eventsIn(delivery).filter((reading) => tellsOf(partOf(reading), record));
  return readings.map((reading) => (reading.found === 'event' ? reading.name : 'no event'));
};

/** Fields in which a number is surely that of the record that an event is about; any may be that of its account, say. */
const [named, ofRecord] = [/id$|^(booking|resource|object|ref)/i, /^(id|uid|pk|booking|resource|object|ref)/i];

function tellsOf(payload: unknown, { id, otherIds = [], tag }: Named): boolean {
  const ids = [id, ...otherIds];
  if (typeof payload === 'string') {
    return standsIn(payload, tag) || ids.some((one) => one.length >= 8 && standsIn(payload, one));
  }
  return walk(payload).some(({ value, name }) => {
    const text = String(value);
    if (typeof value === 'number') {
      return (text === id && named.test(name)) || (otherIds.includes(text) && ofRecord.test(name));
    }
    const endsPath = (one: string): boolean => new RegExp(`/${escaped(one)}(?![\\w-])`).test(text);
    return standsIn(text, tag) || ids.some((one) => value === one || endsPath(one));
  });
}

/** The values of everything that a delivery says. */
export const valuesIn = (delivery: Delivery): unknown[] =>
  eventsIn(delivery).flatMap((reading) => walk(partOf(reading)).map(({ value }) => value));

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
