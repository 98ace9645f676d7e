import type { HeaderLines } from '../../../results/exchange.ts';

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: HeaderLines;
  readonly body: string | null;
}

/** An answer as it came over the wire, decompressed, within the bounds. */
export interface WireResponse {
  readonly status: number;
  readonly headers: HeaderLines;
  readonly body: Buffer;
}

/** What an answer may not exceed. A transport that meets a bound throws TransportFailure. */
export interface Bounds {
  readonly timeoutMs: number;
  /** Body on the wire and after decompression, bytes. */
  readonly maxBody: number;
}

/** Sends one request and gives its answer; follows no redirect, retries nothing. Throws TransportFailure. */
export type Transport = (request: WireRequest, bounds: Bounds) => Promise<WireResponse>;
