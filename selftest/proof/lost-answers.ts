import { TransportFailure } from '../../common/transport-failure.ts';
import type { ApiName } from '../../contract/clause.ts';
import type { Transport } from '../../suites/session/transport/transport.ts';

/** A run in which answers to some calls of a method are lost. */
interface LossyRun {
  readonly api: ApiName;
  readonly every: number;
  readonly method: 'POST' | 'DELETE';
  readonly chosen: Readonly<Record<string, string>>;
}

export const lossyRuns: readonly LossyRun[] = [
  // Of a list that shows no end, thirty rows may be a page: with each second answer lost, so many keys are listed.
  ...[3, 4].map((every): LossyRun => ({ api: 'developer', every, method: 'POST', chosen: {} })),
  ...[2, 3].map((every): LossyRun => ({ api: 'workspace', every, method: 'POST', chosen: {} })),
  { api: 'developer', every: 2, method: 'POST', chosen: { 'developer-key-list': 'small-pages' } },
  { api: 'developer', every: 3, method: 'POST', chosen: { 'developer-rotation': 'new-record' } },
  { api: 'workspace', every: 4, method: 'POST', chosen: { 'workspace-booking-body': 'lead' } },
  { api: 'workspace', every: 3, method: 'DELETE', chosen: {} },
];

/** A network that loses some answers to creations, or to deletions, which the deployment has carried out. */
export function losingAnswers(every: number, method = 'POST'): (transport: Transport) => Transport {
  let answered = 0;
  return (transport) => async (request, bounds) => {
    const answer = await transport(request, bounds);
    if (answer.status >= 300 || request.method !== method) {
      return answer;
    }
    answered += 1;
    if (answered % every === 0) {
      throw new TransportFailure('closed', 'Connection is closed before an answer came');
    }
    return answer;
  };
}

/** A network that loses only the answer to the first creation of a kind. */
export function losingFirst(path: string): (transport: Transport) => Transport {
  let isLost = false;
  return (transport) => async (request, bounds) => {
    const answer = await transport(request, bounds);
    if (isLost || answer.status >= 300 || request.method !== 'POST' || new URL(request.url).pathname !== path) {
      return answer;
    }
    isLost = true;
    throw new TransportFailure('closed', 'Connection is closed before an answer came');
  };
}

/** A network in which some reads time out. */
export function losingReads(every: number): (transport: Transport) => Transport {
  let reads = 0;
  return (transport) => async (request, bounds) => {
    if (request.method === 'GET') {
      reads += 1;
    }
    if (request.method !== 'GET' || reads % every !== 0) {
      return transport(request, bounds);
    }
    throw new TransportFailure('timeout', `No complete answer within ${bounds.timeoutMs} ms`);
  };
}
