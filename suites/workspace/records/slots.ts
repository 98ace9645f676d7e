import { isoOf, type WordValues } from '../../../settings/bodies-file.ts';
import { addressOf } from '../../records/addresses.ts';
import type { Answer } from '../../session/answer.ts';
import type { Session } from '../../session/session.ts';

/** Hours of the day, UTC, that are working hours both in Europe and in eastern America, or nearly. */
const hours = [15, 14, 16, 13, 10, 9];
const [hourMs, dayMs] = [3_600_000, 86_400_000];
/** No notice is too short, and guests may book that far ahead nearly everywhere. */
const daysAhead = 2;
const daysOfWeek = 7;

/** A time for the record with a number that no other record of the run has: half an hour of a weekday of the coming week. */
function slotOf({ openedAt }: Session, number: number): { readonly slot_start: string; readonly slot_end: string } {
  const first = Math.ceil(openedAt / dayMs) + daysAhead;
  const isWeekend = (day: number): boolean => [0, 6].includes(new Date(day * dayMs).getUTCDay());
  const days = Array.from({ length: daysOfWeek }, (_, index) => first + index).filter((day) => !isWeekend(day));
  const round = Math.floor(number / days.length);
  const [day, hour] = [days[number % days.length] as number, hours[round % hours.length] as number];
  const isLater = Math.floor(round / hours.length) % 2;
  const start = day * dayMs + (hour + isLater / 2) * hourMs;
  return { slot_start: isoOf(new Date(start)), slot_end: isoOf(new Date(start + hourMs / 2)) };
}

const aboutTimes =
  /\b(?:slots?|availab\w*|hours|past|future|week(?:day|end)s?|advance|ahead|taken|booked|busy|overlap\w*|conflict\w*|calendar|notice|days)\b/i;

/** Whether the refusal of a booking is about its time. */
export const isAboutTime = ({ status, text }: Pick<Answer, 'status' | 'text'>): boolean =>
  status === 409 || aboutTimes.test(text);

/** What differs in each body: words, addresses and a time. `tag`: default: the next record's. */
export function nextWords(session: Session, tag?: string): WordValues & { readonly run: string } {
  const { tag: next, number } = session.nextRecord();
  const run = tag ?? next;
  return { run, ...addressOf({ seed: session.seed, tag: run, number }), ...slotOf(session, number) };
}
