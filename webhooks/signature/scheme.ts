import type { BodyForm } from './read/body-forms.ts';
import type { KeyForm } from './read/keys.ts';
import type { TimeUnit } from './read/times.ts';
import type { UrlForm } from './read/url-forms.ts';

/**
 * A signing scheme as closed data: enough to verify a delivery, to sign one, and to tell a receiver's author what to do.
 * The families it can say are those of the services that sign webhooks with HMAC-SHA256.
 */
export interface Scheme {
  readonly signature: Place;
  readonly content: Content;
  readonly encoding: Encoding;
  readonly key: KeyForm;
  /** The moment of sending, where a delivery tells it; `covered`: it is part of the signed content. */
  readonly timestamp?: Timestamp;
}

/**
 * Where a value stands. In a header, `label` is the text right before it (`v1=`, `t=`), with `{signature}` for a signature
 * that stands there; null is the whole value, an empty one the first entry. A body is pointed into as JSON; the empty
 * pointer is the whole body.
 */
export type Source =
  | { readonly in: 'header'; readonly name: string; readonly label: string | null }
  | { readonly in: 'query'; readonly name: string }
  | { readonly in: 'body'; readonly pointer: string };

export interface Place {
  readonly source: Source;
  /** The value with `{signature}` and `{timestamp}` for what changes, for example `t={timestamp},v1={signature}`. */
  readonly template: string;
  /** What stands between several signatures in one value, where several were seen. */
  readonly list?: ',' | ' ' | ';';
  /** Hexadecimal in groups: so many digits each, with this text between them. */
  readonly groups?: Groups;
}

export interface Groups {
  readonly every: number;
  readonly by: string;
}

export type Content =
  | { readonly kind: 'parts'; readonly parts: readonly Part[] }
  /** A compact JWS (HS256). */
  | { readonly kind: 'jws'; readonly covers: JwsCover }
  /** RFC 9421 over the components that Signature-Input names under `label`; `digest`: Content-Digest (RFC 9530) is one. */
  | { readonly kind: 'message-signature'; readonly label: string; readonly digest: boolean }
  /** The draft before RFC 9421: `name: value` of the headers that the signature header lists; `digest`: Digest is one. */
  | { readonly kind: 'http-signature'; readonly digest: boolean }
  /** Method, path, signed headers (`name:value` joined by `;`, their names in a header) and body, one to a line. */
  | { readonly kind: 'canonical-request'; readonly signedHeaders: string };

/** What ties a JWS to the body. Claims are named by JSON pointers. */
export type JwsCover =
  /** The claim is the SHA-256 of the body. */
  | { readonly by: 'hash'; readonly claim: string; readonly encoding: 'hex' | 'base64' | 'base64url' }
  /** The claim is the payload itself. */
  | { readonly by: 'claim'; readonly claim: string }
  /** Its second part is left out and is the body: in base64url (RFC 7515, F), or as it is (RFC 7797). */
  | { readonly by: 'detached'; readonly encoded: boolean }
  /** It stands in the body, and its claims are the payload. */
  | { readonly by: 'place' }
  | { readonly by: 'nothing' };

export type Part =
  | { readonly kind: 'literal'; readonly text: string }
  /** `as`: a timestamp that is signed in another spelling than the one sent. */
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

/** `base64-hex`: the base64 of the hexadecimal text. */
export type Encoding = (typeof encodings)[number];

export interface Timestamp {
  readonly source: Source;
  readonly unit: TimeUnit;
  readonly covered: boolean;
}
