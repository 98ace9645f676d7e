import { clauseOf } from '../contract/clauses.ts';
import type { ClauseResult, Finding, Verdict } from './verdict.ts';

/** A clause's result as reports have it; level, title and source come from the contract. */
export function resultOf(
  clause: string,
  verdict: Verdict,
  findings: readonly Finding[],
  observed: unknown = null,
): ClauseResult {
  const { id, level, title, source } = clauseOf(clause);
  return { id, level, title, source, verdict, findings, observed: observed ?? null };
}
