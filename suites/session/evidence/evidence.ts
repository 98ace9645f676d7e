import type { Exchange } from '../../../results/exchange.ts';
import { type Condensed, condense, weightOf } from './condense.ts';

/**
 * The exchanges of a run with one API, redacted, in the order in which they ended. Their memory is bounded, their
 * number is not. An exchange that takes a quarter of the memory by itself is condensed at once. Where all together take
 * too much, the oldest are condensed: first those of a kind that came many times (the calls that drive a limit), last
 * those that a finding names.
 */
export interface Evidence {
  readonly exchanges: readonly Exchange[];
  /** The exchanges that the every-response clauses judge (responsesOf). */
  readonly responses: readonly Answered[];
  /** Whether the exchanges took three quarters of their memory at some time. */
  readonly wasNearlyFull: boolean;
  add(exchange: Exchange): void;
  /** The number of the next exchange, in the order of sending. */
  nextNumber(): number;
  /** Notes that a finding names the exchange: it is condensed after those that no finding names. */
  keep(number: number): void;
}

/** An exchange that got a response. */
export type Answered = Exchange & { readonly response: NonNullable<Exchange['response']> };

/** Bytes that the exchanges with one API may take. Bare ones do not count: they are small, and calls are limited. */
const mostBytes = 8 * 1024 * 1024;

/** How many exchanges of one kind are spared while there are others to condense. */
const mostOfKind = 30;

const kindOf = ({ request, endpoint, purpose, keyLabel, response }: Exchange): string =>
  `${request.method} ${endpoint} ${purpose} ${keyLabel} ${response?.status}`;

/** `most`: bytes that the exchanges may take. */
export function createEvidence(most: number = mostBytes): Evidence {
  const exchanges: Exchange[] = [];
  /** Numbers of exchanges that findings name. */
  const named = new Set<number>();
  const countByKind = new Map<string, number>();
  /** Numbers of exchanges that came after many of their kind. */
  const repeats = new Set<number>();
  let lastNumber = 0;
  let weight = 0;
  let responses: readonly Answered[] | null = null;
  let wasNearlyFull = false;

  /** Condenses the oldest exchanges until a quarter of the memory is free, so that further ones find room. */
  function makeRoom(to: Condensed, isSpared: (exchange: Exchange) => boolean): void {
    for (let i = 0; i < exchanges.length && weight > most * 0.75; i += 1) {
      const exchange = exchanges[i] as Exchange;
      if (exchange.condensed !== to && exchange.condensed !== 'bare' && !isSpared(exchange)) {
        const less = condense(exchange, to);
        weight += (to === 'bare' ? 0 : weightOf(less)) - weightOf(exchange);
        exchanges[i] = less;
      }
    }
  }

  return {
    exchanges,
    get responses() {
      responses ??= responsesOf({ exchanges });
      return responses;
    },
    get wasNearlyFull() {
      return wasNearlyFull;
    },
    add(whole) {
      responses = null;
      const exchange = weightOf(whole) > most / 4 ? condense(whole, 'outline') : whole;
      exchanges.push(exchange);
      const before = countByKind.get(kindOf(exchange)) ?? 0;
      countByKind.set(kindOf(exchange), before + 1);
      if (before >= mostOfKind) {
        repeats.add(exchange.number);
      }
      weight += weightOf(exchange);
      wasNearlyFull ||= weight > most * 0.75;
      if (weight > most) {
        makeRoom('outline', ({ number }) => named.has(number));
        makeRoom('outline', () => false);
        makeRoom('bare', ({ number }) => named.has(number) || !repeats.has(number));
        makeRoom('bare', ({ number }) => named.has(number));
        makeRoom('bare', () => false);
      }
    },
    nextNumber: () => (lastNumber += 1),
    keep: (number) => {
      named.add(number);
    },
  };
}

/**
 * The exchanges that the every-response clauses judge, in the order of sending. Left out are exchanges without a
 * response, HEAD and OPTIONS, bodies too large for the gateway before the deployment, and exchanges of which only the
 * status is left.
 */
export function responsesOf({ exchanges }: Pick<Evidence, 'exchanges'>): Answered[] {
  return exchanges
    .filter((exchange): exchange is Answered => exchange.response !== null && exchange.condensed !== 'bare')
    .filter(({ request: { method } }) => method !== 'HEAD' && method !== 'OPTIONS')
    .filter(({ purpose, response: { status } }) => purpose !== 'off-document' || status !== 413)
    .sort((a, b) => a.number - b.number);
}
