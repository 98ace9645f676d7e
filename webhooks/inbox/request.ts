import type { Delivery } from '../signature/delivery.ts';

/** A request as it arrived. */
export type Arrived = Omit<Delivery, 'registeredUrl' | 'receivedAt'>;

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
