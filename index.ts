// The package's main entry, `two-api-conformance`: the contract, and the form of conformance.json. The commands are its
// executable; ./vitest, ./webhooks and ./limits are usable by themselves.
export type { ApiName, Clause } from './contract/clause.ts';
export { clauseOf, clauses } from './contract/clauses.ts';
export type { ClauseResult, Finding, Verdict } from './results/verdict.ts';
