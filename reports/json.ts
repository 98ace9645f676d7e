import { firstStepsOf } from '../results/root-causes.ts';
import { unlocksOf } from '../results/unlocks.ts';
import { type ClauseResult, type Run, totalsOf } from '../results/verdict.ts';
import { boundRun } from './bound-run.ts';
import { uri } from './har.ts';
import { fullReason } from './words.ts';

/**
 * conformance.json, format 1: an interface, whose fields are added to and never change their meaning. Beside `clauses` stands what
 * is made of them (`reason`, `totals`, `fixFirst`, `unlocks`, `drift`, `since`) and what a reader needs to place the run.
 */
export function jsonReport(whole: Run): string {
  const run = boundRun(whole);
  const { suite, startedAt, durationMs, seed, targets, embedded, selection, conformant, exitCode } = run;
  const waived = run.clauses.filter(({ waiver }) => waiver !== undefined).length;
  const report = {
    format: 1,
    suite,
    startedAt,
    durationMs,
    seed,
    targets,
    embedded,
    selection,
    conformant,
    exitCode,
    reason: fullReason(run),
    totals: { ...totalsOf(run.clauses), ...(waived === 0 ? {} : { waived }) },
    requests: run.requests,
    timing: run.timing,
    fixFirst: firstStepsOf(run.clauses),
    unlocks: unlocksOf(run.clauses),
    clauses: run.clauses.map(addressed),
    drift: run.drift,
    since: run.since,
    notes: run.notes,
    settings: run.settings,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** A finding's URL as exchanges.har has it, so that a program finds the one by the other. */
const addressed = (result: ClauseResult): ClauseResult => ({
  ...result,
  findings: result.findings.map((finding) =>
    finding.request === undefined
      ? finding
      : { ...finding, request: { ...finding.request, url: uri(finding.request.url) } },
  ),
});
