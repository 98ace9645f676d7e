import type { Exchange } from '../../results/exchange.ts';

/** All exchanges of a run with one API, redacted, in the order in which they ended. */
export interface Evidence {
  readonly exchanges: readonly Exchange[];
  add(exchange: Exchange): void;
  /** The number of the next exchange, in the order of sending. */
  nextNumber(): number;
}

/** An exchange that got a response. */
export type Answered = Exchange & { readonly response: NonNullable<Exchange['response']> };

export function createEvidence(): Evidence {
  const exchanges: Exchange[] = [];
  let count = 0;
  return {
    exchanges,
    add: (exchange) => {
      exchanges.push(exchange);
    },
    nextNumber: () => (count += 1),
  };
}

/**
 * The exchanges that the every-response clauses judge, in the order of sending: those with a response, but for HEAD and
 * OPTIONS (clauses.md, How the rows are read).
 */
export const responsesOf = ({ exchanges }: Pick<Evidence, 'exchanges'>): Answered[] =>
  exchanges
    .filter((exchange): exchange is Answered => exchange.response !== null)
    .filter(({ request: { method } }) => method !== 'HEAD' && method !== 'OPTIONS')
    .sort((a, b) => a.number - b.number);
