import type { BodyForm } from './read/body-forms.ts';
import type { KeyForm } from './read/keys.ts';
import type { TimeUnit } from './read/times.ts';
import type { UrlForm } from './read/url-forms.ts';

/**
 * A signing scheme as data that suffices to verify a delivery, to sign one, and to describe the scheme to a receiver's
 * author. Covers the schemes of all known services that sign webhooks with HMAC-SHA256.
 */
export interface Scheme {
  readonly signature: Place;
  readonly content: Content;
  readonly encoding: Encoding;
  readonly key: KeyForm;
  /** The time of sending, if deliveries show it. */
  readonly timestamp?: Timestamp;
}

/**
 * The place of a value in a delivery. In a header, `label` is the text right before the value (`v1=`, `t=`), with
 * `{signature}` for a signature in it; null means the header's whole value, and an empty label its first entry. In a
 * body, `pointer` is a JSON pointer; empty means the whole body.
 */
export type Source =
  | { readonly in: 'header'; readonly name: string; readonly label: string | null }
  | { readonly in: 'query'; readonly name: string }
  | { readonly in: 'body'; readonly pointer: string };

export interface Place {
  readonly source: Source;
  /** The value with `{signature}` and `{timestamp}` in place of the two, for example `t={timestamp},v1={signature}`. */
  readonly template: string;
  /** The separator between several signatures in one value, if several were seen. */
  readonly list?: ',' | ' ' | ';';
  /** Present if hexadecimal digits are written in groups. */
  readonly groups?: Groups;
}

/** Groups of `every` digits, separated by `by`. */
export interface Groups {
  readonly every: number;
  readonly by: string;
}

export type Content =
  | { readonly kind: 'parts'; readonly parts: readonly Part[] }
  /** A compact JWS (HS256). */
  | { readonly kind: 'jws'; readonly covers: JwsCover }
  /**
   * RFC 9421 over the components that Signature-Input names under `label`. `digest`: they include Content-Digest (RFC
   * 9530).
   */
  | { readonly kind: 'message-signature'; readonly label: string; readonly digest: boolean }
  /**
   * The draft before RFC 9421: `name: value` of the headers that the signature header lists. `digest`: they include
   * Digest.
   */
  | { readonly kind: 'http-signature'; readonly digest: boolean }
  /**
   * Method, path, signed headers and body, each on a line. The headers are `name:value` joined by `;`; the header
   * `signedHeaders` lists their names.
   */
  | { readonly kind: 'canonical-request'; readonly signedHeaders: string };

/** How a JWS covers the body. `claim` is a JSON pointer into its claims. */
export type JwsCover =
  /** A claim is the SHA-256 of the body. */
  | { readonly by: 'hash'; readonly claim: string; readonly encoding: 'hex' | 'base64' | 'base64url' }
  /** A claim is the payload itself. */
  | { readonly by: 'claim'; readonly claim: string }
  /** The second part of the JWS is left out; it is the body, in base64url (RFC 7515, F) or as it is (RFC 7797). */
  | { readonly by: 'detached'; readonly encoded: boolean }
  /** The JWS is in the body, and its claims are the payload. */
  | { readonly by: 'place' }
  | { readonly by: 'nothing' };

export type Part =
  | { readonly kind: 'literal'; readonly text: string }
  /** `as` is the unit in which a timestamp is signed, if it is sent in another. */
  | {
      readonly kind: 'value';
      readonly role: 'timestamp' | 'id' | 'field';
      readonly source: Source;
      readonly as?: TimeUnit;
    }
  | { readonly kind: 'method'; readonly lower?: true }
  | { readonly kind: 'url'; readonly form: UrlForm }
  | { readonly kind: 'body'; readonly form: BodyForm };

export const encodings = ['hex', 'base64', 'base64url', 'base64-hex'] as const;

/** `base64-hex` is the base64 of the hexadecimal text. */
export type Encoding = (typeof encodings)[number];

export interface Timestamp {
  readonly source: Source;
  readonly unit: TimeUnit;
  /** Whether it is part of the signed content. */
  readonly covered: boolean;
}
