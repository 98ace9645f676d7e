import type { Delivery } from './delivery.ts';

/** A delivery before it is signed. */
export interface Draft extends Pick<Delivery, 'method' | 'headers' | 'body'> {
  /** The URL it goes to, whole. */
  readonly url: string;
  /** Epoch milliseconds that the delivery claims as its time. */
  readonly at: number;
  readonly id: string;
}
