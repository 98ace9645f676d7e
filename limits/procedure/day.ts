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
  readonly outcome: DayOutcome;
  /** The share of the minute's limit that is used now. */
  pace: number;
  /** When the next call is due. */
  nextAt: number;
  /** Whether a call was refused since this was last reset. */
  refused: boolean;
  /** The calls under way. */
  readonly pending: Set<Promise<void>>;
}

const mostPending = 64;
/** After this many calls in a row without an answer, the target counts as gone. */
const mostUnanswered = 20;

function count(run: Run, sample: Sample): void {
  const { outcome } = run;
  if (sample.status === 0 || sample.status >= 500) {
    outcome.unanswered += 1;
  } else if (sample.status === 429) {
    run.refused = true;
  } else {
    outcome.admitted += 1;
    outcome.unanswered = 0;
  }
}

/** Sends one call when it is due, without waiting for the answer. Calls are due at even intervals. */
async function sendNext(run: Run): Promise<void> {
  const { io, plan } = run;
  const interval = plan.windowMs / (plan.limit * run.pace);
  const now = io.now();
  if (run.nextAt > now) {
    await io.sleep(run.nextAt - now);
  }
  // Delayed calls are not made up for in a burst, which could exceed the minute's limit.
  run.nextAt = Math.max(run.nextAt, now - 2 * interval) + interval;
  if (run.pending.size >= mostPending) {
    await Promise.race(run.pending);
  }
  const call: Promise<void> = io
    .send('fill')
    .then((sample) => {
      count(run, sample);
    })
    .finally(() => {
      run.pending.delete(call);
    });
  run.pending.add(call);
}

/** Makes one call after a quiet minute. Returns whether it was admitted. */
async function callAfterQuiet(run: Run, phase: string): Promise<boolean> {
  await run.io.sleep(1.1 * run.plan.windowMs);
  run.refused = false;
  count(run, await run.io.send(phase));
  return !run.refused;
}

/** Whether a refusal is for the day: then not even two calls, each after a quiet minute, are admitted. */
async function isRefusedForDay(run: Run): Promise<boolean> {
  await Promise.all(run.pending);
  const before = run.outcome.admitted;
  if ((await callAfterQuiet(run, 'triage')) || (await callAfterQuiet(run, 'triage'))) {
    run.outcome.minuteRefusals += 1;
    run.pace *= 0.9;
    run.refused = false;
    run.nextAt = run.io.now();
    return false;
  }
  run.outcome.refusedForDay = true;
  run.outcome.refusedAfter = run.plan.spent + before;
  return true;
}

const total = (run: Run): number => run.plan.spent + run.outcome.admitted;

/**
 * Sends calls until `goal` are admitted today. Returns false if that was not reached: calls were refused for the day,
 * this run made the `most` calls it may, or the target does not answer.
 */
async function fillTo(run: Run, goal: number, most: number): Promise<boolean> {
  let sent = run.outcome.admitted;
  while (total(run) < goal) {
    if (run.refused && (await isRefusedForDay(run))) {
      return false;
    }
    if (run.outcome.unanswered >= mostUnanswered || run.outcome.admitted >= most) {
      return false;
    }
    // The calls under way may be enough to reach the goal.
    if (total(run) + run.pending.size >= goal || run.outcome.admitted + run.pending.size >= most) {
      await Promise.all(run.pending);
      continue;
    }
    await sendNext(run);
    sent += 1;
    if (sent % 100 === 0) {
      run.io.progress?.('fill', total(run));
    }
  }
  await Promise.all(run.pending);
  return !(run.refused && (await isRefusedForDay(run)));
}

/**
 * Makes the last calls of the day one by one after a quiet minute, so that a refusal is for the day and its number
 * exact.
 */
async function crossEdge(run: Run, perDay: number, most: number): Promise<void> {
  await run.io.sleep(1.1 * run.plan.windowMs);
  while (total(run) <= perDay && run.outcome.admitted < most && run.outcome.unanswered < mostUnanswered) {
    count(run, await run.io.send('edge'));
    if (run.refused && (await isRefusedForDay(run))) {
      return;
    }
  }
  if (run.outcome.admitted < most) {
    await fillTo(run, perDay + overshoot(perDay), most);
  }
}

/** Runs the procedure, and gives what `judgeDay` judges. Throws only what `io` throws. */
export async function runDay(io: Io, plan: DayPlan): Promise<DayOutcome> {
  const outcome = {
    admitted: 0,
    minuteRefusals: 0,
    refusedForDay: false,
    refusedAfter: null,
    unanswered: 0,
  };
  const run: Run = { io, plan, outcome, pace: plan.pace, nextAt: io.now(), refused: false, pending: new Set() };
  const most = plan.calls ?? Infinity;
  const goal = plan.perDay === null ? plan.spent + most : plan.perDay - 2;
  const filled = await fillTo(run, goal, most);
  if (filled && plan.perDay !== null) {
    await crossEdge(run, plan.perDay, most);
  }
  await Promise.all(run.pending);
  return outcome;
}
