import { type JsonObject, walk } from '../../../common/json.ts';
import { recordIn } from '../../session/record.ts';
import { saysGone } from '../../shared/still-there.ts';
import type { Created } from './create.ts';

/** The state that a booking shows, if it shows one: what stands deeper is the state of something else, a place or a person. */
const stateOf = (booking: JsonObject = {}): unknown =>
  Object.entries(booking).find(
    ([name, value]) => /^(booking_?)?(status|state)$/i.test(name) && typeof value === 'string',
  )?.[1];

/** The state that a booking had when it was made. */
export const stateAtFirst = ({ answer }: Pick<Created, 'answer'>): unknown => stateOf(recordIn(answer.json, 'booking'));

/** Whether a booking shows anywhere that it is cancelled: by a state, or by a time or reason of its cancellation. */
export const showsCancelled = (booking: JsonObject | undefined): boolean =>
  walk(booking).some(({ name, value }) => /cancel/i.test(`${name} ${value}`) && saysGone(name, value));

/** Whether a row shows a booking in the state in which it was made, and nowhere that it is cancelled. */
export const isStillScheduled = (record: Pick<Created, 'answer'>, row: JsonObject | undefined): boolean =>
  stateOf(row) === stateAtFirst(record) && !showsCancelled(row);
