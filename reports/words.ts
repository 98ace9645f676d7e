import { apiOf, chapterOf } from '../contract/clauses.ts';
import type { Exchange } from '../results/exchange.ts';
import { type ClauseResult, type Finding, type Run, totalsOf, type Verdict } from '../results/verdict.ts';

/** What every report says first: the same words everywhere, so that no two reports disagree. */
export function headline({ conformant }: Run): 'Conformant' | 'Not conformant' | 'Cannot be told' {
  if (conformant === null) {
    return 'Cannot be told';
  }
  return conformant ? 'Conformant' : 'Not conformant';
}

/** What each verdict means, in the words of the interface. */
export const meaning: Readonly<Record<Verdict, string>> = {
  pass: 'held',
  fail: 'a must that does not hold',
  warn: 'a should that does not hold',
  inconclusive: 'tried, and cannot be decided',
  skip: 'not tried',
  observed: 'the documents are silent; this was seen',
  broken: "the suite's own fault",
};

/** The order in which a reader wants the verdicts: what needs doing first. */
export const readingOrder: readonly Verdict[] = ['fail', 'broken', 'warn', 'inconclusive', 'skip', 'observed', 'pass'];

/** Whether a failed `should` fails the run. */
export const isStrict = (run: Run): boolean => run.settings.STRICT === '1';

export interface Chapter {
  /** `developer.auth` */
  readonly name: string;
  readonly clauses: readonly ClauseResult[];
}

/** The clauses by chapter, in the contract's order. */
export const chaptersOf = (clauses: readonly ClauseResult[]): readonly Chapter[] =>
  [...Map.groupBy(clauses, ({ id }) => chapterOf(id))].map(([name, own]) => ({ name, clauses: own }));

/** The verdicts that occur, in reading order, with their counts: `2 fail, 1 warn, 9 pass`. */
export function tally(clauses: readonly ClauseResult[]): readonly (readonly [Verdict, number])[] {
  const totals = totalsOf(clauses);
  return readingOrder.filter((verdict) => totals[verdict] > 0).map((verdict) => [verdict, totals[verdict]]);
}

/** Finds the exchange that a clause's finding names. */
export type FindExchange = (clause: string, finding: Finding) => Exchange | undefined;

/** Each API has numbers of its own, so the exchange is looked for under the API of the clause. */
export function finderOf(exchanges: readonly Exchange[]): FindExchange {
  const index = new Map(exchanges.map((exchange) => [`${exchange.api} ${exchange.number}`, exchange]));
  return (clause, { exchange }) => index.get(`${apiOf(clause)} ${exchange}`);
}

/** Why an exchange was made: `Call to be refused: GET /v1/agents, key: WORKSPACE_REVOKED_API_KEY`. */
export function purposeOf({ purpose, endpoint, keyLabel }: Exchange): string {
  const what = {
    documented: 'Documented call',
    refusal: 'Call to be refused',
    'off-document': 'Call outside the documents',
  };
  const key = keyLabel === null ? 'no key' : `key: ${keyLabel}`;
  return `${what[purpose]}${endpoint === null ? '' : `: ${endpoint}`}, ${key}`;
}
