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

/** Where a value stands. `label` is the text right before it inside a header (`v1=`, `t=`); null is the whole value. */
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
}

export type Content =
  | { readonly kind: 'parts'; readonly parts: readonly Part[] }
  /** A compact JWS (HS256) whose claim (a JSON pointer) holds the SHA-256 of the body; an empty claim: none does. */
  | { readonly kind: 'jws'; readonly claim: string; readonly claimEncoding: 'hex' | 'base64' | 'base64url' }
  /** RFC 9421 over the components that Signature-Input names under `label`; `digest`: Content-Digest (RFC 9530) is one. */
  | { readonly kind: 'message-signature'; readonly label: string; readonly digest: boolean }
  /** Method, path, signed headers (`name:value` joined by `;`, their names in a header) and body, one to a line. */
  | { readonly kind: 'canonical-request'; readonly signedHeaders: string };

export type Part =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'value'; readonly role: 'timestamp' | 'id' | 'field'; readonly source: Source }
  | { readonly kind: 'method' }
  | { readonly kind: 'url'; readonly form: UrlForm }
  | { readonly kind: 'body'; readonly form: BodyForm };

export type UrlForm = 'registered' | 'normalised' | 'without-query' | 'path' | 'path-query';

export const bodyForms = [
  'raw',
  'sha256-hex',
  'sha256-base64',
  'base64',
  'decompressed',
  'empty',
  'json-compact',
  'json-python',
  'json-python-utf8',
  'json-sorted',
  'json-python-sorted',
  'json-ascii',
  'json-php',
  'json-pretty-2',
  'json-pretty-4',
  'newline-added',
  'trimmed',
  'json-unsigned',
  'json-unsigned-sorted',
  'json-unsigned-python',
  'json-inside',
  'sorted-pairs',
] as const;

/**
 * `raw` and the next four are computed from the bytes as sent; `empty` covers nothing; all others are another text than
 * the one sent, which a receiver can only guess.
 */
export type BodyForm = (typeof bodyForms)[number];

/** `base64-hex`: the base64 of the hexadecimal text. */
export type Encoding = 'hex' | 'base64' | 'base64url' | 'base64-hex';

export interface KeyForm {
  /** Text taken off the secret's front first (`whsec_`); empty where nothing is. */
  readonly strip: string;
  readonly decode: 'utf8' | 'base64' | 'hex' | 'trimmed' | 'sha256-hex' | 'sha256';
}

export type TimeUnit = 's' | 'ms' | 'us' | 'ns' | 'iso-8601' | 'http-date';

export interface Timestamp {
  readonly source: Source;
  readonly unit: TimeUnit;
  readonly covered: boolean;
}
