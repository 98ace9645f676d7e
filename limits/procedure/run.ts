import { judge, type Verdict } from '../judge/judge.ts';
import { callsOf, type Sample, type Terms } from '../judge/trace.ts';

/** What a procedure needs of the world. `send` does not throw: no response is a sample with status 0. */
export interface Io {
  /** One call with the judged key. `phase` goes into the sample. Called many times without waiting, for a burst. */
  readonly send: (phase: string) => Promise<Sample>;
  readonly sleep: (ms: number) => Promise<void>;
  /** The clock that samples are stamped with, in ms. */
  readonly now: () => number;
  /** Told after each step, for progress. */
  readonly progress?: (step: string, calls: number) => void;
}

/** A drive under way. */
export interface Run {
  readonly io: Io;
  readonly terms: Terms;
  /** Every call so far; those that were made before included. */
  readonly samples: Sample[];
  /** How many calls were made, and the most that may be made. */
  sent: number;
  cap: number;
  /** The verdict on the calls up to `last`, kept because it is asked for several times between two steps. */
  judged?: { readonly last: Sample | undefined; readonly verdict: Verdict };
}

export const wait = ({ io }: Run, ms: number): Promise<void> => io.sleep(Math.max(0, ms));

export function keep(run: Run, samples: readonly Sample[], phase: string): void {
  run.samples.push(...samples);
  run.sent += samples.length;
  run.io.progress?.(phase, run.sent);
}

/** Sends that many calls at once, up to the cap. */
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

/** How many calls with the key were refused so far. */
export const refusals = (run: Run): number =>
  callsOf(run.samples, keyOf(run)).filter(({ outcome }) => outcome === 'refused').length;

/** How long beyond a window's length calls may still be refused, as a share of the window. */
export const graceShare = 4 / 60;

/** How often a drive follows calls that come back. */
export const mostRounds = 4;
