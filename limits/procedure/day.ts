// Uses up a daily limit at the pace that the minute's limit allows.
import type { DayOutcome } from '../judge/day.ts';
import type { Sample } from '../judge/trace.ts';
import type { MinuteIo } from './run.ts';

interface DayPlan {
  /** The documented requests a minute and a day; `perDay` is null if the documents say unlimited. */
  readonly limit: number;
  readonly perDay: number | null;
  readonly windowMs: number;
  /** How many calls were admitted today in earlier runs. */
  readonly spent: number;
  /** The most calls of this run; null for as many as the day takes. */
  readonly calls: number | null;
  /** The share of the minute's limit to use. */
  readonly pace: number;
}

/** How many calls beyond the documented limit are tried before it counts as exceeded. */
const overshoot = (perDay: number): number => Math.max(3, Math.ceil(perDay / 200));

type Io = Pick<MinuteIo, 'send' | 'sleep' | 'now' | 'progress'>;

/** A run under way. */
interface Run {
  readonly io: Io;
  readonly plan: DayPlan;
  /** The most calls of this run. */
  readonly most: number;
  admitted: number;
  refusedAfter: number | null;
  /** Calls in a row without an answer, up to now. */
  unanswered: number;
  /** Whether a call was refused since this was last reset. */
  refused: boolean;
  /** The share of the minute's limit that is used now. */
  pace: number;
  /** When the next call is due. */
  nextAt: number;
  /** The calls under way. */
  readonly pending: Set<Promise<void>>;
}

const mostPending = 64;
/** After this many calls in a row without an answer, the target counts as gone. */
const mostUnanswered = 20;

const total = ({ plan, admitted }: Run): number => plan.spent + admitted;
const isOver = ({ admitted, most, unanswered }: Run): boolean => admitted >= most || unanswered >= mostUnanswered;

function count(run: Run, { status }: Sample): void {
  if (status === 0 || status >= 500) {
    run.unanswered += 1;
  } else if (status === 429) {
    run.refused = true;
  } else {
    run.admitted += 1;
    run.unanswered = 0;
  }
}

/** Sends one call when it is due, without waiting for the answer. Calls are due at even intervals. */
async function sendNext(run: Run): Promise<void> {
  const { io, plan, pending } = run;
  const interval = plan.windowMs / (plan.limit * run.pace);
  await io.sleep(Math.max(0, run.nextAt - io.now()));
  // Delayed calls are not made up for in a burst, which could exceed the minute's limit.
  run.nextAt = Math.max(run.nextAt, io.now() - 2 * interval) + interval;
  if (pending.size >= mostPending) {
    await Promise.race(pending);
  }
  const call: Promise<void> = io
    .send('fill')
    .then((sample) => count(run, sample))
    .finally(() => pending.delete(call));
  pending.add(call);
}

/** Makes one call after a quiet minute. Returns whether it was admitted. */
async function callAfterQuiet(run: Run): Promise<boolean> {
  await run.io.sleep(1.1 * run.plan.windowMs);
  run.refused = false;
  count(run, await run.io.send('triage'));
  return !run.refused;
}

/** Whether a refusal is for the day: then not even two calls, each after a quiet minute, are admitted. */
async function isRefusedForDay(run: Run): Promise<boolean> {
  await Promise.all(run.pending);
  if (!run.refused) {
    return false;
  }
  const before = total(run);
  if ((await callAfterQuiet(run)) || (await callAfterQuiet(run))) {
    run.pace *= 0.9;
    run.refused = false;
    run.nextAt = run.io.now();
    return false;
  }
  run.refusedAfter = before;
  return true;
}

/** Sends calls until `goal` are admitted today, one after the other or at the pace, or until the run is over. */
async function fillTo(run: Run, goal: number, isSlow: boolean): Promise<void> {
  while (total(run) < goal && !isOver(run)) {
    if (run.refused && (await isRefusedForDay(run))) {
      return;
    }
    // The calls under way may be enough to reach the goal.
    if (total(run) + run.pending.size >= goal || run.admitted + run.pending.size >= run.most) {
      await Promise.all(run.pending);
      continue;
    }
    await sendNext(run);
    await Promise.all(isSlow ? run.pending : []);
    if (total(run) % 100 === 0) {
      run.io.progress?.('fill', total(run));
    }
  }
  await isRefusedForDay(run);
}

/**
 * Runs the procedure, and gives what `judgeDay` judges: the last calls of the day are made one by one after a quiet minute,
 * so that a refusal is for the day and its number exact. Throws only what `io` throws.
 */
export async function runDay(io: Io, plan: DayPlan): Promise<DayOutcome> {
  const { perDay, pace, calls } = plan;
  const most = calls ?? Infinity;
  const none = { admitted: 0, refusedAfter: null, unanswered: 0, refused: false };
  const run: Run = { io, plan, most, ...none, pace, nextAt: io.now(), pending: new Set() };
  await fillTo(run, perDay === null ? Infinity : perDay - 2, false);
  if (perDay !== null && run.refusedAfter === null && !isOver(run)) {
    await io.sleep(1.1 * plan.windowMs);
    await fillTo(run, perDay + 1, true);
  }
  if (perDay !== null && run.refusedAfter === null && !isOver(run)) {
    await fillTo(run, perDay + overshoot(perDay), false);
  }
  return { admitted: run.admitted, refusedAfter: run.refusedAfter };
}
