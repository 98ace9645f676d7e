import type { Scheme } from './scheme.ts';

export interface DiscoverOptions {
  /** Secrets of other webhooks. A delivery that is signed with one of them is reported as `other-secret`. */
  readonly otherSecrets?: readonly string[];
  /** Keys that a sender may mistake for the secret, by what they are: `the API key`. */
  readonly mistakenKeys?: Readonly<Record<string, string>>;
  /** A bound on the search. */
  readonly maxHmacs?: number;
}

/** How the deliveries of a webhook are signed, as far as they and the secret show. */
export type Discovery = (Explained | Unexplained) & {
  /** The same in a sentence. Shows no secret. */
  readonly says: string;
  readonly notes: readonly string[];
};

interface Explained {
  /**
   * `verified`: the scheme verifies every delivery. `other-text`: the signature is over a text other than the bytes sent,
   * so that receivers which verify the raw body reject it. `body-not-covered`: it leaves the body out. `inconsistent`:
   * the scheme does not verify the deliveries in `odd`.
   */
  readonly kind: 'verified' | 'other-text' | 'body-not-covered' | 'inconsistent';
  readonly scheme: Scheme;
  readonly odd?: readonly OddDelivery[];
  /** Each receiver can rebuild the other text from what was sent, as with RFC 8785. */
  readonly isCanonical?: boolean;
}

interface Unexplained {
  /**
   * `unsigned`: no delivery carries anything of a signature's size. `other-algorithm`: signed with something else than
   * HMAC-SHA256 under the secret. `unknown-content`: there are values of a signature's size, but no content that was
   * tried explains them, or none that can be read.
   */
  readonly kind: 'unsigned' | 'other-algorithm' | 'unknown-content';
}

export interface OddDelivery {
  /** The index of the delivery, in the order given. */
  readonly index: number;
  readonly difference: 'unsigned' | 'other-secret' | 'other-scheme' | 'mismatch';
  /** What follows its number: `carries no signature`. */
  readonly says: string;
}
