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

export const urlForms = [
  'registered',
  'normalised',
  'without-query',
  'as-called',
  'path-query',
  'path',
  'query',
  'host',
  'hostname',
] as const;

/** `as-called` has the query of the delivery; `host` has the port where there is one, `hostname` never; `query` goes without its question mark. */
export type UrlForm = (typeof urlForms)[number];

/** In the order in which they are tried. read/body-forms.ts says what each is. */
export const bodyForms = [
  'raw',
  'sha256-hex',
  'sha256-hex-upper',
  'sha256-base64',
  'sha256-base64url',
  'sha512-hex',
  'sha512-base64',
  'md5-hex',
  'md5-base64',
  'base64',
  'base64url',
  'decompressed',
  'empty',
  'json-compact',
  'json-python',
  'json-python-utf8',
  'json-sorted',
  'json-python-sorted',
  'json-ascii',
  'json-php',
  'json-php-utf8',
  'json-html',
  'json-html-sorted',
  'json-html-ascii',
  'json-html-full',
  'json-dotnet',
  'json-pretty-2',
  'json-pretty-4',
  'json-php-pretty',
  'ascii-escaped',
  'ascii-escaped-upper',
  'html-escaped',
  'html-escaped-full',
  'html-entities',
  'html-entities-values',
  'html-entities-all',
  'slashes-escaped',
  'slashes-unescaped',
  'latin1',
  'latin1-lossy',
  'ascii-lossy',
  'utf8-twice',
  'utf-16',
  'composed',
  'decomposed',
  'newline-added',
  'trimmed',
  'json-unsigned',
  'json-unsigned-sorted',
  'json-unsigned-python',
  'json-inside',
  'json-sorted-top',
  'json-member',
  'json-inner-member',
  'json-without-last',
  'object-text',
  'sorted-pairs',
  'sorted-fields',
] as const;

export type BodyForm = (typeof bodyForms)[number];

export const encodings = ['hex', 'base64', 'base64url', 'base64-hex'] as const;

/** `base64-hex`: the base64 of the hexadecimal text. */
export type Encoding = (typeof encodings)[number];

export const keyDecodings = ['utf8', 'base64', 'hex', 'trimmed', 'sha256-hex', 'sha256'] as const;

export interface KeyForm {
  /** Text taken off the secret's front first (`whsec_`); empty where nothing is. */
  readonly strip: string;
  readonly decode: (typeof keyDecodings)[number];
}

export const timeUnits = [
  's',
  'ms',
  'us',
  'ns',
  's-float',
  's-hex',
  'iso-8601',
  'iso-basic',
  'http-date',
  'rfc-2822',
] as const;

/** `s-float`: 1790510400.123. `s-hex`: 6ab8fd00. `iso-basic`: 20260927T120000Z. `rfc-2822`: Sun, 27 Sep 2026 12:00:00 +0000. */
export type TimeUnit = (typeof timeUnits)[number];

export interface Timestamp {
  readonly source: Source;
  readonly unit: TimeUnit;
  readonly covered: boolean;
}
