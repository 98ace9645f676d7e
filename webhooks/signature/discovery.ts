import type { BodyForm } from './read/body-forms.ts';
import type { Scheme, Source } from './scheme.ts';

/** What was found out about how a deployment signs, from its deliveries and the secret. */
export type Discovery =
  /**
   * One scheme verifies every delivery. `alternatives` verify all of them too (two names carry one value); `others` are
   * further signatures in the same deliveries. `provisional`: there was one distinct delivery only, or alternatives remain.
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
  /** Signed, and not with HMAC-SHA256 under the secret. `algorithm` names what it is, for example `HMAC-SHA1`. */
  | {
      readonly kind: 'other-algorithm';
      readonly algorithm: string;
      readonly token: Source;
      readonly notes: readonly string[];
    }
  /** Signed over another text than the bytes sent: receivers that verify the raw body reject it. */
  | {
      readonly kind: 're-serialised';
      readonly form: BodyForm;
      readonly scheme: Scheme;
      readonly notes: readonly string[];
    }
  | { readonly kind: 'body-not-covered'; readonly scheme: Scheme; readonly notes: readonly string[] }
  /** There are tokens of a signature's size and no content that was tried explains them. */
  | {
      readonly kind: 'unknown-content';
      readonly tokens: readonly SeenToken[];
      readonly tried: Tried;
      readonly notes: readonly string[];
    }
  /** The scheme verifies some deliveries and not the ones listed. */
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
  /** Readings of the secrets as keys. */
  readonly keys: number;
  readonly secrets: number;
  /** False where a bound (count or bytes hashed) ended the search early. */
  readonly complete: boolean;
}

export interface OddDelivery {
  /** Index into the deliveries given. */
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
