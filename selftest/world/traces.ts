import type { Made } from '../../fixtures/reference/steps.ts';
import type { Exchange } from '../../results/exchange.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { idsToName } from '../../suites/run/left-behind.ts';
import type { Entry, Ledger } from '../../suites/session/ledger/ledger.ts';

/** The mark of records that stay without being named. */
export const unnamedWords = 'stays, and is not named';

const isOf = ({ collection, id, text }: Made, entry: Entry): boolean =>
  entry.collection === collection &&
  (idsToName(entry).includes(id) || (entry.id === undefined && text.includes(entry.tag)));

/**
 * What the run created, nobody deleted, and the report does not name. The report must name what the API cannot delete.
 */
export function unnamed(made: readonly Made[], ledger: Ledger): string[] {
  const named = [...ledger.toDelete(), ...ledger.undeletable()];
  return made
    .filter((record) => !named.some((entry) => isOf(record, entry)))
    .map(({ collection, id }) => `${collection}/${id} ${unnamedWords}`);
}

const holdsOne = (text: string, secrets: readonly string[]): boolean => secrets.some((secret) => text.includes(secret));

/** The exchanges that show a secret (only calls of keys and webhooks can), and the clauses whose results do. */
export const leaksIn = (
  exchanges: readonly Exchange[],
  results: readonly ClauseResult[],
  secrets: readonly string[],
): string[] => [
  ...exchanges.flatMap(({ endpoint, number, response }) =>
    /\/(keys|webhooks)/.test(endpoint ?? '') &&
    holdsOne(`${response?.text} ${JSON.stringify(response?.headers)}`, secrets)
      ? [`${endpoint} ${number}`]
      : [],
  ),
  ...results.flatMap((result) => (holdsOne(JSON.stringify(result), secrets) ? [result.id] : [])),
];
