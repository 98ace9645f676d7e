import { Buffer } from 'node:buffer';
import { decompress } from '../../../common/decompress.ts';
import type { Failure } from '../../../common/transport-failure.ts';
import type { HeaderLines } from '../../../results/exchange.ts';

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: HeaderLines;
  readonly body: string | null;
}

/** An answer as it came over the wire, decompressed. */
export interface WireResponse {
  readonly status: number;
  readonly headers: HeaderLines;
  /** Empty where it could not be read. */
  readonly body: Buffer;
  /** Why the body could not be read; absent if it was. */
  readonly unread?: Failure;
}

/** Most bytes of a body, on the wire and decompressed. */
export const mostBody = 4 * 1024 * 1024;

/**
 * Sends one request and gives its answer. It follows no redirect and retries nothing. Throws TransportFailure where no
 * complete answer comes. Of one whose body exceeds its bound, or cannot be decoded, it gives status and headers.
 */
export type Transport = (request: WireRequest) => Promise<WireResponse>;

/** A transport to a deployment in this process, which is a function from Request to Response; no socket is used. */
export function handlerTransport(handle: (request: Request) => Response | Promise<Response>): Transport {
  return async ({ method, url, headers, body }) => {
    // As bytes, a body gets no Content-Type that the request does not have.
    const sent = { method, headers: headers as [string, string][], body: body === null ? null : Buffer.from(body) };
    const response = await handle(new Request(url, sent));
    const bytes = Buffer.from(await response.arrayBuffer());
    return {
      status: response.status,
      headers: [...response.headers],
      body: decompress(bytes, response.headers.get('content-encoding'), mostBody),
    };
  };
}
