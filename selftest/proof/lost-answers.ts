import { TransportFailure, type Transport, type WireRequest } from '../../suites/kit/transport.ts';

/** A network that loses answers, and a look at the deployment behind it. */
export interface Lossy {
  readonly between: (transport: Transport) => Transport;
  /** How many of the lists of what can be deleted still show something of the run's. */
  remaining(tag: string): Promise<number>;
}

const lists = ['/api/v1/developer/keys', '/v1/agents', '/v1/webhooks'];

/** A network that loses the answer to every so many creations, or deletions: the deployment has done what nobody hears of. */
export function losingAnswers(every: number, method = 'POST'): Lossy {
  let answered = 0;
  let made: { readonly transport: Transport; readonly request: WireRequest; readonly bounds: Parameters<Transport>[1] } | undefined;
  const shows = async (path: string, tag: string): Promise<boolean> => {
    if (made === undefined) throw new Error('Cannot look at the deployment: nothing was created');
    const { transport, request: { body: _, ...request }, bounds } = made;
    const { status, body } = await transport({ ...request, method: 'GET', url: new URL(path, request.url).href } as WireRequest, bounds);
    return status === 200 && body.toString('utf8').includes(tag);
  };
  return {
    between: (transport) => async (request, bounds) => {
      const answer = await transport(request, bounds);
      if (answer.status >= 300) return answer;
      if (request.method === 'POST') made ??= { transport, request, bounds };
      if (request.method === method) answered += 1;
      if (request.method === method && answered % every === 0) throw new TransportFailure('closed', 'Connection is closed before an answer came');
      return answer;
    },
    remaining: async (tag) => (await Promise.all(lists.map((path) => shows(path, tag)))).filter((shown) => shown).length,
  };
}
