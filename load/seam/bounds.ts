// How long a script takes at most, and about how many calls it makes.
import { minuteMs } from '../../contract/limits.ts';
import { burstGap, burstSize } from '../../limits/procedure/burst.ts';
import type { Plan, Subject } from './plan.ts';

/** A plan without what follows from the rest of it. */
export type Work = Omit<Plan, 'boundMs' | 'trouble'>;

/** The most calls a second with one key, as many as a busy machine can make if the deployment's clock runs fast. */
const sendable = 300;

/** How many calls of the day are left to make with a key. */
export const leftToday = ({ calls }: Pick<Plan, 'calls'>, { perDay, spent }: Subject): number =>
  Math.min(perDay === null ? Infinity : perDay - spent, calls);

/** How long using up the rest of a day takes, in ms. */
export function fillMs(plan: Pick<Plan, 'calls' | 'pace' | 'windowMs'>, subject: Subject): number {
  const left = leftToday(plan, subject);
  return Math.max((left / (subject.limit * plan.pace)) * plan.windowMs, (left / sendable) * 1000);
}

/** The longest time that the script may take, in ms: k6 would cut it off after ten minutes. */
export function boundMs(plan: Work): number {
  const { windowMs, subjects, bursts, soakMs } = plan;
  const idle = 2 * windowMs + 35_000;
  const lasts: Readonly<Record<Plan['script'], () => number>> = {
    // Where concurrent calls are limited, the key is driven again, twice at most in practice.
    'per-minute': () => 11 * windowMs,
    burst: () => windowMs + bursts * (burstGap(windowMs) + 5000),
    shared: () => 3 * windowMs,
    soak: () => soakMs,
    'per-day': () => {
      const fill = Math.max(0, ...subjects.map((subject) => fillMs(plan, subject)).filter(Number.isFinite));
      return 1.3 * fill + 10 * windowMs;
    },
  };
  return Math.ceil(60_000 + idle + plan.timeoutMs + lasts[plan.script]());
}

/** About how many calls the script makes with one key. */
export function callsOf(plan: Work, subject: Subject): number {
  const { limit, perDay } = subject;
  const makes: Readonly<Record<Plan['script'], () => number>> = {
    'per-minute': () => 4 * limit + 100,
    burst: () => plan.bursts * (burstSize(limit) + 3),
    shared: () => limit + 4,
    soak: () => Math.ceil((plan.soakMs * plan.clockSpeed * limit * plan.pace) / minuteMs),
    'per-day': () => Math.min(plan.calls, (perDay ?? Infinity) + 20),
  };
  return makes[plan.script]();
}
