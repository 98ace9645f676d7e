import { type Run, totalsOf } from '../results/verdict.ts';
import { boundRun } from './bound-run.ts';

/** conformance.json of INTERFACE.md, format 1; `exitCode`, `reason`, `drift`, `notes` and `settings` are additions. */
export function jsonReport(whole: Run): string {
  const run = boundRun(whole);
  const {
    suite,
    startedAt,
    durationMs,
    seed,
    targets,
    conformant,
    exitCode,
    reason,
    requests,
    drift,
    notes,
    settings,
  } = run;
  const clauses = run.clauses.map(({ id, level, title, source, verdict, findings, observed, waiver }) => ({
    id,
    level,
    title,
    source,
    verdict,
    findings,
    observed,
    ...(waiver === undefined ? {} : { waiver }),
  }));
  const report = {
    format: 1,
    suite,
    startedAt,
    durationMs,
    seed,
    targets,
    conformant,
    exitCode,
    reason,
    totals: totalsOf(run.clauses),
    requests,
    clauses,
    drift,
    notes,
    settings,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
