import { isObject, member } from '../common/json.ts';
import type { ApiName } from '../contract/clause.ts';
import { type Observed, observedChanges, profileOf } from './drift.ts';
import {
  type ClauseResult,
  type Drift,
  type Run,
  type Since,
  type VerdictChange,
  verdicts,
  type Word,
} from './verdict.ts';

/** No conformance.json of this suite is larger, in bytes. */
export const largestReport = 50_000_000;

type Row = Pick<ClauseResult, 'id' | 'level' | 'verdict' | 'findings' | 'observed' | 'waiver' | 'outside' | 'cutShort'>;

/** A run as read from its conformance.json: the parts that later runs look back at. */
export interface EarlierRun {
  readonly startedAt: string;
  readonly clauses: readonly Row[];
  readonly observed: Observed;
  readonly conformant: boolean | null;
  readonly embedded: boolean;
  /** By API. */
  readonly urls: Readonly<Record<string, unknown>>;
}

/** Whether the time at which a run began is written as this suite writes it: it is shown, and names a folder. */
export const isInstant = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]{8,16}Z$/.test(text);

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
  const { startedAt, clauses, conformant, embedded, targets } = json;
  if (!Array.isArray(clauses) || !clauses.every(isRow)) {
    throw new Error('its clauses are not as this suite writes them');
  }
  const urls = Object.entries(isObject(targets) ? targets : {}).map(([api, target]) => [api, member(target, 'url')]);
  return {
    startedAt,
    clauses,
    observed: profileOf(clauses),
    conformant: typeof conformant === 'boolean' ? conformant : null,
    embedded: embedded === true,
    urls: Object.fromEntries(urls),
  };
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

/** What readers are told became of the clause; null if the run did not get to it. */
const wordOf = ({ verdict, waiver, outside, cutShort }: Row): Word | null =>
  outside !== undefined || cutShort ? null : waiver === undefined ? verdict : 'waived';

/** What became of each clause that the run got to. */
const wordsOf = (rows: readonly Row[]): ReadonlyMap<string, Word> =>
  new Map(rows.flatMap((row) => (wordOf(row) === null ? [] : [[row.id, wordOf(row) as Word]])));

/** The clauses whose verdicts differ. A clause that one of the runs did not get to counts as unchanged. */
function verdictChanges(before: readonly Row[], now: readonly Row[]): readonly VerdictChange[] {
  const earlier = wordsOf(before);
  return now.flatMap((row) => {
    const [was, is] = [earlier.get(row.id), wordOf(row)];
    const finding = row.findings[0]?.message ?? null;
    return was === undefined || is === null || was === is ? [] : [{ id: row.id, before: was, now: is, finding }];
  });
}

/** What changed from one run to another: verdicts, and facts that were observed for gap clauses. */
export function compareRuns(before: EarlierRun, now: EarlierRun): Comparison {
  const [was, is] = [wordsOf(before.clauses), wordsOf(now.clauses)];
  const inBoth = [...was.keys()].filter((id) => is.has(id)).length;
  const cutShort = now.clauses.filter((row) => row.cutShort && row.outside === undefined && was.has(row.id)).length;
  return {
    verdicts: verdictChanges(before.clauses, now.clauses),
    facts: observedChanges(before.observed, now.observed),
    inBoth,
    cutShort,
    notChosen: was.size + is.size - 2 * inBoth - cutShort,
  };
}

type Now = Pick<Run, 'targets' | 'embedded' | 'clauses'>;

/** The verdicts that changed since the run before; null if there is none, or if that judged another deployment. */
export const sinceOf = (before: EarlierRun | null, now: Now): Since | null =>
  before === null || !isInstant(before.startedAt) || !isSameDeployment(before, now)
    ? null
    : { startedAt: before.startedAt, changes: verdictChanges(before.clauses, now.clauses) };

/** Whether both judged the same URLs. The embedded reference counts as one deployment, whatever its port. */
function isSameDeployment(before: EarlierRun, now: Now): boolean {
  if (before.embedded || now.embedded) {
    return before.embedded && now.embedded;
  }
  const shared = (Object.keys(now.targets) as ApiName[]).filter((api) => before.urls[api] !== undefined);
  return shared.length > 0 && shared.every((api) => before.urls[api] === now.targets[api]?.url);
}
