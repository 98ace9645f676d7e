import { isoOf, usesWord, type WordValues } from '../../../settings/bodies-file.ts';
import { addressOf } from '../../records/addresses.ts';
import type { Answer } from '../../session/answer.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';

/** Hours of the day, UTC, that are working hours both in Europe and in eastern America, or nearly. */
const hours = [15, 14, 16, 13, 10, 9];
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
/** No notice is too short, and guests may book that far ahead nearly everywhere. */
const daysAhead = 2;
const [daysOfWeek, slotMinutes] = [7, 30];

/** How many times for bookings the run has used. */
const used = step(async () => ({ slots: 0 }));

/** A time for a booking that no call of the run has had: on a weekday of the coming week, then of the weeks after. */
async function nextSlot(session: Session): Promise<{ readonly start: Date; readonly end: Date }> {
  const calendar = await used(session);
  const number = calendar.slots;
  calendar.slots += 1;
  const first = Math.ceil(session.openedAt / dayMs) + daysAhead;
  const isWeekend = (day: number): boolean => [0, 6].includes(new Date(day * dayMs).getUTCDay());
  const days = Array.from({ length: daysOfWeek }, (_, index) => first + index).filter((day) => !isWeekend(day));
  const perRound = days.length * hours.length;
  const day = (days[number % days.length] as number) + daysOfWeek * Math.floor(number / perRound);
  const start = day * dayMs + (hours[Math.floor((number % perRound) / days.length)] as number) * hourMs;
  return { start: new Date(start), end: new Date(start + slotMinutes * minuteMs) };
}

const aboutTimes =
  /\b(?:slots?|availab\w*|hours|past|future|week(?:day|end)s?|advance|ahead|taken|booked|busy|overlap\w*|conflict\w*|calendar|notice|days)\b/i;

/** Whether the refusal of a booking is about its time. */
export const isAboutTime = ({ status, text }: Pick<Answer, 'status' | 'text'>): boolean =>
  status === 409 || aboutTimes.test(text);

/** What differs in each body: words, addresses and, where it asks for one, a time. */
export async function wordsFor(
  session: Session,
  template: unknown,
  { tag, number }: { readonly tag: string; readonly number: number },
): Promise<WordValues> {
  const words = { run: tag, ...addressOf({ seed: session.seed, tag, number }) };
  if (!usesWord(template, 'slot_start', 'slot_end')) {
    return words;
  }
  const { start, end } = await nextSlot(session);
  return { ...words, slot_start: isoOf(start), slot_end: isoOf(end) };
}
