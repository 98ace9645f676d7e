import type { Sample } from '../../limits/judge/trace.ts';

/** The numbers of calls of the traces with which judging is measured. */
export const traceSizes = [1_000, 10_000, 100_000] as const;

export const windowMs = 60_000;
export const limit = 60;
const start = Date.UTC(2026, 0, 1);

/**
 * The trace of a steady client with a round trip of 20 ms, and of a fixed window. `pace` is the number of calls a
 * window.
 */
export function traceOf(calls: number, pace: number): Sample[] {
  const used = new Map<number, number>();
  return Array.from({ length: calls }, (_, index) => {
    const sentAt = start + (index * windowMs) / pace;
    const window = Math.floor((sentAt + 10) / windowMs);
    const count = (used.get(window) ?? 0) + 1;
    used.set(window, count);
    const isAdmitted = count <= limit;
    return {
      sentAt,
      receivedAt: sentAt + 20,
      status: isAdmitted ? 200 : 429,
      limit: String(limit),
      remaining: String(Math.max(0, limit - count)),
      reset: String(((window + 1) * windowMs) / 1000),
      retryAfter: isAdmitted ? null : '1',
      date: null,
      key: 'key',
      phase: 'burst',
    };
  });
}
