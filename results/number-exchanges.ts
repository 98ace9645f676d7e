import { apiOf } from '../contract/clauses.ts';
import { type Exchange, exchangeWith } from './exchange.ts';
import type { ClauseResult } from './verdict.ts';

/** A drive over a limit makes many similar exchanges. So many of the first, and of the last, are kept. */
const mostSimilar = 20;

/**
 * Numbers the exchanges of both APIs together, in the order of sending, so that a number is the entry's place in
 * exchanges.har, and puts the new numbers into the findings. Exchanges in the middle of a drive that no finding names
 * get the number 0 and are left out of the file.
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
  return new Set([...kinds].flatMap((similar) => similar.slice(mostSimilar, -mostSimilar)));
}

/** Exchanges of the same kind are similar: all of them show no more than one does. */
const kindOf = ({ api, clause, keyLabel, request, response, failure }: Exchange): string =>
  [api, clause, keyLabel, request.method, request.url, response?.status, failure?.kind].join(' ');
