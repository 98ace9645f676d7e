import { type Sample, sampleOf } from '../../../limits/judge/trace.ts';
import { type Exchange, headerOf } from '../../../results/exchange.ts';
import type { Evidence } from '../../session/evidence/evidence.ts';

/** A sample for the judge of limits. `phase`: what the call was for. `route`: what it called, if not the plain read. */
export function exchangeSample(exchange: Exchange, phase: string, route?: string): Sample {
  const { sentAt, receivedAt, response, keyLabel } = exchange;
  const call = { sentAt, receivedAt, phase, key: String(keyLabel), status: response?.status ?? 0 };
  const sample = sampleOf(call, (name) => (response === null ? null : headerOf(response.headers, name)));
  return route === undefined ? sample : { ...sample, route };
}

/**
 * A sample of a call that was made before the limit was driven, for another reason. An undocumented call may be refused
 * before its key is checked: then its headers say nothing of the key's budget.
 */
export function earlierSampleOf(exchange: Exchange, route?: string): Sample {
  const sample = exchangeSample(exchange, 'before', route);
  const isStray = exchange.endpoint === null || exchange.purpose === 'off-document';
  return isStray && sample.status >= 400 && sample.status !== 429
    ? { ...sample, limit: null, remaining: null }
    : sample;
}

/** A key, and whether it was sent in the query: a deployment may not read it there. */
const keyAndPlace = ({ keyLabel, keyInQuery }: Exchange): string => `${keyLabel} ${keyInQuery === true}`;

/**
 * The responses to documented calls whose key the deployment recognised, in the order of sending. A call may be refused
 * before its key is checked, and a new key may not be known at once, nor everywhere: after a 401 it counts as unknown
 * until it is accepted again. So it does in a 429 before a 401: its deletion may have come between two answers.
 */
export function keyedResponses(evidence: Pick<Evidence, 'exchanges'>): Exchange[] {
  const known = new Set<string>();
  const exchanges = keyedExchanges(evidence);
  const beforeUnknown = limitedBeforeUnknown(exchanges);
  return exchanges.filter((exchange) => {
    const { endpoint, purpose } = exchange;
    if (isRecognised(exchange)) {
      known.add(keyAndPlace(exchange));
    } else if (exchange.response?.status === 401) {
      known.delete(keyAndPlace(exchange));
    }
    const isLimited =
      exchange.response?.status === 429 && known.has(keyAndPlace(exchange)) && !beforeUnknown.has(exchange);
    return endpoint !== null && purpose !== 'off-document' && (isRecognised(exchange) || isLimited);
  });
}

const isRecognised = ({ response }: Exchange): boolean => {
  const status = response?.status ?? 0;
  return (status > 0 && status < 400) || status === 403;
};

/** The 429s after which the key's next call that is not limited gets 401. */
function limitedBeforeUnknown(exchanges: readonly Exchange[]): ReadonlySet<Exchange> {
  const unknownNext = new Set<string>();
  return new Set(
    exchanges.toReversed().filter((exchange) => {
      if (exchange.response?.status === 401) {
        unknownNext.add(keyAndPlace(exchange));
      } else if (isRecognised(exchange)) {
        unknownNext.delete(keyAndPlace(exchange));
      }
      return exchange.response?.status === 429 && unknownNext.has(keyAndPlace(exchange));
    }),
  );
}

/** All exchanges of the run so far with a valid key, in the order of sending. */
export const keyedExchanges = (evidence: Pick<Evidence, 'exchanges'>): Exchange[] =>
  inOrder(evidence).filter(({ keyValid }) => keyValid);

/** All exchanges of the run so far, in the order of sending. Condensed ones count too: the limiter counted them. */
const inOrder = ({ exchanges }: Pick<Evidence, 'exchanges'>): Exchange[] =>
  exchanges.toSorted((one, other) => one.sentAt - other.sentAt);
