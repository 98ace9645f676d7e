import type { Delivery } from './delivery.ts';
import type { Discovery } from './discovery.ts';

export interface DiscoverOptions {
  /** Secrets of other webhooks: a delivery that one of these explains is reported as `other-secret`. */
  readonly otherSecrets?: readonly string[];
  /** Also try every order of up to three ingredients with the body. On by default. */
  readonly lastResort?: boolean;
  readonly maxHmacs?: number;
  readonly maxBytes?: number;
}

/** Finds how deliveries are signed. Takes two or more deliveries of one webhook and its secret; throws nothing. */
export function discoverScheme(deliveries: readonly Delivery[], secret: string, options: DiscoverOptions = {}): Discovery {
  void [deliveries, secret, options];
  return { kind: 'unsigned', notes: [] };
}
