import { type JsonObject, scalarText, walk } from '../../../common/json.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { partsOf, valuesNamed } from '../../reading/record.ts';
import { saysGone } from '../../records/shown-gone.ts';

/** The status or state that a booking names, as a word or a number; undefined: none. */
const stateOf = (booking: JsonObject = {}) =>
  valuesNamed(booking, 'booking', 'status|state').find((one) => typeof one === 'string' || typeof one === 'number');

/** The statuses of bookings in the documents, but for that of a cancelled one. */
const documented = endpointOf('GET /api/v1/developer/export/bookings').query.find(({ name }) => name === 'status');
const booked = ['scheduled', ...(documented?.values ?? [])].filter((status) => status !== 'cancelled');

/** Whether a booking has a flag or a time that is set when it is cancelled. */
const hasCancellationField = (booking: JsonObject): boolean =>
  Object.keys(Object.assign({}, ...partsOf(booking, 'booking'))).some((name) =>
    /cancell?ed(_?(at|on|date|time))?$/i.test(name),
  );

/** Whether a booking shows anywhere that it is cancelled: by a state, or by a time or reason of its cancellation. */
export const showsCancelled = (booking: JsonObject | undefined): boolean =>
  walk(booking).some(({ name, value }) => /cancel/i.test(`${name} ${scalarText(value)}`) && saysGone(name, value));

/**
 * The state of a booking after its cancellation: `cancelled` or, as its row says, the one that it still has or got
 * instead; `unknown`: its row names none. `row` undefined: it is not listed. A word that the documents do not have may
 * be the deployment's own for cancelled, unless other rows of the list say that they are cancelled; so may another
 * number, while the same one may be of something else.
 */
export function stateAfterCancellation(
  before: JsonObject | undefined,
  row: JsonObject | undefined,
  rows: readonly JsonObject[] = [],
): string {
  const was = stateOf(before);
  const is = stateOf(row);
  if (row === undefined || showsCancelled(row)) {
    return 'cancelled';
  }
  if (is === undefined || (typeof is === 'number' && (typeof was !== 'number' || is === was))) {
    return hasCancellationField(row) ? 'not cancelled' : 'unknown';
  }
  const isOther =
    is === was ||
    booked.includes(String(is).toLowerCase()) ||
    rows.some((one) => /^cancell?ed$/i.test(String(stateOf(one))));
  return isOther ? String(is) : 'cancelled';
}

/** Whether a booking in that state is not cancelled. */
export const isStillBooked = (state: string): boolean => !['cancelled', 'unknown'].includes(state);
