import { lettersOf } from '../../../common/words.ts';
import { type EventKind, eventKinds } from '../../../contract/events.ts';

/**
 * The event that a text names in any spelling, such as `BOOKING_CREATED` or `bookingCreated`; undefined if it names
 * none.
 */
export const eventSpelled = (text: unknown): EventKind | undefined =>
  typeof text === 'string' ? eventKinds.find((kind) => lettersOf(kind) === lettersOf(text)) : undefined;

/** Whether a field of a webhook asks for events: its name says so, or what it contains. */
export const asksForEvents = ([name, value]: readonly [string, unknown]): boolean =>
  /event|topic|subscription|trigger|types/i.test(name) || [value].flat().some(eventSpelled);
