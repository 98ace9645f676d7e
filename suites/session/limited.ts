import type { Answer } from './answer.ts';

// What a 429 says of the budget that was used up.

/** Whether the refusal says that the minute has calls left: then it is one endpoint's own. A day's window says nothing of that. */
export function hasRoom(answer: Answer, perMinute: number): boolean {
  const numberIn = (name: string): number => Number(/^\s*(\d+)/.exec(answer.header(name) ?? '')?.[1] ?? Number.NaN);
  return numberIn('X-RateLimit-Limit') === perMinute && numberIn('X-RateLimit-Remaining') > 0;
}

/** How long to keep off: what Retry-After says where it is plain seconds within a window; null: nothing does. */
export function pauseAfter(answer: Answer, windowMs: number): number | null {
  const text = answer.header('Retry-After') ?? '';
  return /^\d{1,4}$/.test(text) ? Math.min(Math.max(Number(text) * 1000, 1), windowMs) * 1.02 + 20 : null;
}
