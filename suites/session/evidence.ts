import type { Exchange } from '../../results/exchange.ts';
import { accidentsIn, isAway } from './accidents.ts';
import { type Condensed, condense, weightOf } from './condense.ts';

/**
 * The exchanges of a run with one API, redacted, in the order in which they ended. Their number is not bounded, their
 * memory is: where they take too much, the oldest are condensed, those last that a finding names.
 */
export interface Evidence {
  readonly exchanges: readonly Exchange[];
  add(exchange: Exchange): void;
  /** The number of the next exchange, in the order of sending. */
  nextNumber(): number;
  /** A finding names the exchange: it is condensed after those that none names. */
  keep(number: number): void;
}

/** An exchange that got a response. */
export type Answered = Exchange & { readonly response: NonNullable<Exchange['response']> };

/** Bytes that the exchanges with one API may take. */
const mostBytes = 12 * 1024 * 1024;

export function createEvidence(most: number = mostBytes): Evidence {
  const exchanges: Exchange[] = [];
  const named = new Set<number>();
  let [count, weight, limit] = [0, 0, most];

  /** Condenses the oldest until a quarter is free again, so that this is not done with every exchange. */
  function makeRoom(to: Condensed, isSpared: (exchange: Exchange) => boolean): void {
    for (let i = 0; i < exchanges.length && weight > limit * 0.75; i += 1) {
      const exchange = exchanges[i] as Exchange;
      if (exchange.condensed !== to && exchange.condensed !== 'bare' && !isSpared(exchange)) {
        const less = condense(exchange, to);
        weight += weightOf(less) - weightOf(exchange);
        exchanges[i] = less;
      }
    }
  }

  return {
    exchanges,
    add(exchange) {
      exchanges.push(exchange);
      weight += weightOf(exchange);
      if (weight > limit) {
        makeRoom('outline', ({ number }) => named.has(number));
        makeRoom('outline', () => false);
        makeRoom('bare', ({ number }) => named.has(number));
        makeRoom('bare', () => false);
        // What is left is little, and there are only so many calls.
        limit = Math.max(most, weight * 1.5);
      }
    },
    nextNumber: () => (count += 1),
    keep: (number) => {
      named.add(number);
    },
  };
}

/**
 * The exchanges that the every-response clauses judge, in the order of sending: those with a response, but for HEAD and
 * OPTIONS (clauses.md, How the rows are read), and for calls that met a 502, 503 or 504 once and not again. Of which nothing
 * is left to judge, they are left out.
 */
export function responsesOf({ exchanges }: Pick<Evidence, 'exchanges'>): Answered[] {
  const accidents = accidentsIn(exchanges);
  return exchanges
    .filter((exchange): exchange is Answered => exchange.response !== null && exchange.condensed !== 'bare')
    .filter(({ request: { method } }) => method !== 'HEAD' && method !== 'OPTIONS')
    .filter(({ number, response: { status } }) => !isAway(status) || !accidents.has(number))
    .sort((a, b) => a.number - b.number);
}
