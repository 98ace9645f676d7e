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
export type Discovery = { readonly notes: readonly string[] } & (
  | Verified
  /** No delivery carries anything of a signature's size. */
  | { readonly kind: 'unsigned' }
  /** Signed with something else than HMAC-SHA256 under the secret; `algorithm` is its name, such as `HMAC-SHA1`. */
  | {
      readonly kind: 'other-algorithm';
      readonly algorithm: string;
      readonly place: Place;
      /** Set if it is an HMAC-SHA256 all the same, without the secret. */
      readonly isHmacSha256?: true;
    }
  /** Signed over a text other than the bytes sent, so that receivers which verify the raw body reject it. */
  | ({ readonly kind: 'other-text'; readonly scheme: Scheme } & SentAndSigned)
  | { readonly kind: 'body-not-covered'; readonly scheme: Scheme }
  /** There are values of a signature's size, but no content that was tried explains them. */
  | { readonly kind: 'unknown-content'; readonly places: readonly Place[]; readonly tried: Tried }
  /** The scheme does not verify the deliveries in `odd`. */
  | { readonly kind: 'inconsistent'; readonly scheme: Scheme; readonly odd: readonly OddDelivery[] }
);

/** The scheme verifies every delivery. */
interface Verified {
  readonly kind: 'verified';
  readonly scheme: Scheme;
}

/** The text that was sent and the text that was signed, around the first difference. */
export interface SentAndSigned {
  /** What was signed: `body as JSON indented by 2`. */
  readonly words: string;
  /** Each receiver can rebuild the signed text from the sent one, as with RFC 8785. */
  readonly isCanonical: boolean;
  readonly sent: string;
  readonly signed: string;
}

export interface Tried {
  readonly contents: number;
  /** In how many ways the secrets were read as keys. */
  readonly keys: number;
  /** False if a bound ended the search. */
  readonly complete: boolean;
}

export interface OddDelivery {
  /** The index of the delivery, in the order given. */
  readonly index: number;
  readonly difference: 'unsigned' | 'other-secret' | 'other-text' | 'other-scheme' | 'mismatch';
  readonly message: string;
}
