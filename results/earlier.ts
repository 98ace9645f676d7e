import { observedChanges, profileOf } from './drift.ts';
import { type ClauseResult, type Run, wordOf } from './verdict.ts';

/** A run as read from its conformance.json: the parts that later commands look back at. */
export type EarlierRun = Pick<Run, 'startedAt' | 'clauses' | 'embedded' | 'conformant'>;

export type Comparison = ReturnType<typeof compareRuns>;

/** The clauses that a run got to, by id. */
const reached = ({ clauses }: EarlierRun): ReadonlyMap<string, ClauseResult> =>
  new Map(clauses.filter(({ outside, cutShort }) => outside === undefined && !cutShort).map((row) => [row.id, row]));

/** What changed from one run to another: verdicts, and facts that were observed for gap clauses. */
export function compareRuns(before: EarlierRun, now: EarlierRun) {
  const was = reached(before);
  const is = reached(now);
  const both = [...is.values()].flatMap((row) => {
    const earlier = was.get(row.id);
    return earlier === undefined ? [] : [{ id: row.id as string, earlier, row }];
  });
  const isCutShort = now.clauses.some((row) => row.cutShort && row.outside === undefined && was.has(row.id));
  return {
    verdicts: both
      .map(({ id, earlier, row }) => ({
        id,
        before: wordOf(earlier),
        now: wordOf(row),
        /** The message of the first finding now. */
        finding: row.findings[0]?.message ?? null,
      }))
      .filter((change) => change.before !== change.now),
    facts: observedChanges(profileOf(before.clauses), profileOf(now.clauses)),
    /** How many clauses both runs got to. */
    inBoth: both.length,
    /** How many clauses only one of the runs got to. */
    inOne: was.size + is.size - 2 * both.length,
    /** Whether the later run was cut short before clauses that the earlier one got to. */
    isCutShort,
  };
}
