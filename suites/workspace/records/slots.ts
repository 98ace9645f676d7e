import { isoOf, usesWord, type WordValues } from '../../../settings/bodies-file.ts';
import { addressOf } from '../../records/addresses.ts';
import type { Answer } from '../../session/answer.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';

/** A time for a booking. */
interface Slot {
  readonly start: Date;
  readonly end: Date;
}

/** Times that a deployment may accept bookings at. */
interface Plan {
  /** The first day, in days from now. */
  readonly ahead: number;
  /** How many days are considered. */
  readonly days: number;
  /** Hours of the day, UTC. */
  readonly hours: readonly number[];
  /** The length of a slot. */
  readonly minutes: number;
}

const [eastAndEurope, west] = [
  [15, 14, 16, 13, 10, 9],
  [18, 19, 17, 20, 21, 22],
];

/**
 * Likely times, likeliest first, all on weekdays: the working hours of Europe and of eastern America, of western
 * America; soon, and an hour long; far ahead.
 */
const plans: readonly [Plan, ...Plan[]] = [
  { ahead: 7, days: 7, hours: eastAndEurope, minutes: 30 },
  { ahead: 7, days: 7, hours: west, minutes: 30 },
  { ahead: 1, days: 4, hours: [...eastAndEurope, ...west], minutes: 60 },
  { ahead: 35, days: 7, hours: eastAndEurope, minutes: 30 },
];

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
const week = 7;

/** The slot of this number, counted from `now` (epoch milliseconds). No two numbers of a plan have the same time. */
function slotAt(now: number, number: number, { ahead, days: span, hours, minutes }: Plan = plans[0]): Slot {
  const first = Math.ceil(now / dayMs) + ahead;
  const isWeekend = (day: number): boolean => [0, 6].includes(new Date(day * dayMs).getUTCDay());
  const days = Array.from({ length: span }, (_, index) => first + index).filter((day) => !isWeekend(day));
  const perRound = days.length * hours.length;
  const day = (days[number % days.length] as number) + week * Math.floor(number / perRound);
  const hour = hours[Math.floor((number % perRound) / days.length)] as number;
  const start = day * dayMs + hour * hourMs;
  return { start: new Date(start), end: new Date(start + minutes * minuteMs) };
}

/** Which times the run has used, and the plan that the next ones are from. */
const calendar = step(async () => ({ plan: plans[0], used: 0 }));

/** A time for a booking that no call of the run has had. */
async function nextSlot(session: Session): Promise<Slot> {
  const times = await calendar(session);
  times.used += 1;
  return slotAt(session.openedAt, times.used - 1, times.plan);
}

const aboutTimes =
  /\b(?:slots?|availab\w*|hours|past|future|week(?:day|end)s?|advance|ahead|taken|booked|busy|overlap\w*|conflict\w*|calendar|notice|days)\b/i;

/** Whether the refusal of a booking is about its time. */
export const isAboutTime = ({ status, text }: Pick<Answer, 'status' | 'text'>): boolean =>
  status === 409 || aboutTimes.test(text);

/** Books at other times until one suits, by the same plan once more and then by the others. null: none suits. */
export async function tryOtherTimes<P>(
  session: Session,
  book: () => Promise<P>,
  suits: (posted: P) => boolean,
): Promise<P | null> {
  const times = await calendar(session);
  const usual = times.plan;
  for (const plan of [usual, ...plans.filter((one) => one !== usual)]) {
    times.plan = plan;
    const posted = await book();
    if (suits(posted)) {
      return posted;
    }
  }
  times.plan = usual;
  return null;
}

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
