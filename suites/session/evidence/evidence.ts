import type { Exchange } from '../../../results/exchange.ts';

/** The exchanges of a run with one API, redacted, in the order in which they ended. */
export type Evidence = ReturnType<typeof createEvidence>;

/** An exchange that got a response. */
export type Answered = Exchange & { readonly response: NonNullable<Exchange['response']> };

export function createEvidence() {
  const exchanges: Exchange[] = [];
  let lastNumber = 0;
  let responses: readonly Answered[] | null = null;
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
    },
    /** The number of the next exchange, in the order of sending. */
    nextNumber: (): number => (lastNumber += 1),
  };
}

/**
 * The exchanges that the every-response clauses judge, in the order of sending. Left out are exchanges without a
 * response, HEAD and OPTIONS, bodies too large for the gateway before the deployment, and accidents of that gateway.
 */
export function responsesOf({ exchanges }: Pick<Evidence, 'exchanges'>): Answered[] {
  const accidents = accidentsIn(exchanges, isGatewayError);
  return exchanges
    .filter(({ number }) => !accidents.has(number))
    .filter((exchange): exchange is Answered => exchange.response !== null)
    .filter(({ request: { method } }) => method !== 'HEAD' && method !== 'OPTIONS')
    .filter(({ purpose, response: { status } }) => purpose !== 'off-document' || status !== 413)
    .sort((a, b) => a.number - b.number);
}

/** Whether a status is what a gateway answers while the deployment behind it is away; Cloudflare has 520 to 530. */
export const isGatewayError = (status: number): boolean =>
  (status >= 502 && status <= 504) || (status >= 520 && status <= 530);

/**
 * The numbers of the calls that got a 5xx once and, when they were sent again, did not: accidents, which are noted and
 * fail nothing. Only calls that change nothing are sent again: reads, and calls that must be refused. `isBroken`: which
 * statuses count. `isBounded`: MAX_REQUESTS may have left no request to send a call again, so that one is an accident.
 */
export function accidentsIn(
  exchanges: readonly Exchange[],
  isBroken = (status: number): boolean => status >= 500,
  isBounded = false,
): ReadonlySet<number> {
  const accidents = new Set<number>();
  if (!exchanges.some(({ response }) => isBroken(response?.status ?? 0))) {
    return accidents;
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
  return new Set(isBounded ? [...accidents, ...brokenOnce.values()] : accidents);
}
