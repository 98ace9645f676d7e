import { apiOf } from '../contract/clauses.ts';
import type { Exchange } from './exchange.ts';
import type { ClauseResult } from './verdict.ts';

/**
 * Numbers the exchanges of both APIs in one row, in the order of sending, so that a number is an entry's place in
 * exchanges.har; findings, which hold the number that their own API gave, are told the new one.
 */
export function numberExchanges(
  results: readonly ClauseResult[],
  exchanges: readonly Exchange[],
): { readonly results: readonly ClauseResult[]; readonly exchanges: readonly Exchange[] } {
  const ordered = [...exchanges].sort((a, b) => a.sentAt - b.sentAt || a.number - b.number);
  const places = new Map(ordered.map(({ api, number }, index) => [`${api} ${number}`, index + 1]));
  return {
    exchanges: ordered.map((exchange, index) => ({ ...exchange, number: index + 1 })),
    results: results.map((result) => ({
      ...result,
      findings: result.findings.map((finding) => {
        const place = places.get(`${apiOf(result.id)} ${finding.exchange}`);
        return place === undefined ? finding : { ...finding, exchange: place };
      }),
    })),
  };
}
