import { type Observed, observedChanges } from './drift.ts';
import type { ClauseResult, Drift, VerdictChange, Word } from './verdict.ts';

/** The parts of a run that `compareRuns` looks at. */
export interface Compared {
  readonly startedAt: string;
  readonly clauses: readonly Pick<
    ClauseResult,
    'id' | 'level' | 'verdict' | 'findings' | 'observed' | 'waiver' | 'outside' | 'cutShort'
  >[];
  readonly observed: Observed;
}

export interface Comparison {
  readonly verdicts: readonly VerdictChange[];
  readonly facts: readonly Drift[];
  /** How many clauses both runs got to. */
  readonly inBoth: number;
  /** How many clauses the earlier run got to, and the later one did not since it was cut short. */
  readonly cutShort: number;
  /** How many clauses only one of the runs got to, as was chosen. */
  readonly notChosen: number;
}

type Row = Compared['clauses'][number];

/** What readers are told became of the clause; null if the run did not get to it. */
const wordOf = (row: Row): Word | null => {
  if (row.outside !== undefined || row.cutShort) {
    return null;
  }
  return row.waiver === undefined ? row.verdict : 'waived';
};

/** What became of each clause that the run got to. */
export const wordsOf = (rows: readonly Row[]): ReadonlyMap<string, Word> =>
  new Map(
    rows.flatMap((row) => {
      const word = wordOf(row);
      return word === null ? [] : [[row.id, word] as const];
    }),
  );

/** What changed from one run to another: verdicts, and facts that were observed for gap clauses. */
export function compareRuns(before: Compared, now: Compared): Comparison {
  const [was, is] = [wordsOf(before.clauses), wordsOf(now.clauses)];
  const inBoth = [...was.keys()].filter((id) => is.has(id)).length;
  const cutShort = now.clauses.filter((row) => row.cutShort && row.outside === undefined && was.has(row.id)).length;
  return {
    verdicts: verdictChanges(was, now.clauses),
    facts: observedChanges(before.observed, now.observed),
    inBoth,
    cutShort,
    notChosen: was.size + is.size - 2 * inBoth - cutShort,
  };
}

/** The clauses whose verdicts differ. A clause that one of the runs did not get to counts as unchanged. */
export function verdictChanges(before: ReadonlyMap<string, Word>, now: readonly Row[]): readonly VerdictChange[] {
  return now.flatMap((row) => {
    const [was, is] = [before.get(row.id), wordOf(row)];
    const finding = row.findings[0]?.message ?? null;
    return was === undefined || is === null || was === is ? [] : [{ id: row.id, before: was, now: is, finding }];
  });
}
