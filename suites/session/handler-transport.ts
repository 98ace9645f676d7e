import { decompress } from '../../common/decompress.ts';
import { TransportFailure } from '../../common/transport-failure.ts';
import { headerOf } from '../../results/exchange.ts';
import type { Transport, WireRequest, WireResponse } from './transport.ts';

/** A transport to a deployment in this process, no socket between. */
export function handlerTransport(handle: (request: WireRequest) => Promise<WireResponse>): Transport {
  return async (request, { maxBody }) => {
    const { status, headers, body } = await handle(request);
    if (body.length > maxBody) {
      throw new TransportFailure('too-large', `Body is larger than ${maxBody} bytes`);
    }
    return { status, headers, body: decompress(body, headerOf(headers, 'content-encoding'), maxBody) };
  };
}
