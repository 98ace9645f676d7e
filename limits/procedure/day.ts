// Fills a day at the pace the minute allows, and tells a minute's refusal from a day's. Pure: the caller gives the means.
import type { DayOutcome } from '../judge/day.ts';
import type { Sample } from '../judge/trace.ts';
import type { MinuteIo } from './minute.ts';

interface DayPlan {
  /** Documented requests a minute and a day; `perDay` is null where the documents say unlimited. */
  readonly limit: number;
  readonly perDay: number | null;
  readonly windowMs: number;
  readonly dayMs: number;
  /** Admitted today already, by earlier runs. */
  readonly spent: number;
  /** Most calls of this run; null: as many as the day takes. */
  readonly calls: number | null;
  /** Share of the minute's limit to keep to. */
  readonly pace: number;
  /** After the day's refusal, try until calls succeed again, for a day at most. */
  readonly restore: boolean;
}

/** How many calls beyond the documented day are tried before the limit counts as exceeded for good. */
const overshoot = (perDay: number): number => Math.max(3, Math.ceil(perDay / 200));

type Io = Pick<MinuteIo, 'send' | 'sleep' | 'now' | 'progress'>;

/** A day that is being filled. */
interface Run {
  readonly io: Io;
  readonly plan: DayPlan;
  readonly outcome: DayOutcome;
  /** Share of the minute's limit that is kept to now. */
  pace: number;
  /** When the next call is due in the even flow. */
  nextAt: number;
  /** A call was refused since this was last looked at. */
  refused: boolean;
  /** Calls under way. */
  readonly pending: Set<Promise<void>>;
}

const mostPending = 64;
/** How many answers in a row may be missing before the target counts as gone. */
const mostUnanswered = 20;

function take(run: Run, sample: Sample): void {
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

/** Sends one call at its place in the even flow, without waiting for the answer. */
async function flow(run: Run): Promise<void> {
  const { io, plan } = run;
  const interval = plan.windowMs / (plan.limit * run.pace);
  const now = io.now();
  if (run.nextAt > now) {
    await io.sleep(run.nextAt - now);
  }
  // A flow that fell behind does not catch up in a burst: that would overrun the minute.
  run.nextAt = Math.max(run.nextAt, now - 2 * interval) + interval;
  if (run.pending.size >= mostPending) {
    await Promise.race(run.pending);
  }
  const call: Promise<void> = io
    .send('fill')
    .then((sample) => {
      take(run, sample);
    })
    .finally(() => {
      run.pending.delete(call);
    });
  run.pending.add(call);
}

/** One call from a quiet minute: true where it was admitted. */
async function fromQuiet(run: Run, phase: string): Promise<boolean> {
  await run.io.sleep(1.1 * run.plan.windowMs);
  run.refused = false;
  take(run, await run.io.send(phase));
  return !run.refused;
}

/** After a refusal: a minute's is lifted by a quiet minute, a day's is not, twice over. True for a day's. */
async function isDays(run: Run): Promise<boolean> {
  await Promise.all(run.pending);
  const before = run.outcome.admitted;
  if ((await fromQuiet(run, 'triage')) || (await fromQuiet(run, 'triage'))) {
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

/** Flows until so many are admitted today; false where the day's refusal, the run's own bound or the target's end came first. */
async function fillTo(run: Run, goal: number, most: number): Promise<boolean> {
  let sent = run.outcome.admitted;
  while (total(run) < goal) {
    if (run.refused && (await isDays(run))) {
      return false;
    }
    if (run.outcome.unanswered >= mostUnanswered || run.outcome.admitted >= most) {
      return false;
    }
    // Calls under way may already be the ones that reach the goal.
    if (total(run) + run.pending.size >= goal || run.outcome.admitted + run.pending.size >= most) {
      await Promise.all(run.pending);
      continue;
    }
    await flow(run);
    sent += 1;
    if (sent % 100 === 0) {
      run.io.progress?.('fill', total(run));
    }
  }
  await Promise.all(run.pending);
  return !(run.refused && (await isDays(run)));
}

/** The last calls of the day one by one, from a fresh minute, so that a refusal is the day's and its number is exact. */
async function edge(run: Run, perDay: number, most: number): Promise<void> {
  await run.io.sleep(1.1 * run.plan.windowMs);
  while (total(run) <= perDay && run.outcome.admitted < most && run.outcome.unanswered < mostUnanswered) {
    take(run, await run.io.send('edge'));
    if (run.refused && (await isDays(run))) {
      return;
    }
  }
  if (run.outcome.admitted < most) {
    await fillTo(run, perDay + overshoot(perDay), most);
  }
}

async function awaitReturn(run: Run): Promise<void> {
  const { io, plan, outcome } = run;
  const step = Math.max(1.1 * plan.windowMs, plan.dayMs / 300);
  for (const end = io.now() + 1.05 * plan.dayMs; io.now() < end && !outcome.restored; ) {
    await io.sleep(step);
    run.refused = false;
    take(run, await io.send('restore'));
    outcome.restored = !run.refused && outcome.unanswered === 0;
    io.progress?.('waiting for the day to end', total(run));
  }
}

/** Runs the procedure; throws only what `io` throws. */
export async function runDay(io: Io, plan: DayPlan): Promise<DayOutcome> {
  const outcome = {
    admitted: 0,
    minuteRefusals: 0,
    refusedForDay: false,
    refusedAfter: null,
    restored: false,
    unanswered: 0,
  };
  const run: Run = { io, plan, outcome, pace: plan.pace, nextAt: io.now(), refused: false, pending: new Set() };
  const most = plan.calls ?? Infinity;
  const goal = plan.perDay === null ? plan.spent + most : plan.perDay - 2;
  const filled = await fillTo(run, goal, most);
  if (filled && plan.perDay !== null) {
    await edge(run, plan.perDay, most);
  }
  await Promise.all(run.pending);
  if (outcome.refusedForDay && plan.restore) {
    await awaitReturn(run);
  }
  return outcome;
}
