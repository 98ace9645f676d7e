import type { Exchange } from '../../../results/exchange.ts';
import { accidentsIn, isGatewayError } from './accidents.ts';

/** The exchanges of a run with one API, redacted, in the order in which they ended. */
export type Evidence = ReturnType<typeof createEvidence>;

/** An exchange that got a response. */
export type Answered = Exchange & { readonly response: NonNullable<Exchange['response']> };

/** How many exchanges are kept whole: several times as many as a run makes that drives every limit but that of a day. */
const mostWhole = 5_000;

/**
 * Keeps `most` exchanges whole. Of further ones, the oldest that no finding names loses all but its status: those are
 * nearly always calls that drive a limit, and each is like the next.
 */
export function createEvidence(most: number = mostWhole) {
  const exchanges: Exchange[] = [];
  /** Numbers of exchanges that findings name. */
  const named = new Set<number>();
  /** The place of the oldest exchange that may be kept whole. */
  let oldest = 0;
  let whole = 0;
  let lastNumber = 0;
  let responses: readonly Answered[] | null = null;

  function makeRoom(): void {
    while (whole > most && oldest < exchanges.length) {
      const exchange = exchanges[oldest] as Exchange;
      if (!named.has(exchange.number)) {
        exchanges[oldest] = bare(exchange);
        whole -= 1;
      }
      oldest += 1;
    }
  }

  return {
    exchanges: exchanges as readonly Exchange[],
    /** The exchanges that the every-response clauses judge (responsesOf). */
    get responses(): readonly Answered[] {
      responses ??= responsesOf({ exchanges });
      return responses;
    },
    add(exchange: Exchange): void {
      responses = null;
      exchanges.push(exchange);
      whole += 1;
      makeRoom();
    },
    /** The number of the next exchange, in the order of sending. */
    nextNumber: (): number => (lastNumber += 1),
    /** Notes that a finding names the exchange: it is kept whole. */
    keep: (number: number): void => {
      named.add(number);
    },
  };
}

const bare = (exchange: Exchange): Exchange => ({
  ...exchange,
  isBare: true,
  request: { method: exchange.request.method, url: exchange.request.url, headers: [], body: null },
  response: exchange.response && { status: exchange.response.status, headers: [], text: '', json: undefined },
  curl: () => '',
});

/**
 * The exchanges that the every-response clauses judge, in the order of sending. Left out are exchanges without a
 * response, HEAD and OPTIONS, bodies too large for the gateway before the deployment, accidents of that gateway, and
 * exchanges of which only the status is left.
 */
export function responsesOf({ exchanges }: Pick<Evidence, 'exchanges'>): Answered[] {
  const { accidents } = accidentsIn(exchanges, isGatewayError);
  return exchanges
    .filter(({ number }) => !accidents.has(number))
    .filter((exchange): exchange is Answered => exchange.response !== null && exchange.isBare !== true)
    .filter(({ request: { method } }) => method !== 'HEAD' && method !== 'OPTIONS')
    .filter(({ purpose, response: { status } }) => purpose !== 'off-document' || status !== 413)
    .sort((a, b) => a.number - b.number);
}
