import { type JsonObject, scalarText, walk } from '../../../common/json.ts';
import { instantOfUnix } from '../../reading/dates.ts';

/** An instant that a booking shows. */
interface ShownInstant {
  /** The field, as a JSON pointer in the row. */
  readonly field: string;
  /** Epoch milliseconds. */
  readonly instant: number;
  /** Whether its zone is given: without one it may be some hours off. */
  readonly hasZone: boolean;
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
  return typeof value === 'number' && timeName.test(name) ? instantOfUnix(value) : Number.NaN;
}

/** Every instant that a booking shows. */
export const instantsIn = (row: JsonObject): ShownInstant[] =>
  walk(row).flatMap(({ pointer, name, value }) => {
    const instant = parsed(name, value);
    const hasZone = typeof value === 'number' || /[Zz]$|[+-]\d\d:?\d\d$/.test((scalarText(value) ?? '').slice(11));
    return instant >= earliest && instant <= latest ? [{ field: pointer, instant, hasZone }] : [];
  });

/** When a booking begins, by fields named so. */
export const startsIn = (row: JsonObject): ShownInstant[] =>
  instantsIn(row).filter(({ field }) => startName.test(field.split('/').at(-1) ?? ''));

/** When a booking begins, if it shows that with a zone. */
export const startOf = (row: JsonObject): number | undefined => startsIn(row).find(({ hasZone }) => hasZone)?.instant;

/** An instant, epoch milliseconds, in ISO 8601: in UTC or at an offset of whole hours, with milliseconds or without. */
export function timestamp(instant: number, { offset = 0, milliseconds = true } = {}): string {
  const local = new Date(instant + offset * 3_600_000).toISOString().slice(0, -1);
  const zone = `${offset < 0 ? '-' : '+'}${String(Math.abs(offset)).padStart(2, '0')}:00`;
  return `${milliseconds ? local : local.slice(0, 19)}${offset === 0 ? 'Z' : zone}`;
}
