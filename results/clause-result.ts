import { clauseOf } from '../contract/clauses.ts';
import type { ClauseResult, Finding, Verdict } from './verdict.ts';

/** The result of a clause, with its level, title and source from the contract. */
export function resultOf(
  clause: string,
  verdict: Verdict,
  findings: readonly Finding[],
  observed: unknown = null,
): ClauseResult {
  const { id, level, title, source } = clauseOf(clause);
  return { id, level, title, source, verdict, findings, observed: observed ?? null };
}
