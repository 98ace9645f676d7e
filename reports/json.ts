import { profileOf } from '../results/drift.ts';
import { firstStepsOf } from '../results/root-causes.ts';
import { unlocksOf } from '../results/unlocks.ts';
import { type ClauseResult, type Run, totalsOf } from '../results/verdict.ts';
import { uri } from './har.ts';
import { jsonText } from './text.ts';
import { fullReason } from './words.ts';

/**
 * conformance.json, format 1. Other programs read it, so fields are only ever added, and never change their meaning.
 * Besides `clauses` it has what follows from them (`reason`, `totals`, `fixFirst`, `unlocks`, `drift`), and
 * the circumstances of the run.
 */
export function jsonReport(run: Run): string {
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
    clauses: run.clauses.map(withHarUrls),
    drift: run.drift,
    notes: run.notes,
    settings: run.settings,
  };
  return jsonText(report);
}

/** A result whose findings have URLs as in exchanges.har, so that programs can match the two. */
const withHarUrls = (result: ClauseResult): ClauseResult => ({
  ...result,
  findings: result.findings.map((finding) =>
    finding.request === undefined
      ? finding
      : { ...finding, request: { ...finding.request, url: uri(finding.request.url) } },
  ),
});

/**
 * profile.json: everything that was observed for gap clauses, in the contract's order and with sorted keys. It has
 * nothing of the run itself (no URL, no time, no seed, nothing measured), so two runs against an unchanged deployment
 * write the same file.
 */
export const profileReport = (run: Run): string => jsonText({ format: 1, observed: profileOf(run.clauses) });
