import type { BodyForm } from './read/body-forms.ts';
import type { Scheme, Source } from './scheme.ts';

export interface DiscoverOptions {
  /** Secrets of other webhooks. A delivery that is signed with one of them is reported as `other-secret`. */
  readonly otherSecrets?: readonly string[];
  /** Texts that a server may use as the secret by mistake, by what they are: "the webhook's id". */
  readonly mistakenSecrets?: Readonly<Record<string, string>>;
  /** Schemes of the deployment's other webhooks. If one of them verifies every delivery, nothing else is searched. */
  readonly likely?: readonly Scheme[];
  /** Whether to try every composition of ingredients if nothing usual is found. True by default. */
  readonly lastResort?: boolean;
  /** Bounds on the search: HMACs computed, and bytes hashed. */
  readonly maxHmacs?: number;
  readonly maxBytes?: number;
}

/** How the deliveries of a webhook are signed, as far as they and the secret show. */
export type Discovery =
  /**
   * One scheme verifies every delivery. `alternatives` verify every delivery with the same signature (two names carry
   * one value, say); `others` are further signatures in the same deliveries. It is `provisional` if there are
   * alternatives, or only one distinct body.
   */
  | {
      readonly kind: 'verified';
      readonly scheme: Scheme;
      readonly alternatives: readonly Scheme[];
      readonly others: readonly Scheme[];
      readonly provisional: boolean;
      readonly notes: readonly string[];
    }
  /** No delivery carries anything of a signature's size. */
  | { readonly kind: 'unsigned'; readonly notes: readonly string[] }
  /** Signed with something else than HMAC-SHA256 under the secret; `algorithm` is its name, such as `HMAC-SHA1`. */
  | {
      readonly kind: 'other-algorithm';
      readonly algorithm: string;
      readonly token: Source;
      /** Set if it is an HMAC-SHA256 all the same: under a mistaken key, or cut short. */
      readonly isHmacSha256?: boolean;
      readonly notes: readonly string[];
    }
  /** Signed over a text other than the bytes sent, so that receivers which verify the raw body reject it. */
  | {
      readonly kind: 're-serialised';
      readonly form: BodyForm;
      readonly scheme: Scheme;
      readonly notes: readonly string[];
    }
  | { readonly kind: 'body-not-covered'; readonly scheme: Scheme; readonly notes: readonly string[] }
  /** There are tokens of a signature's size, but no content that was tried explains them. */
  | {
      readonly kind: 'unknown-content';
      readonly tokens: readonly SeenToken[];
      readonly tried: Tried;
      readonly notes: readonly string[];
    }
  /** The scheme does not verify the deliveries in `odd`. */
  | {
      readonly kind: 'inconsistent';
      readonly scheme: Scheme;
      readonly odd: readonly OddDelivery[];
      readonly notes: readonly string[];
    };

export interface SeenToken {
  readonly source: Source;
  readonly bytes: number;
}

interface Tried {
  readonly hmacs: number;
  readonly contents: number;
  /** In how many ways the secrets were read as keys. */
  readonly keys: number;
  readonly secrets: number;
  /** False if a bound ended the search. */
  readonly complete: boolean;
}

export interface OddDelivery {
  /** The index of the delivery, in the order given. */
  readonly index: number;
  readonly difference:
    | 'unsigned'
    | 'other-secret'
    | 'other-algorithm'
    | 're-serialised'
    | 'body-not-covered'
    | 'other-scheme'
    | 'mismatch';
  readonly message: string;
}
