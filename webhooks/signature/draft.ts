import type { HeaderLines } from './delivery.ts';

/** A delivery before it is signed. */
export interface Draft {
  readonly method: string;
  /** The URL it goes to, whole. */
  readonly url: string;
  readonly headers: HeaderLines;
  readonly body: Buffer;
  /** Epoch milliseconds that the delivery claims as its time. */
  readonly at: number;
  readonly id: string;
}
