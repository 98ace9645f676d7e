import { limitHeaders } from '../../../contract/limits.ts';
import type { Sample } from '../../../limits/judge/trace.ts';
import { type Exchange, headerOf } from '../../../results/exchange.ts';
import type { Evidence } from '../../session/evidence/evidence.ts';

/** An exchange as the judge of limits wants it. `phase` says what the call was for, `route` how it differs from the plain one. */
export function sampleOf(exchange: Exchange, phase: string, route?: string): Sample {
  const { sentAt, receivedAt, response, keyLabel } = exchange;
  const header = (name: string): string | null => (response === null ? null : headerOf(response.headers, name));
  return {
    sentAt,
    receivedAt,
    phase,
    key: String(keyLabel),
    status: response?.status ?? 0,
    limit: header(limitHeaders[0]),
    remaining: header(limitHeaders[1]),
    reset: header(limitHeaders[2]),
    retryAfter: header('Retry-After'),
    date: header('Date'),
    ...(route === undefined ? {} : { route }),
  };
}

/**
 * A call that was made for something else than the limit, as the judge wants it. What is no documented call may be refused before
 * its key is looked at: then its headers say nothing of the key's budget.
 */
export function earlierSampleOf(exchange: Exchange, route?: string): Sample {
  const sample = sampleOf(exchange, 'before', route);
  const isStray = exchange.endpoint === null || exchange.purpose === 'off-document';
  return isStray && sample.status >= 400 && sample.status !== 429
    ? { ...sample, limit: null, remaining: null }
    : sample;
}

/** A key, and whether it was sent in the query, where a deployment may not see it: there it is shortened. */
const wayOf = ({ keyLabel, request }: Exchange): string => `${keyLabel} ${request.url.includes('…')}`;

/**
 * The responses to documented calls whose key was looked at and known, in the order of sending: a call may be refused before that,
 * and a new key not be known at once, or not everywhere at once: after a 401 it counts as unknown, sent that way, until it is taken again.
 */
export function keyedResponses(evidence: Pick<Evidence, 'exchanges'>): Exchange[] {
  const known = new Set<string>();
  return keyedExchanges(evidence).filter((exchange) => {
    const { endpoint, purpose, response } = exchange;
    const [status, way] = [response?.status ?? 0, wayOf(exchange)];
    const isTaken = (status > 0 && status < 400) || status === 403;
    if (isTaken) {
      known.add(way);
    } else if (status === 401) {
      known.delete(way);
    }
    return endpoint !== null && purpose !== 'off-document' && (isTaken || (status === 429 && known.has(way)));
  });
}

/** All calls of the run so far with a valid key, in the order of sending. */
export const keyedExchanges = (evidence: Pick<Evidence, 'exchanges'>): Exchange[] =>
  inOrder(evidence).filter(({ keyValid }) => keyValid);

/** All calls of the run so far, in the order of sending. One that lost its headers for want of memory was counted all the same. */
export const inOrder = ({ exchanges }: Pick<Evidence, 'exchanges'>): Exchange[] =>
  exchanges.toSorted((one, other) => one.sentAt - other.sentAt);
