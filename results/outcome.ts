import { isDeepStrictEqual } from 'node:util';
import type { Finding } from './verdict.ts';

/** What a check found out. The engine turns it into a verdict. */
export interface Outcome {
  readonly failures: readonly Finding[];
  /** The parts that could not be decided; each finding says what would decide it. */
  readonly undecided: readonly Finding[];
  /** The parts that were not tried; each finding names the setting that forbids it. */
  readonly notTried?: readonly Finding[];
  /** How many comparisons were made. A check that compared nothing cannot pass. */
  readonly compared: number;
  /** What a gap clause's check saw. */
  readonly observed?: unknown;
}

/** Collects an outcome, comparison by comparison. */
export type Tally = ReturnType<typeof createTally>;

export function createTally() {
  const failures: Finding[] = [];
  const undecided: Finding[] = [];
  const notTried: Finding[] = [];
  let compared = 0;
  /** Adds a part that could not be decided. */
  const leaveOpen = (finding: Finding): void => addOnce(undecided, finding);
  /** Judges one part of a clause. Where it throws Inconclusive or Skipped, it stays open, and other parts go on. */
  async function part(judge: () => Promise<void> | void): Promise<void> {
    try {
      await judge();
    } catch (error) {
      if (error instanceof Inconclusive) {
        error.findings.forEach(leaveOpen);
      } else if (error instanceof Skipped) {
        addOnce(notTried, error.finding);
      } else {
        throw error;
      }
    }
  }
  return {
    /**
     * Counts comparisons: null means that it held, a finding that it failed. A finding about a call without a response
     * does not fail the clause; it leaves that part undecided (docs/verdicts.md, Time).
     */
    judge(...found: readonly (Finding | null)[]): void {
      for (const finding of found) {
        if (finding !== null && isUnanswered(finding)) {
          leaveOpen(finding);
        } else {
          compared += 1;
          failures.push(...(finding === null ? [] : [finding]));
        }
      }
    },
    leaveOpen,
    part,
    /** Judges each element as a part of its own, all at once. */
    async each<T>(all: readonly T[], judge: (one: T, index: number) => Promise<void> | void): Promise<void> {
      await Promise.all(all.map((one, index) => part(() => judge(one, index))));
    },
    /** Judges each element as a part of its own, one after the other. */
    async inTurn<T>(all: Iterable<T>, judge: (one: T) => Promise<void> | void): Promise<void> {
      for (const one of all) {
        await part(() => judge(one));
      }
    },
    /** Adds the outcome of another check of the same clause. */
    add(outcome: Outcome): void {
      failures.push(...outcome.failures);
      outcome.undecided.forEach(leaveOpen);
      notTried.push(...(outcome.notTried ?? []));
      compared += outcome.compared;
    },
    outcome: (observed?: unknown): Outcome => ({ failures, undecided, notTried, compared, observed }),
  };
}

function addOnce(findings: Finding[], finding: Finding): void {
  if (!findings.some((known) => isDeepStrictEqual(known, finding))) {
    findings.push(finding);
  }
}

/** Whether a finding is about a call that got no response. */
const isUnanswered = ({ request, response }: Finding): boolean => request !== undefined && response === undefined;

/**
 * Thrown by a check, or by a step that it needs, when its clause cannot be decided. The findings say what would decide
 * it.
 */
export class Inconclusive extends Error {
  readonly findings: readonly Finding[];
  constructor(...findings: readonly Finding[]) {
    super(findings[0]?.message ?? 'Cannot be decided');
    this.name = 'Inconclusive';
    this.findings = findings;
  }
}

/** Thrown when a clause is not tried. `needs` is the setting that would allow it, and the value that it must have. */
export class Skipped extends Error {
  readonly finding: Finding;
  constructor(message: string, needs?: NonNullable<Finding['needs']>) {
    super(message);
    this.name = 'Skipped';
    this.finding = needs === undefined ? { message } : { message, needs };
  }
}
