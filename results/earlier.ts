import { validatorOf } from '../common/schema.ts';
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
  readonly targets: Readonly<Record<string, { readonly url: string }>>;
}

const schema = {
  type: 'object',
  required: ['format', 'startedAt', 'clauses'],
  properties: {
    format: { const: 1 },
    // It becomes the name of a folder.
    startedAt: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]{8,16}Z$' },
    conformant: { type: 'boolean', nullable: true },
    embedded: { type: 'boolean' },
    targets: {
      type: 'object',
      additionalProperties: { type: 'object', required: ['url'], properties: { url: { type: 'string' } } },
    },
    clauses: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'level', 'verdict', 'findings'],
        properties: {
          id: { type: 'string' },
          level: { type: 'string' },
          verdict: { enum: verdicts },
          findings: {
            type: 'array',
            items: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
          },
        },
      },
    },
  },
};

type Report = Pick<EarlierRun, 'startedAt'> & { readonly clauses: readonly ClauseResult[] } & Partial<EarlierRun>;

/** The run in a conformance.json. Throws an Error that says what is wrong with the file. */
export function parseRun(json: unknown): EarlierRun {
  const validate = validatorOf<Report>(schema);
  if (!validate(json)) {
    const [error] = validate.errors ?? [];
    throw new Error(`${error?.instancePath || 'it'} ${error?.message ?? 'is ill-formed'}`);
  }
  const { startedAt, clauses, conformant = null, embedded = false, targets = {} } = json;
  return { startedAt, clauses, observed: profileOf(clauses), conformant, embedded, targets };
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
  before === null || !isSameDeployment(before, now)
    ? null
    : { startedAt: before.startedAt, changes: verdictChanges(before.clauses, now.clauses) };

/** Whether both judged the same URLs. The embedded reference counts as one deployment, whatever its port. */
function isSameDeployment(before: EarlierRun, now: Now): boolean {
  if (before.embedded || now.embedded) {
    return before.embedded && now.embedded;
  }
  const shared = (Object.keys(now.targets) as ApiName[]).filter((api) => before.targets[api] !== undefined);
  return shared.length > 0 && shared.every((api) => before.targets[api]?.url === now.targets[api]?.url);
}
