import type { ApiName } from '../contract/clause.ts';
import { verdictChanges, wordsOf } from './compare.ts';
import type { EarlierRun } from './read-run.ts';
import type { ClauseResult, Run, Since } from './verdict.ts';

/** How many earlier runs a report looks back at. */
const mostRuns = 20;

type Now = Pick<Run, 'targets' | 'embedded'> & { readonly clauses: readonly ClauseResult[] };

/**
 * What changed since the runs before. Each clause is compared with the last run that got to it, since a run may be of a
 * few clauses, or killed. null if there is no earlier run, or if that judged another deployment.
 */
export function sinceOf(before: EarlierRun | null, now: Now): Since | null {
  if (before === null || !isInstant(before) || !isSameDeployment(before, now)) {
    return null;
  }
  const { startedAt, conformant, totals } = before;
  const last = new Map([...Object.entries(before.last), ...wordsOf(before.clauses)]);
  const judged = wordsOf(now.clauses);
  return {
    startedAt,
    changes: verdictChanges(last, now.clauses),
    last: Object.fromEntries([...last].filter(([id]) => !judged.has(id))),
    runs: [...before.runs.filter(isInstant), { startedAt, conformant, totals }].slice(-mostRuns),
  };
}

const isInstant = ({ startedAt }: Pick<EarlierRun, 'startedAt'>): boolean =>
  /^\d{4}-\d\d-\d\dT[\d:.]{8,16}Z$/.test(startedAt);

/** Whether both judged the same URLs. The embedded reference counts as one deployment, whatever its port. */
function isSameDeployment(before: EarlierRun, now: Now): boolean {
  if (before.embedded || now.embedded) {
    return before.embedded && now.embedded;
  }
  const shared = (Object.keys(now.targets) as ApiName[]).filter((api) => before.targets[api] !== undefined);
  return shared.length > 0 && shared.every((api) => before.targets[api]?.url === now.targets[api]?.url);
}
