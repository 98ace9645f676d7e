import { hmacSha256, signedContent } from './content.ts';
import type { Delivery } from './delivery.ts';
import { headerValues } from './delivery.ts';
import { deriveKey } from './keys.ts';
import { bodiesFor } from './parts.ts';
import type { Encoding, Scheme, Source } from './scheme.ts';
import { jwsValue, signatureInputHeaders } from './sign-envelopes.ts';
import { writeTimestamp } from './timestamps.ts';

/** A delivery before it is signed. */
export interface Draft {
  readonly method: string;
  /** The URL it goes to, whole. */
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** Epoch milliseconds that the delivery claims as its time. */
  readonly at: number;
  readonly id: string;
}

export interface SignOptions {
  /** The timestamp's text, where it is to be another than `at` in the scheme's unit. */
  readonly timestampText?: string;
  /** The HMAC's key, where it is not what the scheme makes of the secret. */
  readonly key?: Buffer;
  /** Replaces the HMAC: takes content and key, gives the digest to write. */
  readonly digest?: (content: Buffer, key: Buffer) => Buffer;
}

export interface Signed {
  /** The draft's headers with those of the scheme: timestamp, id and signature. */
  readonly headers: readonly (readonly [string, string])[];
  /** The signature's text, to be found again in its header. */
  readonly signature: string;
}

/** Signs a draft by a scheme whose signature stands in a header. Throws where the scheme puts it elsewhere, or the secret has not its form. */
export function sign(scheme: Scheme, draft: Draft, secret: string, options: SignOptions = {}): Signed {
  const { source, template } = scheme.signature;
  if (source.in !== 'header') {
    throw new TypeError(`Cannot sign by this scheme: its signature stands in the ${source.in}, not in a header`);
  }
  const key = options.key ?? deriveKey(scheme.key, secret);
  if (key === undefined) {
    throw new TypeError(`Cannot make the key: the secret is not ${scheme.key.decode} behind "${scheme.key.strip}"`);
  }
  const timestamp =
    options.timestampText ?? (scheme.timestamp === undefined ? '' : writeTimestamp(draft.at, scheme.timestamp.unit));
  const headers = [
    ...draft.headers,
    ...valueHeaders(scheme, draft, timestamp),
    ...signatureInputHeaders(scheme, draft),
  ];
  const holder = template.replaceAll('{timestamp}', timestamp);
  const make = (value: string): Delivery => deliveryOf(draft, [...headers, [source.name, value]]);
  if (scheme.content.kind === 'jws') {
    const value = holder.replaceAll(
      '{signature}',
      jwsValue(scheme.content, draft, (content) => hmacSha256(key, content)),
    );
    return { headers: make(value).headers, signature: value };
  }
  // A digest's length, since a time before it in the header is known by what follows.
  const unsigned = make(holder.replaceAll('{signature}', '0'.repeat(64)));
  const content = signedContent(scheme, unsigned, bodiesFor(scheme, unsigned));
  if (!Buffer.isBuffer(content)) {
    throw new TypeError(`Cannot sign by this scheme: the delivery lacks ${content.missing}`);
  }
  const signature = encodeDigest((options.digest ?? hmacContent)(content, key), scheme.encoding);
  return { headers: make(holder.replaceAll('{signature}', signature)).headers, signature };
}

const hmacContent = (content: Buffer, key: Buffer): Buffer => hmacSha256(key, content);

/** A digest as text. */
export function encodeDigest(digest: Buffer, encoding: Encoding): string {
  return encoding === 'base64-hex' ? Buffer.from(digest.toString('hex')).toString('base64') : digest.toString(encoding);
}

/** Headers that carry values of the content in whole: the timestamp's own, the id's and further ones. */
function valueHeaders(scheme: Scheme, draft: Draft, timestamp: string): [string, string][] {
  const made: [string, string][] = [];
  const add = (source: Source, value: string): void => {
    if (source.in !== 'header' || source.label !== null) {
      return;
    }
    if (headerValues({ headers: [...draft.headers, ...made] }, source.name).length === 0) {
      made.push([source.name, value]);
    }
  };
  if (scheme.timestamp !== undefined) {
    add(scheme.timestamp.source, timestamp);
  }
  if (scheme.content.kind === 'parts') {
    for (const part of scheme.content.parts) {
      if (part.kind === 'value') {
        add(part.source, part.role === 'timestamp' ? timestamp : draft.id);
      }
    }
  }
  if (scheme.content.kind === 'canonical-request') {
    const names = [scheme.content.signedHeaders, ...made.map(([name]) => name)];
    made.push([scheme.content.signedHeaders, names.map((name) => name.toLowerCase()).join(',')]);
  }
  return made;
}

function deliveryOf(draft: Draft, headers: readonly (readonly [string, string])[]): Delivery {
  const parsed = URL.canParse(draft.url) ? new URL(draft.url) : undefined;
  const url = parsed === undefined ? draft.url : `${parsed.pathname}${parsed.search}`;
  return { method: draft.method, url, registeredUrl: draft.url, headers, body: draft.body, receivedAt: draft.at };
}
