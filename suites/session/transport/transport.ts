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

/** What an answer must not exceed. */
export interface Bounds {
  readonly timeoutMs: number;
  /** Bytes of the body, on the wire and decompressed. */
  readonly maxBody: number;
}

/**
 * Sends one request and gives its answer. It follows no redirect and retries nothing. Throws TransportFailure where no
 * complete answer comes. Of one whose body exceeds a bound, or cannot be decoded, it gives the status and the headers.
 */
export type Transport = (request: WireRequest, bounds: Bounds) => Promise<WireResponse>;
