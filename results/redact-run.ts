import { cleanScript } from '../common/clean-script.ts';
import type { Redactor } from '../common/redact.ts';
import type { ClauseResult, Run } from './verdict.ts';

/**
 * The run without the secrets that are known by now: some are learnt after an exchange was recorded, or from the other
 * API. Values are cleaned before any report escapes, breaks or cuts them.
 */
export const redactedRun = (run: Run, redactor: Redactor): Run => ({
  ...redactor.cleanJson(run),
  clauses: redactedResults(run.clauses, redactor),
});

/** Results without the secrets that are known by now. */
export const redactedResults = (results: readonly ClauseResult[], { clean, cleanJson }: Redactor): ClauseResult[] =>
  results.map(({ findings, ...result }) => ({
    ...cleanJson(result),
    findings: findings.map(({ curl, ...finding }) => ({
      ...cleanJson(finding),
      ...(curl === undefined ? {} : { curl: cleanScript(curl, clean) }),
    })),
  }));
