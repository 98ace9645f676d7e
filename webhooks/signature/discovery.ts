import type { Place, Scheme } from './scheme.ts';

export interface DiscoverOptions {
  /** Secrets of other webhooks. A delivery that is signed with one of them is reported as `other-secret`. */
  readonly otherSecrets?: readonly string[];
  /** Keys that a sender may mistake for the secret, by what they are: `the API key`. */
  readonly mistakenKeys?: Readonly<Record<string, string>>;
  /** A bound on the search. */
  readonly maxHmacs?: number;
}

/** How the deliveries of a webhook are signed, as far as they and the secret show. */
export type Discovery = { readonly notes: readonly string[] } /** The scheme verifies every delivery. */ & (
  | { readonly kind: 'verified'; readonly scheme: Scheme }
  /** No delivery carries anything of a signature's size. */
  | { readonly kind: 'unsigned' }
  /** Signed with something else than HMAC-SHA256 under the secret; `algorithm` is its name, such as `HMAC-SHA1`. */
  | { readonly kind: 'other-algorithm'; readonly algorithm: string; readonly place: Place }
  /**
   * Signed over a text other than the bytes sent, so that receivers which verify the raw body reject it: `body as JSON
   * indented by 2`. A canonical one each receiver can rebuild from what was sent, as with RFC 8785.
   */
  | { readonly kind: 'other-text'; readonly scheme: Scheme; readonly words: string; readonly isCanonical: boolean }
  | { readonly kind: 'body-not-covered'; readonly scheme: Scheme }
  /** There are values of a signature's size, but no content that was tried explains them, or none that can be read. */
  | { readonly kind: 'unknown-content'; readonly places: readonly Place[] }
  /** The scheme does not verify the deliveries in `odd`. */
  | { readonly kind: 'inconsistent'; readonly scheme: Scheme; readonly odd: readonly OddDelivery[] }
);

export interface OddDelivery {
  /** The index of the delivery, in the order given. */
  readonly index: number;
  readonly difference: 'unsigned' | 'other-secret' | 'other-scheme' | 'mismatch';
  /** What follows its number: `carries no signature`. */
  readonly says: string;
}
