// A drive under way: what it calls with, what it has seen, and how it makes calls.
import { judge, type Verdict } from '../judge/judge.ts';
import { callsOf, type Sample, type Terms } from '../judge/trace.ts';

/** A call of another kind, with its `route` in the sample; null: it can no longer be made, and was not. */
export type Probe = (phase: string) => Promise<Sample | null>;

/** What the caller provides: ways to send, and time. No function that sends may throw: no response is a sample with status 0. */
export interface MinuteIo {
  /**
   * Makes one call with the judged key; `phase` goes into the sample. For a burst it is called many times without
   * waiting.
   */
  readonly send: (phase: string) => Promise<Sample>;
  readonly sleep: (ms: number) => Promise<void>;
  /** The clock of the samples, in ms. */
  readonly now: () => number;
  /**
   * Makes one call with an unknown key (or none), whose sample has another key label. It shows a limiter that counts by
   * address.
   */
  readonly intrude?: () => Promise<Sample>;
  /**
   * Calls of other kinds that were accepted before: another endpoint, one with parameters, a write, one in query mode, one
   * with another key of the same budget. Each is made once while the key is refused.
   */
  readonly probes?: readonly Probe[];
  /** Called if calls are refused while that many others are in flight. The key is then driven with fewer at once. */
  readonly crowded?: (atOnce: number) => void;
}

export interface MinutePlan extends Terms {
  /** Whether nobody used the key in the last two windows. If not, the procedure waits until it is idle. */
  readonly idle?: boolean;
}

/** A drive of one key over its limit, under way. */
export interface Run {
  readonly io: MinuteIo;
  readonly terms: MinutePlan;
  /** All calls so far. */
  readonly samples: Sample[];
  /** How many calls the drive has made, and how many it may make. */
  sent: number;
  cap: number;
  /** The verdict on the calls up to `last`. Kept, since several steps ask for it before the next call. */
  judged?: { readonly last: Sample | undefined; readonly verdict: Verdict };
}

export const wait = ({ io }: Run, ms: number): Promise<void> => io.sleep(Math.max(0, ms));

/** Adds samples to the run. */
export function keep(run: Run, samples: readonly Sample[]): void {
  run.samples.push(...samples);
  run.sent += samples.length;
}

/** Makes that many concurrent calls, as far as the cap allows. */
export async function fire(run: Run, count: number, phase: string): Promise<Sample[]> {
  const room = Math.max(0, Math.min(count, run.cap - run.sent));
  const samples = await Promise.all(Array.from({ length: room }, () => run.io.send(phase)));
  keep(run, samples);
  return samples;
}

export const keyOf = ({ samples }: Run): string => samples.find(({ phase }) => phase === 'opener')?.key ?? '';

/** The verdict on the calls so far. */
export function judged(run: Run): Verdict {
  const last = run.samples.at(-1);
  if (run.judged === undefined || run.judged.last !== last) {
    run.judged = { last, verdict: judge(run.samples, { ...run.terms, key: keyOf(run) }) };
  }
  return run.judged.verdict;
}

/** How many calls with the key have been refused so far. */
const refusals = (run: Run): number =>
  callsOf(run.samples, keyOf(run)).filter(({ outcome }) => outcome === 'refused').length;

/** After this many calls, all of which were admitted, a limit that is certainly exceeded needs no more. */
const enough = (limit: number): number => limit + 500;

/** Makes `calls` calls, and then more until one is refused, or none will be. Returns whether any was refused. */
export async function fill(run: Run, phase: string, calls: number): Promise<boolean> {
  const { limit, windowMs } = run.terms;
  const before = refusals(run);
  const sentBefore = run.sent;
  const first = await fire(run, calls, phase);
  if (refusals(run) > before) {
    return true;
  }
  // If a response took a quarter of a window, the deployment delays calls instead of refusing them: more would take longer.
  if (first.some(({ sentAt, receivedAt }) => receivedAt - sentAt > windowMs / 4)) {
    return false;
  }
  await fire(run, limit + 3 - calls, phase);
  while (refusals(run) === before && run.sent < run.cap) {
    const { perMinute, evidence } = judged(run);
    const isSure = evidence.isSettled || evidence.mostInAWindow > 2 * limit;
    if (run.sent - sentBefore >= enough(limit) && perMinute.verdict === 'more' && isSure) {
      break;
    }
    const step = await fire(run, Math.ceil(limit / 2), phase);
    if (step.every(({ status }) => status === 0)) {
      break;
    }
  }
  return refusals(run) > before;
}

/** For which share of a window beyond its length calls may still be refused. */
export const graceShare = 4 / 60;

/** How many returns a drive follows. */
export const mostRounds = 4;
