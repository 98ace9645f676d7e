import { isObject, walk } from '../../../../common/json.ts';
import { type Slot, slotAt } from '../../../../fixtures/slots.ts';
import type { Answer } from '../../../session/answer.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';

/** Times for bookings: those of a plan that no call of the run has had, or those that a refusal offers. */
interface Calendar {
  next(plan: number): Slot;
  /** A time of that plan was taken, where others had become too late: the next ones are of it. */
  suits(plan: number): void;
  /** Notes what a refusal offers. `sent`: the body that was refused. */
  refused(answer: Pick<Answer, 'json'>, sent: unknown): void;
}

/** Most offered times that are tried and refused: what looks like an offer may be a bound. */
const mostRefused = 2;

export const calendar = step(async (session): Promise<Calendar> => {
  const [given, fromOffers] = [new Set<number>(), new Set<number>()];
  let [offers, ofPlan, refusals]: [Slot[], number, number] = [[], 0, 0];
  let suited: number | undefined;
  const isFree = ({ start }: Slot): boolean => start.getTime() > session.clock.now() && !given.has(start.getTime());
  return {
    next(plan) {
      const planned = slotAt(session.openedAt, ofPlan, suited ?? plan);
      const [offered] = refusals < mostRefused ? offers.filter(isFree) : [];
      if (offered === undefined) {
        ofPlan += 1;
      } else {
        fromOffers.add(offered.start.getTime());
      }
      const { start, end } = offered ?? planned;
      const minutes = planned.end.getTime() - planned.start.getTime();
      given.add(start.getTime());
      return { start, end: end > start ? end : new Date(start.getTime() + minutes) };
    },
    suits(plan) {
      suited = plan;
    },
    refused({ json }, sent) {
      const mine = new Set(walk(sent).flatMap(({ value }) => instantsIn(value)));
      refusals += [...mine].some((time) => fromOffers.has(time)) ? 1 : 0;
      offers = offersIn(json).filter(({ start, end }) => !mine.has(start.getTime()) && !mine.has(end.getTime()));
      // What was booked may have been cancelled since.
      for (const { start } of offers) {
        given.delete(start.getTime());
      }
    },
  };
});

export const nextSlot = async (session: Session, plan: number): Promise<Slot> => (await calendar(session)).next(plan);

const instant = /\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)/g;
const instantsIn = (value: unknown): number[] =>
  typeof value === 'string' ? (value.match(instant) ?? []).map((text) => Date.parse(text)) : [];

/** Names and words beside times that are offered; others tell until when something holds. */
const ofOffer = /availab|suggest|alternativ|propos|offer|slots?\b|next|free|open/i;

/** `["2026-01-31T09:00:00Z", …]`, `{"start": …, "end": …}`, or times in a sentence. An end that is not told is the start. */
function offersIn(json: unknown): Slot[] {
  const offered = walk(json).filter(
    ({ pointer, value }) => ofOffer.test(pointer) || (typeof value === 'string' && ofOffer.test(value)),
  );
  const pairs = offered.flatMap(({ value }) => {
    const [start, end, ...others] = isObject(value) ? Object.values(value).flatMap(instantsIn) : [];
    return start === undefined || end === undefined || others.length > 0 ? [] : [[start, end] as const];
  });
  const paired = new Set(pairs.flat());
  const single = offered.flatMap(({ value }) => instantsIn(value)).filter((time) => !paired.has(time));
  return [...pairs, ...single.map((time) => [time, time] as const)].map(([start, end]) => ({
    start: new Date(start),
    end: new Date(end),
  }));
}
