// Uses up a daily limit at the pace that the minute's limit allows.
import type { DayOutcome } from '../judge/day.ts';
import type { MinuteIo } from './run.ts';

interface DayPlan {
  /** The documented requests a minute and a day; `perDay` is null if the documents say unlimited. */
  readonly limit: number;
  readonly perDay: number | null;
  readonly windowMs: number;
  /** How many calls were admitted today in earlier runs. */
  readonly spent: number;
  /** The most calls of this run; Infinity for as many as the day takes. */
  readonly calls: number;
  /** The share of the minute's limit to use. */
  readonly pace: number;
}

/** How many calls beyond the documented limit are tried before it counts as exceeded. */
const overshoot = (perDay: number): number => Math.max(3, Math.ceil(perDay / 200));

/** After this many calls in a row without an answer, the target counts as gone. */
const mostUnanswered = 20;

/**
 * Makes calls one after the other, and gives what `judgeDay` judges. A refusal is for the day if two more calls, each
 * after a quiet minute, are refused too; else it is for the minute, and the run goes on more slowly. Throws only what
 * `io` throws.
 */
export async function runDay(io: Pick<MinuteIo, 'send' | 'sleep' | 'now'>, plan: DayPlan): Promise<DayOutcome> {
  const { limit, perDay, windowMs, spent } = plan;
  const goal = perDay === null ? Infinity : perDay + overshoot(perDay);
  const most = Math.min(plan.calls, goal - spent);
  let admitted = 0;
  let unanswered = 0;
  /** Makes one call. Returns whether it was refused. */
  const isRefused = async (phase: string): Promise<boolean> => {
    const { status } = await io.send(phase);
    if (status === 429) {
      return true;
    }
    const isAnswered = status !== 0 && status < 500;
    admitted += isAnswered ? 1 : 0;
    unanswered = isAnswered ? 0 : unanswered + 1;
    return false;
  };
  const isRefusedAfterQuiet = async (): Promise<boolean> => {
    await io.sleep(1.1 * windowMs);
    return isRefused('triage');
  };
  let { pace } = plan;
  let nextAt = io.now();
  while (admitted < most && unanswered < mostUnanswered) {
    const interval = windowMs / (limit * pace);
    await io.sleep(Math.max(0, nextAt - io.now()));
    // Delayed calls are not made up for in a burst, which could exceed the minute's limit.
    nextAt = Math.max(nextAt, io.now() - 2 * interval) + interval;
    if (await isRefused('fill')) {
      const refusedAfter = spent + admitted;
      if ((await isRefusedAfterQuiet()) && (await isRefusedAfterQuiet())) {
        return { admitted, refusedAfter };
      }
      pace *= 0.9;
      nextAt = io.now();
    }
  }
  return { admitted, refusedAfter: null };
}
