import { at, walk } from '../../../common/json.ts';
import { developerErrorCodes } from '../../../contract/errors.ts';
import { minuteMs } from '../../../contract/limits.ts';
import { minuteRemaining } from '../../../limits/judge/headers.ts';
import type { Answer } from '../answer.ts';

// What a refusal says of the budget that was used up.

/** Remaining of the minute, as an answer shows it; null: its headers are about something else, such as a day. */
const remainingIn = (answer: Answer, perMinute: number): number | null =>
  minuteRemaining(
    {
      limit: answer.header('X-RateLimit-Limit'),
      remaining: answer.header('X-RateLimit-Remaining'),
      reset: null,
    },
    perMinute,
  );

/** Whether the error of an answer has the code that is documented for 429. */
const hasCodeOf429 = ({ json }: Answer): boolean =>
  walk(at(json, '/error')).some(({ value }) => value === developerErrorCodes[429]);

/**
 * Whether a 403 or 503 comes from a limiter, in place of 429: it says that the minute has no calls left, or has the
 * code of a 429.
 */
export const isDisguised429 = (answer: Answer, perMinute: number): boolean =>
  [403, 503].includes(answer.status) && (remainingIn(answer, perMinute) === 0 || hasCodeOf429(answer));

/** Whether a refusal is one endpoint's own: it says that the minute has calls left. A day's headers do not count. */
export const hasCallsLeft = (answer: Answer, perMinute: number): boolean => (remainingIn(answer, perMinute) ?? 0) > 0;

/** Longest wait of a run, ms. A day's limit, or a cooldown of hours, takes longer. */
const longestWait = 600_000;

/**
 * How long to pause, ms, by Retry-After, where that is plain seconds; a window at most. null: it is absent, or
 * anything else. Infinity: it says more than a run waits, and windows of the deployment take as long as ours.
 */
export function pauseAskedFor(answer: Answer, windowMs: number): number | null {
  const text = answer.header('Retry-After') ?? '';
  const isSeconds = /^\d{1,5}$/.test(text);
  // A date is compared with the deployment's own clock, which may be off.
  const ms = isSeconds ? Number(text) * 1000 : Date.parse(text) - Date.parse(answer.header('Date') ?? '');
  if (windowMs >= minuteMs && ms > longestWait) {
    return Infinity;
  }
  return isSeconds && text.length < 5 ? Math.min(Math.max(ms, 1), windowMs) * 1.02 + 20 : null;
}
