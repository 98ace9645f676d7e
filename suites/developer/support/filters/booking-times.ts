import { type JsonObject, scalarText, walk } from '../../../../common/json.ts';
import { instantOfUnix } from '../../../session/reading/dates.ts';

/** An instant that a booking shows. */
interface ShownInstant {
  /** The field, as a JSON pointer in the row. */
  readonly field: string;
  /** Epoch milliseconds. */
  readonly instant: number;
  /** Whether its zone is given: without one it may be some hours off. */
  readonly hasZone: boolean;
}

/** When bookings are, as far as they show it. In epoch milliseconds. */
export interface BookingTimes {
  /** Every instant that a booking shows and, where none shows its start, the bounds between which bookings begin. */
  readonly shown: readonly number[];
  /** When each booking begins, in the order of the rows, as its likeliest field says; undefined: none does. */
  readonly starts: readonly (number | undefined)[];
}

const startName = /start|begin|scheduled|slot|^time$|^date$|^at$|when/i;
const timeName = /_at$|At$|time|date|day|start|begin|end|slot|from|when|^at$/i;
/** Instants outside these bounds are no times of bookings, but birthdays, or days that stand for "never". */
const earliest = Date.UTC(2005, 0, 1);
const latest = Date.UTC(2150, 0, 1);

/** The instant of a value: in ISO 8601, or as a Unix time, in s or ms, in a field named for a time; NaN: none. */
function parsed(name: string, value: unknown): number {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d|$)/.test(value)) {
    return Date.parse(value);
  }
  if (typeof value === 'number' && timeName.test(name)) {
    return instantOfUnix(value);
  }
  return Number.NaN;
}

/** Every instant that a booking shows. */
export const instantsIn = (row: JsonObject): ShownInstant[] =>
  walk(row).flatMap(({ pointer, name, value }) => {
    const instant = parsed(name, value);
    const hasZone = typeof value === 'number' || /[Zz]$|[+-]\d\d:?\d\d$/.test((scalarText(value) ?? '').slice(11));
    return instant >= earliest && instant <= latest ? [{ field: pointer, instant, hasZone }] : [];
  });

const startsIn = (row: JsonObject): ShownInstant[] =>
  instantsIn(row).filter(({ field }) => startName.test(field.split('/').at(-1) ?? ''));

/** The instants at which bookings begin, where they show them with a zone; undefined: the booking shows none. */
export const startsOf = (rows: readonly JsonObject[]): (number | undefined)[] =>
  rows.map((row) => startsIn(row).find(({ hasZone }) => hasZone)?.instant);

/**
 * When bookings are. Where none shows its start, or not as a time that can be read, other instants do not say when it
 * is: it may have been made months before.
 */
export function timesOf(rows: readonly JsonObject[], now: number): BookingTimes {
  const bounds = rows.some((row) => startsIn(row).length > 0) ? [] : [firstOfAll, now + farthestAhead];
  return { shown: [...rows.flatMap(instantsIn).map(({ instant }) => instant), ...bounds], starts: startsOf(rows) };
}

/** No booking is older than the service. */
const firstOfAll = Date.UTC(2006, 0, 1);
/** No booking is made this long before it begins, in milliseconds: five years. */
const farthestAhead = 5 * 365 * 86_400_000;

/** An instant, epoch milliseconds, in ISO 8601: in UTC or at an offset of whole hours, with milliseconds or without. */
export function timestamp(instant: number, { offset = 0, milliseconds = true } = {}): string {
  const local = new Date(instant + offset * 3_600_000).toISOString().slice(0, -1);
  const zone = `${offset < 0 ? '-' : '+'}${String(Math.abs(offset)).padStart(2, '0')}:00`;
  return `${milliseconds ? local : local.slice(0, 19)}${offset === 0 ? 'Z' : zone}`;
}
