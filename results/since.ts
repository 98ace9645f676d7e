import type { Api } from '../contract/clause.ts';
import { verdictChanges } from './compare.ts';
import type { EarlierRun } from './read-run.ts';
import type { ClauseResult, Run, Since } from './verdict.ts';

/** Runs that a report looks back on. */
const mostRuns = 20;

type Now = Pick<Run, 'targets' | 'embedded'> & { readonly clauses: readonly ClauseResult[] };

/**
 * What changed since the run before, and the runs before that. null: there is none, or it judged another deployment. A run
 * that judged nothing (it was killed, the target was down) is a run of the history, and nothing is compared with it.
 */
export function sinceOf(before: EarlierRun | null, now: Now): Since | null {
  if (before === null || !isInstant(before) || !isSameDeployment(before, now)) {
    return null;
  }
  const { startedAt, conformant, totals } = before;
  return {
    startedAt,
    changes: hasJudged(before) && hasJudged(now) ? verdictChanges(before.clauses, now.clauses) : [],
    runs: [...before.runs.filter(isInstant), { startedAt, conformant, totals }].slice(-mostRuns),
  };
}

const isInstant = ({ startedAt }: Pick<EarlierRun, 'startedAt'>): boolean =>
  /^\d{4}-\d\d-\d\dT[\d:.]{8,16}Z$/.test(startedAt);

/** The embedded reference is the same wherever it listens. */
function isSameDeployment(before: EarlierRun, now: Now): boolean {
  if (before.embedded || now.embedded) {
    return before.embedded && now.embedded;
  }
  const shared = (Object.keys(now.targets) as Api[]).filter((api) => before.targets[api] !== undefined);
  return shared.length > 0 && shared.every((api) => before.targets[api]?.url === now.targets[api]?.url);
}

const hasJudged = ({ clauses }: Pick<EarlierRun, 'clauses'>): boolean =>
  clauses.some(({ verdict }) => verdict !== 'skip');
