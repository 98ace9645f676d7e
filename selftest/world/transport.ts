import type { Clock } from '../../common/clock.ts';
import { TransportFailure } from '../../common/transport-failure.ts';
import type { Served } from '../../fixtures/reference/serve.ts';
import { BrokenConnection } from '../../fixtures/reference/steps.ts';
import { handlerTransport } from '../../suites/session/transport/handler-transport.ts';
import type { Transport } from '../../suites/session/transport/transport.ts';

/**
 * Calls a reference deployment without a socket, but with the effects of one: spelling of header names, broken
 * connections, timeouts.
 */
export function referenceTransport(fetch: Served, clock: Clock): Transport {
  return async (request, bounds) => {
    const spellings = request.headers.map(([name]) => name);
    const sentAt = clock.now();
    try {
      const response = await handlerTransport((sent) => fetch(sent, spellings))(request, bounds);
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
