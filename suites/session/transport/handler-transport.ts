import { Buffer } from 'node:buffer';
import { decompress } from '../../../common/decompress.ts';
import { TransportFailure } from '../../../common/transport-failure.ts';
import type { Transport } from './transport.ts';

/** A transport to a deployment in this process, which is a function from Request to Response; no socket is used. */
export function handlerTransport(handle: (request: Request) => Response | Promise<Response>): Transport {
  return async ({ method, url, headers, body }, { maxBody }) => {
    const response = await handle(new Request(url, { method, headers: headers as [string, string][], body }));
    const bytes = Buffer.from(await response.arrayBuffer());
    if (bytes.length > maxBody) {
      throw new TransportFailure('too-large', `Body is larger than ${maxBody} bytes`);
    }
    return {
      status: response.status,
      headers: [...response.headers],
      body: decompress(bytes, response.headers.get('content-encoding'), maxBody),
    };
  };
}
