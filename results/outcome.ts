import { isDeepStrictEqual } from 'node:util';
import type { Finding } from './verdict.ts';

/** What a check found out; the engine makes the verdict of it. */
export interface Outcome {
  readonly failures: readonly Finding[];
  /** Parts that could not be decided, each with what would decide it. */
  readonly undecided: readonly Finding[];
  /** Parts that were not tried, each with the setting that forbade it. */
  readonly notTried?: readonly Finding[];
  /** How many comparisons were made: a check that compared nothing cannot pass. */
  readonly compared: number;
  /** What was seen where the documents are silent. */
  readonly observed?: unknown;
}

/** Collects an outcome, comparison by comparison. */
export interface Tally {
  /** A comparison: holds where there is no finding. */
  judge(...found: readonly (Finding | null)[]): void;
  /** A part that could not be decided. */
  leaveOpen(finding: Finding): void;
  /** A part that was not tried: the message names the setting. */
  skip(message: string): void;
  /** Takes in what another check of the same clause found. */
  add(outcome: Outcome): void;
  outcome(observed?: unknown): Outcome;
}

export function createTally(): Tally {
  const failures: Finding[] = [];
  const undecided: Finding[] = [];
  const notTried: Finding[] = [];
  let compared = 0;
  return {
    judge(...found) {
      compared += found.length;
      failures.push(...found.filter((finding) => finding !== null));
    },
    leaveOpen(finding) {
      if (!undecided.some((known) => isDeepStrictEqual(known, finding))) {
        undecided.push(finding);
      }
    },
    skip(message) {
      if (!notTried.some((finding) => finding.message === message)) {
        notTried.push({ message });
      }
    },
    add(outcome) {
      failures.push(...outcome.failures);
      outcome.undecided.forEach((finding) => {
        this.leaveOpen(finding);
      });
      notTried.push(...(outcome.notTried ?? []));
      compared += outcome.compared;
    },
    outcome: (observed) => ({ failures, undecided, notTried, compared, observed }),
  };
}

/** The outcome of comparisons that are all made. */
export function judged(...found: readonly (Finding | null)[]): Outcome {
  const tally = createTally();
  tally.judge(...found);
  return tally.outcome();
}

/** The outcome of a gap clause: what was seen. */
export const observed = (seen: unknown): Outcome => ({ failures: [], undecided: [], compared: 1, observed: seen });
