import type { Exchange } from '../../results/exchange.ts';

/** All exchanges of a run with one API, redacted, in the order in which they were sent. */
export interface Evidence {
  add(exchange: Exchange): void;
  readonly exchanges: readonly Exchange[];
  /** The number of the next exchange. */
  next(): number;
}

export function createEvidence(): Evidence {
  const exchanges: Exchange[] = [];
  let count = 0;
  return {
    exchanges,
    add: (exchange) => {
      exchanges.push(exchange);
    },
    next: () => (count += 1),
  };
}

/** Answers judged by the every-response clauses: what came, but for HEAD and OPTIONS (clauses.md, How the rows are read). */
export function answered(evidence: Evidence): (Exchange & { response: NonNullable<Exchange['response']> })[] {
  return evidence.exchanges
    .filter(
      (exchange): exchange is Exchange & { response: NonNullable<Exchange['response']> } =>
        exchange.response !== null && exchange.request.method !== 'HEAD' && exchange.request.method !== 'OPTIONS',
    )
    .sort((a, b) => a.number - b.number);
}
