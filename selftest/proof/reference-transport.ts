import type { Clock } from '../../common/clock.ts';
import { TransportFailure } from '../../common/transport-failure.ts';
import { BrokenConnection, type Served } from '../../fixtures/reference/server/serve.ts';
import { handlerTransport } from '../../suites/session/handler-transport.ts';
import type { Transport } from '../../suites/session/transport.ts';

/** Calls a reference deployment without a socket, as a socket would: with the spelling of names, breaks and timeouts. */
export function referenceTransport(api: Pick<Served, 'exchange'>, clock: Clock): Transport {
  const handled = handlerTransport((request) => api.exchange(request));
  return async (request, bounds) => {
    const sentAt = clock.now();
    try {
      const response = await handled(request, bounds);
      if (clock.now() - sentAt <= bounds.timeoutMs) {
        return response;
      }
    } catch (error) {
      throw error instanceof BrokenConnection
        ? new TransportFailure('closed', 'Connection is closed before an answer came')
        : error;
    }
    throw new TransportFailure('timeout', `No complete answer within ${bounds.timeoutMs} ms`);
  };
}
