import { type JsonObject, scalarText, walk } from '../../../common/json.ts';
import { developerEndpoints } from '../../../contract/developer-endpoints.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { valuesNamed } from '../../reading/record.ts';
import { nounOf } from '../../records/reads.ts';
import type { Condition } from './lists.ts';

/** A filter of a list, as conditions that are judged. */
export interface Filter {
  readonly list: string;
  /** The query parameter, or several in words. */
  readonly parameter: string;
  /** The clause that judges it. */
  readonly clause: string;
  readonly conditions: readonly Condition[];
  /** Whether the conditions are the values of a closed vocabulary: a record matches one of them. */
  readonly isVocabulary: boolean;
}

/** The list of bookings, which takes a window beside a status. */
export const bookings = 'GET /api/v1/developer/export/bookings';
export const leads = 'GET /api/v1/developer/export/leads';

/** A filter that takes a closed vocabulary. */
export function vocabulary(list: string, parameter: string): Filter {
  const { query, clause } = endpointOf(list);
  const values = query.find(({ name }) => name === parameter)?.values ?? [];
  const conditions = values.map(
    (value, index): Condition => ({
      query: { [parameter]: value },
      label: `${parameter}=${value}`,
      matches: ({ row }) => {
        const shown = valuesNamed(row, nounOf(list), parameter).find((one) => typeof one === 'string');
        return values.some((one) => isSameWord(one, shown)) ? isSameWord(value, shown) : 'unknown';
      },
      ...(index % 2 === 1 ? { mode: 'query' } : {}),
    }),
  );
  return { list, parameter, clause: `${clause}-${parameter}`, conditions, isVocabulary: true };
}

/** All of these. */
export const vocabularies: readonly Filter[] = developerEndpoints.flatMap(({ id, query }) =>
  query.flatMap(({ name, values }) => (values === undefined ? [] : vocabulary(id, name))),
);

const isSameWord = (value: string, shown = ''): boolean => shown.toLowerCase() === value.toLowerCase();

// --- Windows of bookings

/** What all filters of bookings by windows have in common. */
const byWindows = {
  list: bookings,
  parameter: 'from and to',
  clause: 'developer.scheduling.bookings-window',
  isVocabulary: false,
};

const hour = 3_600_000;
const day = 24 * hour;

/** The windows from the median of the instants at which bookings begin, and to it. */
export function windowsAmid(rows: readonly JsonObject[]): Filter {
  const starts = rows.flatMap((row) => startOf(row) ?? []);
  const times = starts.length > 0 ? starts : rows.flatMap(instantsIn).map(({ instant }) => instant);
  const middle = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
  const windows = (['from', 'to'] as const).map((name) => ({
    ...windowOf('amid the bookings', { [name]: timestamp(middle ?? 0) }),
    // Which of its times counts is open, so that a booking does not show whether it is in a window in their midst.
    matches: () => 'unknown' as const,
  }));
  return { ...byWindows, conditions: middle === undefined ? [] : windows };
}

/** No booking is older than the service, and none is made this long before it begins: five years. */
const oldest = Date.UTC(2006, 0, 1);
const farthestAhead = 5 * 365 * day;

/**
 * Few windows around bookings, in which each spelling of a timestamp occurs, each bound alone, and both together. Two
 * are so near to the last or the first instant that bookings show, that they show whether the time of day and the
 * offset are read: no booking is in these whichever of its times counts, when it was made too.
 */
export function windowsAround(rows: readonly JsonObject[], now: number): Filter {
  const instants = rows.flatMap(instantsIn);
  const starts = rows.flatMap((row) => startOf(row) ?? []);
  // Other instants do not say when a booking is: it may have been made months before.
  const bounds = starts.length > 0 ? instants.map(({ instant }) => instant) : [oldest, now + farthestAhead];
  const before = Math.min(...bounds) - 2 * day;
  const after = Math.max(...bounds) + 40 * day;
  const isExact = instants.every(({ hasZone }) => hasZone);
  const rightBefore = Math.min(...bounds) - (isExact ? hour : day);
  // A booking may last that long without showing when it ends.
  const rightAfter = Math.max(...bounds) + (isExact ? 2 * hour : day);
  const conditions: Condition[] = [
    windowOf('before any booking began', {
      from: timestamp(before - day),
      to: timestamp(before, { milliseconds: false }),
    }),
    { ...windowOf('after every booking', { from: timestamp(after), to: timestamp(after + day) }), mode: 'query' },
    windowOf('with an offset, soon after the last booking', {
      from: timestamp(rightAfter, { offset: -11, milliseconds: false }),
    }),
    windowOf('with an offset, an hour before any booking began', {
      // The local time is later than the first booking's: a deployment that ignores the offset shows that booking.
      to: timestamp(rightBefore, { offset: 14, milliseconds: false }),
    }),
  ];
  return { ...byWindows, conditions };
}

function windowOf(what: string, query: Condition['query']): Condition {
  const from = Date.parse(query.from ?? '');
  const to = Date.parse(query.to ?? '');
  return {
    query,
    label: `A window (${Object.keys(query).join(' and ')}, ${what})`,
    // A booking is surely out only where none of its times is in.
    matches: ({ row }) =>
      instantsIn(row).some(({ instant }) => !(instant < from || instant > to)) ? 'unknown' : false,
  };
}

// --- Times of bookings

const startName = /start|begin|scheduled|slot|^time$|^date$|^at$|when/i;
const timeName = /_at$|At$|time|date|day|start|begin|end|slot|from|when|^at$/i;
/** Instants outside these bounds are no times of bookings, but birthdays, or days that stand for "never". */
const earliest = Date.UTC(2005, 0, 1);
const latest = Date.UTC(2150, 0, 1);

/**
 * Every instant, epoch milliseconds, that a booking shows: in ISO 8601, or as a Unix time, in s or ms, in a field named
 * for a time. `hasZone`: whether its zone is given; without one it may be some hours off.
 */
const instantsIn = (row: JsonObject) =>
  walk(row).flatMap(({ name, value }) => {
    const isIso = typeof value === 'string' && /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d|$)/.test(value);
    const unix = typeof value === 'number' && timeName.test(name) ? value * (value < 1e11 ? 1000 : 1) : Number.NaN;
    const instant = isIso ? Date.parse(value) : unix;
    const hasZone = !isIso || /[Zz]$|[+-]\d\d:?\d\d$/.test((scalarText(value) ?? '').slice(11));
    return instant >= earliest && instant <= latest ? [{ name, instant, hasZone }] : [];
  });

/** When a booking begins, by a field that is named so. */
const startOf = (row: JsonObject): number | undefined =>
  instantsIn(row).find(({ name }) => startName.test(name))?.instant;

/** An instant, epoch milliseconds, in ISO 8601: in UTC or at an offset of whole hours, with milliseconds or without. */
function timestamp(instant: number, { offset = 0, milliseconds = true } = {}): string {
  const local = new Date(instant + offset * 3_600_000).toISOString().slice(0, -1);
  const zone = `${offset < 0 ? '-' : '+'}${String(Math.abs(offset)).padStart(2, '0')}:00`;
  return `${milliseconds ? local : local.slice(0, 19)}${offset === 0 ? 'Z' : zone}`;
}
