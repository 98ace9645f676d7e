import { isObject, type JsonObject, scalarText, walk } from '../../../common/json.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { rowsIn } from '../../reading/rows.ts';
import type { ListSearch } from '../../records/list-search.ts';
import { ofAnyChange, saysGone } from '../../records/shown-gone.ts';

/** The state of a booking after its cancellation; `unknown`: its row is as before, and never showed a state. */
type StateAfterCancellation = 'scheduled' | 'cancelled' | 'unknown';

/** Names of objects within a booking that hold its own fields. */
const holderName = /^(booking|attributes|fields|properties|values|data|record|resource|sys)$/i;

/** The fields of a booking itself. Fields deeper within it belong to something else: a place, a person. */
const ownFields = (booking: JsonObject = {}): [string, unknown][] => [
  ...Object.entries(booking),
  ...Object.entries(booking).flatMap(([name, held]) =>
    holderName.test(name) && isObject(held) ? Object.entries(held) : [],
  ),
];

/** `status`, and `Status__c`, `StatusCode`, `bookingState`. */
const stateName = /^(booking_?)?(status|state)(__c|_?(code|name|value))?$/i;

/** The status or state that a booking names, as a text or an object around one; undefined: none. */
const stateOf = (booking: JsonObject | undefined): string | undefined =>
  ownFields(booking).flatMap(([name, value]) => (stateName.test(name) ? textsOfState(value) : []))[0];

/** The texts of `scheduled` and `{"value": "scheduled", "label": "Scheduled"}`. */
const textsOfState = (value: unknown): readonly string[] =>
  [value, ...(isObject(value) ? [value.value, value.code, value.name, value.label] : [])].filter(
    (one) => typeof one === 'string',
  );

/** A flag or a time that is set when a booking is cancelled. */
const cancellationName = /cancell?ed(_?(at|on|date|time))?$/i;

/** The state of a booking that is not cancelled: as it names it, or a flag or time of cancellation that is not set. */
export const shownState = (booking: JsonObject | undefined): string | undefined =>
  stateOf(booking) ??
  ownFields(booking).flatMap(([name, value]) =>
    cancellationName.test(name) && !saysGone(name, value) ? [`not ${name}`] : [],
  )[0];

/** Whether a booking shows anywhere that it is cancelled: by a state, or by a time or reason of its cancellation. */
export const showsCancelled = (booking: JsonObject | undefined): boolean =>
  walk(booking).some(({ name, value }) => /cancel/i.test(`${name} ${scalarText(value)}`) && saysGone(name, value));

/** Whether a booking names the state, in whatever word, that another one came to name when it was cancelled. */
export const hasReachedState = (
  booking: JsonObject,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): boolean => stateOf(after) !== undefined && stateOf(after) !== stateOf(before) && stateOf(booking) === stateOf(after);

/**
 * The state of a booking after its cancellation. `row`: its row then; undefined: it is not listed. `listed`: other rows,
 * which may show where cancelled bookings say so.
 */
export function stateAfterCancellation(
  before: JsonObject | undefined,
  row: JsonObject | undefined,
  listed: readonly JsonObject[] = [],
): StateAfterCancellation {
  if (row === undefined || showsCancelled(row)) {
    return 'cancelled';
  }
  if (stateOf(before) !== undefined) {
    return shownState(row) === shownState(before) ? 'scheduled' : 'cancelled';
  }
  if (!isUnchanged(before, row)) {
    return 'cancelled';
  }
  return shownState(before) === undefined && !saysOtherwise(row, listed) ? 'unknown' : 'scheduled';
}

/** Whether a booking has another word where other rows say that their bookings are cancelled. */
function saysOtherwise(booking: JsonObject, listed: readonly JsonObject[]): boolean {
  const isCancelledWord = (value: unknown): boolean => typeof value === 'string' && /^cancell?ed$/i.test(value);
  const places = new Set(
    listed.flatMap((row) => walk(row).flatMap(({ pointer, value }) => (isCancelledWord(value) ? [pointer] : []))),
  );
  return walk(booking).some(({ pointer, value }) => places.has(pointer) && typeof value === 'string' && value !== '');
}

/** The states of bookings that the documents name, without the cancelled one. */
const notCancelled = [
  'scheduled',
  ...(endpointOf('GET /api/v1/developer/export/bookings').query.find(({ name }) => name === 'status')?.values ?? []),
].filter((state) => state !== 'cancelled');

/**
 * The state that a booking got by its cancellation instead of being cancelled; undefined: none. It is a state that the
 * documents name, or the list has other bookings whose state says that they are cancelled: then any other word means
 * something else.
 */
export function stateInstead(
  before: JsonObject | undefined,
  row: JsonObject | undefined,
  listed: readonly JsonObject[],
): string | undefined {
  const state = stateOf(row);
  if (state === undefined || state === stateOf(before) || showsCancelled(row)) {
    return undefined;
  }
  const isSaidElsewhere = listed.some((one) => /^cancell?ed$/i.test(stateOf(one) ?? ''));
  return isSaidElsewhere || notCancelled.includes(state.toLowerCase()) ? state : undefined;
}

/** Whether a row shows the same values as before, except in fields that any change alters. */
const isUnchanged = (before: JsonObject = {}, row: JsonObject): boolean => {
  const shown = new Map(walk(before).map(({ pointer, value }) => [pointer, JSON.stringify(value)]));
  return walk(row).every(
    ({ pointer, name, value }) =>
      isObject(value) || Array.isArray(value) || ofAnyChange.test(name) || shown.get(pointer) === JSON.stringify(value),
  );
};

/** Whether a search shows a booking as not cancelled: as it was before, or in another state. */
export function isStillBooked(
  before: JsonObject | undefined,
  { row, last }: Pick<ListSearch, 'row' | 'last'>,
): boolean {
  const listed = rowsIn(last.json, 'booking') ?? [];
  return (
    stateAfterCancellation(before, row) === 'scheduled' ||
    (row !== undefined && stateInstead(before, row, listed) !== undefined)
  );
}
