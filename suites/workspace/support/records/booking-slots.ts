import { isObject, walk } from '../../../../common/json.ts';
import { type Slot, slotAt } from '../../../../fixtures/slots.ts';
import type { Answer } from '../../../session/answer.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';

/** Chooses times for bookings that no call of the run has had: those that a refusal offers, or those of a plan. */
interface Calendar {
  /** The next time. `plan`: the number of the plan, of `slotPlans`. */
  next(plan: number): Slot;
  /** Notes that a time of that plan was accepted where others came too late: later times are taken from it. */
  usePlan(plan: number): void;
  /** Notes the times that a refusal offers. `sent`: the body that was refused. */
  noteRefusal(answer: Pick<Answer, 'json'>, sent: unknown): void;
}

/** After this many refused offers no more are tried: what looks like an offer may be a bound. */
const mostRefusedOffers = 2;

export const calendar = step(async (session): Promise<Calendar> => {
  const used = new Set<number>();
  const usedOffers = new Set<number>();
  let offers: Slot[] = [];
  let plannedCount = 0;
  let refusedOffers = 0;
  let acceptedPlan: number | undefined;
  const isFree = ({ start }: Slot): boolean => start.getTime() > session.clock.now() && !used.has(start.getTime());
  return {
    next(plan) {
      const planned = slotAt(session.openedAt, plannedCount, acceptedPlan ?? plan);
      const offered = refusedOffers < mostRefusedOffers ? offers.find(isFree) : undefined;
      if (offered === undefined) {
        plannedCount += 1;
      } else {
        usedOffers.add(offered.start.getTime());
      }
      const { start, end } = offered ?? planned;
      const duration = planned.end.getTime() - planned.start.getTime();
      used.add(start.getTime());
      return { start, end: end > start ? end : new Date(start.getTime() + duration) };
    },
    usePlan(plan) {
      acceptedPlan = plan;
    },
    noteRefusal({ json }, sent) {
      const sentTimes = new Set(walk(sent).flatMap(({ value }) => instantsIn(value)));
      refusedOffers += [...sentTimes].some((time) => usedOffers.has(time)) ? 1 : 0;
      offers = offersIn(json).filter(
        ({ start, end }) => !sentTimes.has(start.getTime()) && !sentTimes.has(end.getTime()),
      );
      // An offered time is free, even if a booking of the run had it: that one may have been cancelled.
      for (const { start } of offers) {
        used.delete(start.getTime());
      }
    },
  };
});

/** A time for a booking that no call of the run has had. */
export const nextSlot = async (session: Session, plan: number): Promise<Slot> => (await calendar(session)).next(plan);

const instant = /\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)/g;
const instantsIn = (value: unknown): number[] =>
  typeof value === 'string' ? (value.match(instant) ?? []).map((text) => Date.parse(text)) : [];

/** Names and words beside times that are offered. Other times may say until when something holds. */
const offerWords = /availab|suggest|alternativ|propos|offer|slots?\b|next|free|open/i;

/** The times that a refusal offers: listed, as `{"start": …, "end": …}` or in a sentence. Without an end: the start. */
function offersIn(json: unknown): Slot[] {
  const offered = walk(json).filter(
    ({ pointer, value }) => offerWords.test(pointer) || (typeof value === 'string' && offerWords.test(value)),
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
