import type { Exchange } from '../../../results/exchange.ts';

/** The exchanges of a run with one API, redacted, in the order in which they ended. */
export type Evidence = ReturnType<typeof createEvidence>;

/** An exchange that got a response. */
export type Answered = Exchange & { readonly response: NonNullable<Exchange['response']> };

/** How many exchanges are kept whole: several times as many as a run makes that drives all limits but the day's. */
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

/** Whether a status is what a gateway answers while the deployment behind it is away; Cloudflare has 520 to 530. */
export const isGatewayError = (status: number): boolean =>
  (status >= 502 && status <= 504) || (status >= 520 && status <= 530);

/**
 * The numbers of the calls that got a 5xx once and, when they were sent again, did not: accidents, which are noted and
 * fail nothing. And of those that were not sent again to show it. Only calls that change nothing are: reads, and calls
 * that must be refused. `isBroken`: which statuses count.
 */
export function accidentsIn(
  exchanges: readonly Exchange[],
  isBroken = (status: number): boolean => status >= 500,
): Readonly<Record<'accidents' | 'unrepeated', ReadonlySet<number>>> {
  const accidents = new Set<number>();
  if (!exchanges.some(({ response }) => isBroken(response?.status ?? 0))) {
    return { accidents, unrepeated: new Set() };
  }
  /** By call, the number of the exchange that broke, where the next one like it has not come yet. */
  const brokenOnce = new Map<string, number>();
  for (const { number, keyLabel, purpose, request, response } of [...exchanges].sort((a, b) => a.number - b.number)) {
    if ((request.method !== 'GET' && purpose === 'documented') || response === null) {
      continue;
    }
    // How much of a key a URL shows depends on the secrets that were known when it was sent.
    const url = request.url.replace(/(?<=[?&]api_key=)[^&]*/, '');
    const call = `${keyLabel ?? ''} ${request.method} ${url} ${request.body ?? ''}`;
    const before = brokenOnce.get(call);
    brokenOnce.delete(call);
    if (isBroken(response.status)) {
      if (before === undefined) {
        brokenOnce.set(call, number);
      }
    } else if (before !== undefined) {
      accidents.add(before);
    }
  }
  return { accidents, unrepeated: new Set(brokenOnce.values()) };
}
