import { boundJson, boundResult, cut } from '../results/bound.ts';
import type { ClauseResult, Drift, Run } from '../results/verdict.ts';

/** How many changes and notes reports list; a note says if there are more. */
const most = { drift: 500, notes: 500 } as const;

/** The run with everything that may come from a target or a file cut to the bounds of reports. */
export const boundRun = (run: Run): Run => ({
  ...run,
  reason: cut(run.reason),
  clauses: run.clauses.map(boundClause),
  drift: run.drift?.slice(0, most.drift).map(boundDrift) ?? null,
  notes: [...leftOut(run), ...run.notes].slice(0, most.notes).map((note) => cut(note)),
  settings: Object.fromEntries(Object.entries(run.settings).map(([name, value]) => [name, cut(value)])),
});

function boundClause(clause: ClauseResult): ClauseResult {
  const bounded = boundResult(clause);
  if (clause.waiver === undefined) {
    return bounded;
  }
  return { ...bounded, waiver: { reason: cut(clause.waiver.reason), expires: clause.waiver.expires } };
}

const boundDrift = ({ clause, place, before, now }: Drift): Drift => ({
  clause,
  place: cut(place),
  before: before === undefined ? undefined : boundJson(before),
  now: now === undefined ? undefined : boundJson(now),
});

function leftOut({ drift, notes }: Run): string[] {
  const changes = drift?.length ?? 0;
  return [
    ...(changes > most.drift ? [`Drift is cut: ${changes - most.drift} further changes are left out`] : []),
    ...(notes.length > most.notes ? [`Notes are cut: there are ${notes.length}`] : []),
  ];
}
