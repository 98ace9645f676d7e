import { decompress } from '../../common/decompress.ts';
import { headerOf } from '../../results/exchange.ts';
import { type Transport, TransportFailure, type WireRequest, type WireResponse } from './transport.ts';

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
