import { apiOf } from '../contract/clauses.ts';
import { type Exchange, exchangeWith } from './exchange.ts';
import type { ClauseResult } from './verdict.ts';

/** Of exchanges that are alike, as those of a drive are, how many of the first and of the last are kept in full. */
const mostAlike = 20;

/**
 * Numbers the exchanges of both APIs in one row, in the order of sending, so that a number is an entry's place in
 * exchanges.har; findings, which hold the number that their own API gave, are told the new one. Those in the middle of a
 * drive that no finding names have no place there: their number is 0.
 */
export function numberExchanges(
  results: readonly ClauseResult[],
  exchanges: readonly Exchange[],
): { readonly results: readonly ClauseResult[]; readonly exchanges: readonly Exchange[] } {
  const named = new Set(
    results.flatMap(({ id, findings }) => findings.map(({ exchange }) => `${apiOf(id)} ${exchange}`)),
  );
  const ordered = [...exchanges].sort((a, b) => a.sentAt - b.sentAt || a.number - b.number);
  const middle = middlesOf(ordered);
  const places = new Map<string, number>();
  const numbered = ordered.map((exchange) => {
    const name = `${exchange.api} ${exchange.number}`;
    if (middle.has(exchange) && !named.has(name)) {
      return exchangeWith(exchange, { number: 0 });
    }
    places.set(name, places.size + 1);
    return exchangeWith(exchange, { number: places.size });
  });
  return {
    exchanges: numbered,
    results: results.map((result) => ({
      ...result,
      findings: result.findings.map((finding) => {
        const place = places.get(`${apiOf(result.id)} ${finding.exchange}`);
        return place === undefined ? finding : { ...finding, exchange: place };
      }),
    })),
  };
}

function middlesOf(exchanges: readonly Exchange[]): ReadonlySet<Exchange> {
  const kinds = Map.groupBy(exchanges, kindOf).values();
  return new Set([...kinds].flatMap((alike) => alike.slice(mostAlike, -mostAlike)));
}

/** Exchanges with the same key show no more than one of them does. */
const kindOf = ({ api, clause, keyLabel, request, response, failure }: Exchange): string =>
  [api, clause, keyLabel, request.method, request.url, response?.status, failure?.kind].join(' ');
