import { isObject, type JsonObject, walk } from '../../../../common/json.ts';
import { ofAnyChange, saysGone } from '../../../shared/clean-up/shown-gone.ts';

/** What a list shows of a booking after its cancellation; `unknown`: what it showed before, and that is no state. */
type Standing = 'scheduled' | 'cancelled' | 'unknown';

/** The fields of a booking itself: what stands deeper is of something else, a place or a person. */
const ownFields = (booking: JsonObject = {}): [string, unknown][] =>
  [booking, booking.booking, booking.attributes].flatMap((one) => (isObject(one) ? Object.entries(one) : []));

/** The state that a booking shows, if it shows one. */
const stateOf = (booking: JsonObject | undefined): string | undefined =>
  ownFields(booking).flatMap(([name, value]) =>
    /^(booking_?)?(status|state)$/i.test(name) && typeof value === 'string' ? [value] : [],
  )[0];

/** A field that has to say so once a booking is cancelled, as a flag or a time. */
const tellsCancelled = /cancell?ed(_?(at|on|date|time))?$/i;

/** What a booking shows that is not cancelled: its state, or a flag or time of its cancellation that is not set. */
export const shownState = (booking: JsonObject | undefined): string | undefined =>
  stateOf(booking) ??
  ownFields(booking).flatMap(([name, value]) =>
    tellsCancelled.test(name) && !saysGone(name, value) ? [`not ${name}`] : [],
  )[0];

/** Whether a booking shows anywhere that it is cancelled: by a state, or by a time or reason of its cancellation. */
export const showsCancelled = (booking: JsonObject | undefined): boolean =>
  walk(booking).some(({ name, value }) => /cancel/i.test(`${name} ${value}`) && saysGone(name, value));

/** Whether a booking shows the state that a cancellation has brought another one to, in whatever word. */
export const endsAs = (booking: JsonObject, before: JsonObject | undefined, later: JsonObject | undefined): boolean =>
  stateOf(later) !== undefined && stateOf(later) !== stateOf(before) && stateOf(booking) === stateOf(later);

/** What a row shows of a booking, which was shown otherwise before it was cancelled. */
export function standingOf(before: JsonObject | undefined, row: JsonObject | undefined): Standing {
  if (row === undefined || showsCancelled(row)) {
    return 'cancelled';
  }
  const isSame = shownState(row) === shownState(before);
  if (stateOf(before) !== undefined) {
    return isSame ? 'scheduled' : 'cancelled';
  }
  if (!isUnchanged(before, row)) {
    return 'cancelled';
  }
  return shownState(before) === undefined ? 'unknown' : 'scheduled';
}

const isUnchanged = (before: JsonObject = {}, row: JsonObject): boolean => {
  const shown = new Map(walk(before).map(({ pointer, value }) => [pointer, JSON.stringify(value)]));
  return walk(row).every(
    ({ pointer, name, value }) =>
      isObject(value) || Array.isArray(value) || ofAnyChange.test(name) || shown.get(pointer) === JSON.stringify(value),
  );
};
