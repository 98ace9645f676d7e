import type { Clock } from '../../common/clock.ts';
import { TransportFailure } from '../../common/transport-failure.ts';
import { spellingHeader } from '../../fixtures/reference/serve.ts';
import { BrokenConnection } from '../../fixtures/reference/steps.ts';
import { handlerTransport } from '../../suites/session/transport/handler-transport.ts';
import type { Transport } from '../../suites/session/transport/transport.ts';

/** One API of a reference deployment in this process. */
interface Served {
  fetch(request: Request): Promise<Response>;
}

/**
 * Calls a reference deployment without a socket, but with the effects of one: spelling of header names, broken
 * connections, timeouts.
 */
export function referenceTransport(api: Served, clock: Clock): Transport {
  const handled = handlerTransport((request) => api.fetch(request));
  return async (request, bounds) => {
    const names = request.headers.map(([name]) => name).join(' ');
    const sentAt = clock.now();
    try {
      const response = await handled({ ...request, headers: [...request.headers, [spellingHeader, names]] }, bounds);
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
