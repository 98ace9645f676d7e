// Drives one key over the minute's limit and gives back the trace that load/judge/judge.ts decides on.
//
//   import { runMinute, type MinuteIo, type MinutePlan } from '../load/procedure/minute.ts';
//   const samples = await runMinute({ send, sleep, now, intrude }, { limit: 60, windowMs: 60_000 / CLOCK_SPEED });
//   const verdict = judge(samples, { limit: 60, windowMs: 60_000 / CLOCK_SPEED });
//
// Sends about limit + 25 calls and takes at most about one and a half windows; where the trace stays open it fills a
// second window (about another limit). Pure: the caller gives the means to send, sleep and read the clock.

import { firstNumber, showsMinute } from '../judge/headers.ts';
import { judge, slackOf } from '../judge/judge.ts';
import { callsOf, type Sample } from '../judge/trace.ts';

/** What the procedure needs of the world. `send` and `intrude` never throw: no answer is a sample with status 0. */
export type MinuteIo = {
  /** One call with the judged key. `phase` goes into the sample. Called many times without waiting, for a burst. */
  send: (phase: string) => Promise<Sample>;
  sleep: (ms: number) => Promise<void>;
  /** The clock that samples are stamped with. */
  now: () => number;
  /** One call with an unknown key (or none), under another key label: a limiter that counts by address is caught so. */
  intrude?: () => Promise<Sample>;
  /** Told after each step, for progress. */
  progress?: (step: string, calls: number) => void;
};

export type MinutePlan = {
  limit: number;
  windowMs: number;
  /** True for a key that nobody used in the last two windows (a key made for this). Otherwise idleness is waited for. */
  idle?: boolean;
  /** Most calls in all. Default 4 × limit + 100. */
  maxCalls?: number;
};

type Run = { io: MinuteIo; plan: MinutePlan; samples: Sample[]; sent: number; cap: number };

const PROBE_SHARE = 2.137 / 60;

async function fire(run: Run, count: number, phase: string): Promise<Sample[]> {
  const room = Math.max(0, Math.min(count, run.cap - run.sent));
  run.sent += room;
  const sent = Array.from({ length: room }, () => run.io.send(phase));
  const samples = await Promise.all(sent);
  run.samples.push(...samples);
  run.io.progress?.(phase, run.sent);
  return samples;
}

const admitted = (sample: Sample): boolean => sample.status !== 0 && sample.status < 400;
const refusals = (run: Run): number =>
  callsOf(run.samples, run.samples[0]?.key ?? '').filter((call) => call.fate === 'refused').length;

/**
 * Sends the opener, once the key is idle: at once where the plan says so or Remaining shows it, otherwise after two
 * quiet windows. Earlier calls stay in the trace.
 */
async function begin(run: Run): Promise<void> {
  const { limit, windowMs, idle } = run.plan;
  await settleClock(run);
  const [first] = await fire(run, 1, 'opener');
  if (idle === true || first === undefined) {
    return;
  }
  const remaining = firstNumber(first.remaining);
  if (showsMinute(first, limit) && remaining !== null && remaining >= limit - 1) {
    return;
  }
  await run.io.sleep(2 * windowMs);
  await settleClock(run);
  run.samples.length = 0;
  await fire(run, 1, 'opener');
}

/**
 * At real speed, waits for a moment from which neither the opener nor the burst lies near a full minute of the client's
 * clock, so that windows that start on the minute and windows that start with the first call end at different times.
 */
async function settleClock(run: Run): Promise<void> {
  if (run.plan.windowMs !== 60_000) {
    return;
  }
  const second = (run.io.now() / 1000) % 60;
  const wait = second < 5 ? 5 - second : second > 33 ? 65 - second : 0;
  if (wait > 0) {
    await run.io.sleep(wait * 1000);
  }
}

async function intrude(run: Run): Promise<void> {
  if (run.io.intrude === undefined) {
    return;
  }
  const { intrude: once } = run.io;
  run.samples.push(...(await Promise.all([once(), once(), once()])));
}

/** Fills the window until something is refused: a little over the limit at first, then in steps. */
async function burst(run: Run, phase: string, calls: number): Promise<boolean> {
  const before = refusals(run);
  await fire(run, calls, phase);
  while (refusals(run) === before && run.sent < run.cap) {
    await fire(run, Math.ceil(run.plan.limit / 2), phase);
  }
  return refusals(run) > before;
}

/** Calls now and then until one is admitted again. True when one was. */
async function probe(run: Run, deadline: number): Promise<boolean> {
  const { limit, windowMs } = run.plan;
  await run.io.sleep(Math.max(windowMs / 300, (1.5 * windowMs) / limit));
  for (;;) {
    const [sample] = await fire(run, 1, 'probe');
    if (sample === undefined) {
      return false;
    }
    if (admitted(sample)) {
      return true;
    }
    const rest = sample.sentAt + PROBE_SHARE * windowMs - run.io.now();
    if (rest > 0) {
      await run.io.sleep(rest);
    }
    if (run.io.now() > deadline) {
      return false;
    }
  }
}

/** What the trace so far leaves open: nothing, the exact number (a filled window tells it), or the verdict itself. */
function open(run: Run): 'nothing' | 'number' | 'verdict' {
  const { perMinute, window, evidence, foreign } = judge(run.samples, run.plan);
  if (foreign) {
    return 'nothing';
  }
  if (
    perMinute.verdict === 'holds' ||
    window.algorithm === 'token bucket' ||
    window.algorithm === 'spacing or small bucket'
  ) {
    return 'nothing';
  }
  if (perMinute.verdict === 'undecided' || (perMinute.verdict === 'more' && evidence.outcomes.length > 1)) {
    return 'verdict';
  }
  return perMinute.enforced === null ? 'number' : 'nothing';
}

const ROUNDS = 3;

/** From a full window on: waits for the return, tries it, and fills another window where that is needed. */
async function rounds(run: Run, filledAt: number): Promise<void> {
  const { limit, windowMs } = run.plan;
  const followUp = Math.ceil(2 * PROBE_SHARE * limit) + 3;
  let since = filledAt;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (!(await probe(run, since + windowMs * (1 + 4 / 60)))) {
      return;
    }
    // Clear of the edge by more than the clocks may differ, so that these calls are in the new window beyond doubt.
    await run.io.sleep(5 * slackOf(windowMs));
    await fire(run, followUp, 'follow-up');
    if (open(run) === 'nothing') {
      return;
    }
    await burst(run, 'second burst', Math.max(1, limit + 3 - followUp - 1));
    since = run.io.now();
    if (open(run) !== 'verdict') {
      return;
    }
  }
}

/** Runs the procedure. Gives the samples in order of arrival; throws only what `io` throws. */
export async function runMinute(io: MinuteIo, plan: MinutePlan): Promise<Sample[]> {
  const { limit, windowMs } = plan;
  const run: Run = { io, plan, samples: [], sent: 0, cap: plan.maxCalls ?? 4 * limit + 100 };
  await begin(run);
  const opened = run.samples[0]?.sentAt ?? io.now();
  await io.sleep(Math.max(0, opened + windowMs / 3 - io.now()));
  await intrude(run);
  if (await burst(run, 'burst', limit + 3)) {
    await rounds(run, io.now());
  }
  return run.samples;
}
