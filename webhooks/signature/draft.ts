import type { Delivery } from './delivery.ts';

/** A delivery before it is signed. */
export interface Draft extends Pick<Delivery, 'method' | 'headers' | 'body'> {
  /** The absolute URL that it is sent to. */
  readonly url: string;
  /** The time of sending that the delivery states, in epoch milliseconds. */
  readonly at: number;
  readonly id: string;
}
