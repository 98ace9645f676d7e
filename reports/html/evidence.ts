import type { Exchange } from '../../results/exchange.ts';
import type { Finding, Run } from '../../results/verdict.ts';

/** The exchanges of a run, indexed for the page. */
export type Evidence = ReturnType<typeof createEvidence>;

const isAccepted = ({ response, purpose }: Exchange): boolean =>
  response !== null && response.status >= 200 && response.status < 300 && purpose === 'documented';

export function createEvidence({ exchanges }: Run) {
  const placed = new Set<Exchange>();
  const byNumber = new Map(exchanges.map((exchange) => [exchange.number, exchange]));
  const byEndpoint = Map.groupBy(exchanges, ({ endpoint }) => endpoint);
  return {
    /** The exchange that a finding names. */
    named: ({ exchange }: Finding) => (exchange === undefined ? undefined : byNumber.get(exchange)),
    /** For a call that must be refused: the accepted call of the same endpoint that was sent nearest to it. */
    twin(exchange: Exchange) {
      if (exchange.purpose !== 'refusal' || exchange.endpoint === null) {
        return undefined;
      }
      const accepted = (byEndpoint.get(exchange.endpoint) ?? []).filter(isAccepted);
      const distance = ({ number }: Exchange): number => Math.abs(number - exchange.number);
      return accepted.toSorted((a, b) => distance(a) - distance(b))[0];
    },
    /** `first` the first time, when the exchange is to be shown in full; `again` later, when a link to it is enough. */
    place(exchange: Exchange) {
      const known = placed.has(exchange);
      placed.add(exchange);
      return known ? 'again' : 'first';
    },
  };
}
