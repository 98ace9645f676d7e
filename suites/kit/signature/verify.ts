import type { Delivery } from './delivery.ts';
import type { Scheme } from './scheme.ts';

export type Verification = { readonly verified: true } | { readonly verified: false; readonly reason: string };

/** Whether the delivery carries the scheme's signature under the secret; the reason never shows the secret. */
export function verify(scheme: Scheme, delivery: Delivery, secret: string): Verification {
  void [scheme, delivery, secret];
  return { verified: false, reason: 'not implemented' };
}
