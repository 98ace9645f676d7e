import { type Observed, observedChanges } from './drift.ts';
import type { ClauseResult, Drift, Word } from './verdict.ts';

/** One run, as far as two are compared. */
export interface Compared {
  readonly startedAt: string;
  readonly clauses: readonly Pick<
    ClauseResult,
    'id' | 'level' | 'verdict' | 'findings' | 'observed' | 'waiver' | 'outside'
  >[];
  readonly observed: Observed;
}

/** A clause whose verdict changed. */
interface VerdictChange {
  readonly id: string;
  readonly before: Word;
  readonly now: Word;
  readonly finding: string | null;
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

/**
 * What changed from one run to another: verdicts clause by clause, and facts observed for the gaps. A clause that one of the
 * two was not to judge has not changed.
 */
export function compareRuns(before: Compared, now: Compared): Comparison {
  const [old, fresh] = [before, now].map(({ clauses }) => new Map(clauses.map((row) => [row.id as string, row])));
  const ids = [...new Set([...(old?.keys() ?? []), ...(fresh?.keys() ?? [])])];
  return {
    verdicts: ids.flatMap((id) => {
      const [was, is] = [wordOf(old?.get(id)), wordOf(fresh?.get(id))];
      const finding = fresh?.get(id)?.findings[0]?.message ?? null;
      return was === null || is === null || was === is ? [] : [{ id, before: was, now: is, finding }];
    }),
    facts: observedChanges(before.observed, now.observed),
  };
}
