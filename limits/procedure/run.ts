import { judge, type Verdict } from '../judge/judge.ts';
import { callsOf, type Sample, type Terms } from '../judge/trace.ts';

/** What the caller of a procedure provides. */
export interface Io {
  /**
   * Makes one call with the judged key; `phase` goes into the sample. For a burst it is called many times without
   * waiting. Must not throw: no response is a sample with status 0.
   */
  readonly send: (phase: string) => Promise<Sample>;
  readonly sleep: (ms: number) => Promise<void>;
  /** The clock of the samples, in ms. */
  readonly now: () => number;
  /** Called after each step, to show progress. */
  readonly progress?: (step: string, calls: number) => void;
}

/** A drive under way. */
export interface Run {
  readonly io: Io;
  readonly terms: Terms;
  /** All calls so far, including those made before the drive. */
  readonly samples: Sample[];
  /** How many calls the drive has made, and how many it may make. */
  sent: number;
  cap: number;
  /** The verdict on the calls up to `last`. Kept, since several steps ask for it before the next call. */
  judged?: { readonly last: Sample | undefined; readonly verdict: Verdict };
}

export const wait = ({ io }: Run, ms: number): Promise<void> => io.sleep(Math.max(0, ms));

/** Adds samples to the run. */
export function keep(run: Run, samples: readonly Sample[], phase: string): void {
  run.samples.push(...samples);
  run.sent += samples.length;
  run.io.progress?.(phase, run.sent);
}

/** Makes that many concurrent calls, as far as the cap allows. */
export async function fire(run: Run, count: number, phase: string): Promise<Sample[]> {
  const room = Math.max(0, Math.min(count, run.cap - run.sent));
  const samples = await Promise.all(Array.from({ length: room }, () => run.io.send(phase)));
  keep(run, samples, phase);
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
export const refusals = (run: Run): number =>
  callsOf(run.samples, keyOf(run)).filter(({ outcome }) => outcome === 'refused').length;

/** For which share of a window beyond its length calls may still be refused. */
export const graceShare = 4 / 60;

/** How many returns a drive follows. */
export const mostRounds = 4;
