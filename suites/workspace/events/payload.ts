import { scalarText, walk } from '../../../common/json.ts';
import type { EventKind } from '../../../contract/events.ts';
import { eventsIn } from '../../../webhooks/events/read.ts';
import type { Delivery } from '../../../webhooks/signature/delivery.ts';
import { escaped, standsIn, wordsPattern } from '../../reading/own-words.ts';

/** By what a payload may name a record of the run's. */
interface NamedRecord {
  readonly id: string;
  /** What the answer to its create calls its ids: events may use any of them. */
  readonly aliases?: readonly string[];
  readonly tag: string;
}

/** Whether nothing in a delivery can be read. */
export const isUnreadable = (delivery: Delivery): boolean => !eventsIn(delivery).some(({ isReadable }) => isReadable);

/** Whether a delivery is about a record; `kind`: whether it brings an event of that kind about it. */
export const isAbout = (delivery: Delivery, record: NamedRecord, kind?: EventKind): boolean =>
  eventsIn(delivery).some((one) => (kind ?? one.kind) === one.kind && namesRecord(one.payload, record));

/** Whether a delivery brings an event of that kind. */
export const brings = (delivery: Delivery, kind: EventKind): boolean =>
  eventsIn(delivery).some((one) => one.kind === kind);

/** The names of the events that a delivery brings. */
export const eventNames = (delivery: Delivery): string[] => eventsIn(delivery).map(({ name }) => name ?? 'no event');

/** Fields in which a number is an id, and those in which it is surely the id of the record that the event is about. */
const idName = /id$|^(booking|resource|object|ref)/i;
const recordIdName = /^(id|uid|pk|booking|resource|object|ref)/i;

/** Whether a payload contains an id of the record, as a value or in a path, or the record's words. */
function namesRecord(payload: unknown, { id, aliases = [], tag }: NamedRecord): boolean {
  const ids = [id, ...aliases];
  const words = wordsPattern(tag);
  if (typeof payload === 'string') {
    return words.test(payload) || ids.some((one) => one.length >= 8 && standsIn(payload, one));
  }
  const paths = ids.map((one) => new RegExp(`/${escaped(one)}(?![\\w-])`));
  return walk(payload).some(({ value, name }) => {
    const text = scalarText(value) ?? '';
    if (typeof value === 'number') {
      return (text === id && idName.test(name)) || (aliases.includes(text) && recordIdName.test(name));
    }
    return words.test(text) || ids.some((one) => value === one) || paths.some((path) => path.test(text));
  });
}

/** The types of a payload's fields by JSON pointer; of lists those of the first member. */
export function fieldTypes(payload: unknown): Record<string, string> {
  const typeName = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);
  const fields = walk(payload)
    .filter(({ pointer }) => !/\/[1-9]\d*(\/|$)/.test(pointer))
    .slice(0, 300);
  return Object.fromEntries(
    fields.map(({ pointer, value }) => [pointer.replace(/\/0(?=\/|$)/g, '/*'), typeName(value)] as const).sort(),
  );
}
