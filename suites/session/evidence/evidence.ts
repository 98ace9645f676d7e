import type { Exchange } from '../../../results/exchange.ts';
import { isOutside } from '../../../results/likely-cause.ts';

/** The exchanges of a run with one API, redacted, in the order in which they ended. */
export type Evidence = ReturnType<typeof createEvidence>;

/** An exchange that got a response. */
export type Answered = Exchange & { readonly response: NonNullable<Exchange['response']> };

/** From this many exchanges on, a call that is made to use up a limit keeps its status alone. */
const mostWhole = 5_000;

export function createEvidence(most: number = mostWhole) {
  const exchanges: Exchange[] = [];
  const accidents = new Set<number>();
  let lastNumber = 0;
  return {
    exchanges: exchanges as readonly Exchange[],
    /**
     * The exchanges that the every-response clauses judge, in the order of sending. Left out are exchanges without a
     * response, or of which the status alone was kept, HEAD and OPTIONS, and accidents of the gateway before the
     * deployment.
     */
    get responses(): readonly Answered[] {
      return exchanges
        .filter((one): one is Answered => one.response !== null && !one.isBare)
        .filter(
          ({ number, response: { status } }) => !accidents.has(number) || (status >= 500 && !isGatewayError(status)),
        )
        .filter(({ request: { method } }) => method !== 'HEAD' && method !== 'OPTIONS')
        .sort((a, b) => a.number - b.number);
    },
    /** `usesUp`: the call is made to use up a limit, and is like the one before. */
    add(exchange: Exchange, usesUp: boolean): void {
      if (!usesUp || exchanges.length < most) {
        exchanges.push(exchange);
        return;
      }
      const request = { ...exchange.request, headers: [], body: null };
      const response = exchange.response && { ...exchange.response, headers: [], text: '', json: undefined };
      exchanges.push({ ...exchange, isBare: true, request, response, curl: () => '' });
    },
    /** The number of the next exchange, in the order of sending. */
    nextNumber: (): number => (lastNumber += 1),
    /**
     * Notes a call that changes nothing and got a 5xx, but did not when it was sent again, or could not be sent again:
     * an accident is told, and fails nothing.
     */
    noteAccident: ({ number }: Exchange): void => void accidents.add(number),
    /** Notes a refusal in another form than the API's: what stands in front of the deployment gave it by itself. */
    noteForeign(exchange: Exchange): void {
      if (isOutside(exchange)) {
        this.noteAccident(exchange);
      }
    },
    isAccident: ({ number }: Exchange): boolean => accidents.has(number),
  };
}

/**
 * Whether a status is what a gateway answers in the deployment's place: while that is away (Cloudflare has 520 to 530),
 * or as it closes an idle connection (HAProxy and Node: 408).
 */
export const isGatewayError = (status: number): boolean =>
  status === 408 || (status >= 502 && status <= 504) || (status >= 520 && status <= 530);
