import { type Observed, observedChanges } from './drift.ts';
import type { ClauseResult, Drift, VerdictChange, Word } from './verdict.ts';

/** One run, as far as two are compared. */
export interface Compared {
  readonly startedAt: string;
  readonly clauses: readonly Pick<
    ClauseResult,
    'id' | 'level' | 'verdict' | 'findings' | 'observed' | 'waiver' | 'outside'
  >[];
  readonly observed: Observed;
}

export interface Comparison {
  readonly verdicts: readonly VerdictChange[];
  readonly facts: readonly Drift[];
}

type Row = Compared['clauses'][number];

/** null where the run has no such clause, or was not to judge it. */
const wordOf = (row: Row | undefined): Word | null => {
  if (row === undefined || row.outside !== undefined) {
    return null;
  }
  return row.waiver === undefined ? row.verdict : 'waived';
};

/** What changed from one run to another: verdicts clause by clause, and facts observed for the gaps. */
export const compareRuns = (before: Compared, now: Compared): Comparison => ({
  verdicts: verdictChanges(before.clauses, now.clauses),
  facts: observedChanges(before.observed, now.observed),
});

/** The clauses whose verdicts differ. One that either run was not to judge has not changed. */
export function verdictChanges(before: readonly Row[], now: readonly Row[]): readonly VerdictChange[] {
  const old = new Map(before.map((row) => [row.id, row]));
  return now.flatMap((row) => {
    const [was, is] = [wordOf(old.get(row.id)), wordOf(row)];
    const finding = row.findings[0]?.message ?? null;
    return was === null || is === null || was === is ? [] : [{ id: row.id, before: was, now: is, finding }];
  });
}
