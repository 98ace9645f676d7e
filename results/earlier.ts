import { isObject, member } from '../common/json.ts';
import { type Observed, observedChanges, profileOf } from './drift.ts';
import { type ClauseResult, verdicts, wordOf } from './verdict.ts';

/** A run as read from its conformance.json: the parts that later commands look back at. */
export interface EarlierRun {
  readonly startedAt: string;
  readonly clauses: readonly ClauseResult[];
  readonly observed: Observed;
  readonly conformant: boolean | null;
  /** Whether it judged the built-in reference. */
  readonly embedded: boolean;
}

const isText = (value: unknown): value is string => typeof value === 'string';

const isRow = (row: unknown): row is ClauseResult =>
  isObject(row) &&
  [row.id, row.level].every(isText) &&
  verdicts.some((verdict) => verdict === row.verdict) &&
  Array.isArray(row.findings) &&
  row.findings.every((finding) => isText(member(finding, 'message')));

/** The run in a conformance.json. Throws an Error that says what is wrong with the file. */
export function parseRun(json: unknown): EarlierRun {
  if (!isObject(json) || json.format !== 1 || !isText(json.startedAt)) {
    throw new Error('it is no report of format 1');
  }
  const { startedAt, clauses, conformant, embedded } = json;
  if (!Array.isArray(clauses) || !clauses.every(isRow)) {
    throw new Error('its clauses are not as this suite writes them');
  }
  return {
    startedAt,
    clauses,
    observed: profileOf(clauses),
    conformant: typeof conformant === 'boolean' ? conformant : null,
    embedded: embedded === true,
  };
}

export type Comparison = ReturnType<typeof compareRuns>;

/** The clauses that a run got to, by id. */
const reached = ({ clauses }: EarlierRun): ReadonlyMap<string, ClauseResult> =>
  new Map(clauses.filter(({ outside, cutShort }) => outside === undefined && !cutShort).map((row) => [row.id, row]));

/** What changed from one run to another: verdicts, and facts that were observed for gap clauses. */
export function compareRuns(before: EarlierRun, now: EarlierRun) {
  const [was, is] = [reached(before), reached(now)];
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
    facts: observedChanges(before.observed, now.observed),
    /** How many clauses both runs got to. */
    inBoth: both.length,
    /** How many clauses only one of the runs got to. */
    inOne: was.size + is.size - 2 * both.length,
    /** Whether the later run was cut short before clauses that the earlier one got to. */
    isCutShort,
  };
}
