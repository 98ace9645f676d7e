import { minuteMs } from '../../../contract/limits.ts';
import type { Answer } from '../answer.ts';

// What a 429 says of the budget that was used up.

const numberIn = (answer: Answer, name: string): number =>
  Number(/^\s*(\d+)/.exec(answer.header(name) ?? '')?.[1] ?? Number.NaN);

/** Whether a 403 or 503 may be a limiter's that says 429 in another way: the minute is told to have no calls left. */
export const mayBeLimited = (answer: Answer, perMinute: number): boolean =>
  [403, 503].includes(answer.status) &&
  numberIn(answer, 'X-RateLimit-Limit') === perMinute &&
  numberIn(answer, 'X-RateLimit-Remaining') === 0;

/** Whether the refusal says that the minute has calls left: then it is one endpoint's own. A day's window says nothing of that. */
export function hasRoom(answer: Answer, perMinute: number): boolean {
  return numberIn(answer, 'X-RateLimit-Limit') === perMinute && numberIn(answer, 'X-RateLimit-Remaining') > 0;
}

/** Longer than this nobody waits in a run, ms: a day's limit, or a cooldown of hours. */
const longestWait = 600_000;

/**
 * How long to keep off, ms: what Retry-After says where it is plain seconds within a window; null: nothing does. Infinity where it
 * says hours, in a deployment whose clock runs like ours.
 */
export function pauseAfter(answer: Answer, windowMs: number): number | null {
  const text = answer.header('Retry-After') ?? '';
  const isSeconds = /^\d{1,5}$/.test(text);
  // A date is the deployment's, whose clock may be off.
  const ms = isSeconds ? Number(text) * 1000 : Date.parse(text) - Date.parse(answer.header('Date') ?? '');
  if (windowMs >= minuteMs && ms > longestWait) {
    return Infinity;
  }
  return isSeconds && text.length < 5 ? Math.min(Math.max(ms, 1), windowMs) * 1.02 + 20 : null;
}
