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
  /**
   * Comparisons: each holds where there is no finding. A finding on a call that got no response fails nothing, whatever the
   * clause (docs/verdicts.md, Time): it leaves its part open.
   */
  judge(...found: readonly (Finding | null)[]): void;
  /** A part that could not be decided. */
  leaveOpen(finding: Finding): void;
  /** A part that was not tried. */
  skip(finding: Finding): void;
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
      for (const finding of found) {
        if (finding !== null && isUnanswered(finding)) {
          this.leaveOpen(finding);
        } else {
          compared += 1;
          failures.push(...(finding === null ? [] : [finding]));
        }
      }
    },
    leaveOpen(finding) {
      if (!undecided.some((known) => isDeepStrictEqual(known, finding))) {
        undecided.push(finding);
      }
    },
    skip(finding) {
      if (!notTried.some((known) => isDeepStrictEqual(known, finding))) {
        notTried.push(finding);
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

/** Whether a finding is about a call that got no response. */
const isUnanswered = ({ request, response }: Finding): boolean => request !== undefined && response === undefined;

/** The outcome of comparisons that are all made. */
export function judged(...found: readonly (Finding | null)[]): Outcome {
  const tally = createTally();
  tally.judge(...found);
  return tally.outcome();
}

/** The outcome of a gap clause: what was seen. */
export const observed = (seen: unknown): Outcome => ({ failures: [], undecided: [], compared: 1, observed: seen });
