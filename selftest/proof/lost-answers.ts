import type { Api } from '../../contract/clause.ts';
import { type Transport, TransportFailure, type WireRequest } from '../../suites/session/transport.ts';

/** A network that loses answers, and a look at the deployment behind it. */
export interface Lossy {
  readonly between: (transport: Transport) => Transport;
  /** How many of the lists of what can be deleted still show something of the run's: its tag, or a URL of its receiver. */
  remaining(tag: string): Promise<number>;
}

/** A run in which the answers to every so many calls of a method are lost. */
interface LossyRun {
  readonly api: Api;
  readonly every: number;
  readonly method: 'POST' | 'DELETE';
  readonly chosen: Readonly<Record<string, string>>;
}

export const lossyRuns: readonly LossyRun[] = [
  ...(['developer', 'workspace'] as const).flatMap((api) =>
    [2, 3].map((every): LossyRun => ({ api, every, method: 'POST', chosen: {} })),
  ),
  { api: 'developer', every: 2, method: 'POST', chosen: { 'developer-key-list': 'small-pages' } },
  { api: 'workspace', every: 3, method: 'DELETE', chosen: {} },
];

const lists = ['/api/v1/developer/keys', '/v1/agents', '/v1/webhooks'];

/** A network that loses the answer to every so many creations, or deletions: the deployment has done what nobody hears of. */
export function losingAnswers(every: number, method = 'POST'): Lossy {
  let answered = 0;
  let made:
    | { readonly transport: Transport; readonly request: WireRequest; readonly bounds: Parameters<Transport>[1] }
    | undefined;
  const shows = async (path: string, tag: string): Promise<boolean> => {
    if (made === undefined) {
      throw new Error('Cannot look at the deployment: nothing was created');
    }
    const {
      transport,
      request: { body: _, ...request },
      bounds,
    } = made;
    const { status, body } = await transport(
      { ...request, method: 'GET', url: new URL(path, request.url).href } as WireRequest,
      bounds,
    );
    return status === 200 && [tag, '//inbox.local/'].some((words) => body.toString('utf8').includes(words));
  };
  return {
    between: (transport) => async (request, bounds) => {
      const answer = await transport(request, bounds);
      if (answer.status >= 300) {
        return answer;
      }
      if (request.method === 'POST') {
        made ??= { transport, request, bounds };
      }
      if (request.method === method) {
        answered += 1;
      }
      if (request.method === method && answered % every === 0) {
        throw new TransportFailure('closed', 'Connection is closed before an answer came');
      }
      return answer;
    },
    remaining: async (tag) =>
      (await Promise.all(lists.map((path) => shows(path, tag)))).filter((shown) => shown).length,
  };
}

/** A network that gives no answer in time to every so many reads. */
export function losingReads(every: number): Lossy {
  let reads = 0;
  return {
    between: (transport) => async (request, bounds) => {
      if (request.method === 'GET') {
        reads += 1;
      }
      if (request.method !== 'GET' || reads % every !== 0) {
        return transport(request, bounds);
      }
      throw new TransportFailure('timeout', `No complete answer within ${bounds.timeoutMs} ms`);
    },
    remaining: () => Promise.resolve(0),
  };
}
