import { type JsonObject, walk } from '../../../../common/json.ts';

/** An instant that a booking shows, and in which field. */
export interface Shown {
  readonly field: string;
  /** Epoch milliseconds. */
  readonly instant: number;
  /** Said with its zone: others may lie some hours off. */
  readonly isExact: boolean;
}

/** Instants that bookings show, epoch milliseconds. */
export interface Times {
  /** All that any of them shows. */
  readonly shown: readonly number[];
  /** When each began, as the field says that is most likely its beginning; in the order of the rows. */
  readonly starts: readonly (number | undefined)[];
}

const startName = /start|begin|scheduled|slot|^time$|^date$|^at$|when/i;
const timeName = /_at$|At$|time|date|day|start|begin|end|slot|from|when|^at$/i;
/** Instants outside are no bookings': birthdays, and days that stand for "never". */
const [first, last] = [Date.UTC(2005, 0, 1), Date.UTC(2150, 0, 1)];

/** The instant that a value stands for: ISO 8601, or seconds or milliseconds since 1970 in a field named for a time. */
function instantIn(name: string, value: unknown): number | undefined {
  const instant =
    typeof value === 'string' && /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d|$)/.test(value)
      ? Date.parse(value)
      : typeof value === 'number' && timeName.test(name)
        ? value * (value < 1e11 ? 1000 : 1)
        : Number.NaN;
  return instant >= first && instant <= last ? instant : undefined;
}

/** Every instant that a booking shows. */
export const shownIn = (row: JsonObject): Shown[] =>
  walk(row).flatMap(({ pointer, name, value }) => {
    const instant = instantIn(name, value);
    const isExact = typeof value === 'number' || /[Zz]$|[+-]\d\d:?\d\d$/.test(String(value).slice(11));
    return instant === undefined ? [] : [{ field: pointer, instant, isExact }];
  });

const startOf = (row: JsonObject): number | undefined =>
  shownIn(row).find(({ field, isExact }) => isExact && startName.test(field.split('/').at(-1) ?? ''))?.instant;

/** The instants that bookings show; undefined where they show none. */
export function timesOf(rows: readonly JsonObject[]): Times | undefined {
  const shown = rows.flatMap(shownIn).map(({ instant }) => instant);
  return shown.length === 0 ? undefined : { shown, starts: rows.map(startOf) };
}

/** An instant as a timestamp: in UTC, or at an offset of unfiltered hours; with milliseconds or without. */
export function timestamp(instant: number, { offset = 0, milliseconds = true } = {}): string {
  const local = new Date(instant + offset * 3_600_000).toISOString().slice(0, -1);
  const zone = `${offset < 0 ? '-' : '+'}${String(Math.abs(offset)).padStart(2, '0')}:00`;
  return `${milliseconds ? local : local.slice(0, 19)}${offset === 0 ? 'Z' : zone}`;
}
