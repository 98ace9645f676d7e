import { bodiesFor, hmacSha256, signedContent } from './content.ts';
import type { Delivery, HeaderLines } from './delivery.ts';
import type { Draft } from './draft.ts';
import type { BodyForm } from './read/body-forms.ts';
import { deriveKey } from './read/keys.ts';
import { writeTime } from './read/times.ts';
import type { Scheme } from './scheme.ts';
import { jwsValue, schemeHeaders } from './sign-headers.ts';

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
  readonly headers: HeaderLines;
  /** The signature's text, to be found again in its header. */
  readonly signature: string;
}

/** Why nothing can be signed by a scheme; undefined where it can. */
export function obstacleToSigning({ signature, content }: Scheme): string | undefined {
  if (signature.source.in !== 'header') {
    return `its signature stands in the ${signature.source.in}, not in a header`;
  }
  if (content.kind === 'jws' && content.covers.by === 'claim') {
    return 'its JWS holds the payload itself';
  }
  const parts = content.kind === 'parts' ? content.parts : [];
  if (parts.some((part) => part.kind === 'value' && part.source.in === 'body')) {
    return 'its content holds a field of the body';
  }
  const foreign = parts.some((part) => part.kind === 'body' && notOfPlainJson.includes(part.form));
  return foreign ? 'its content is made of a body that is not plain JSON' : undefined;
}

/** Forms that a draft's body, plain JSON, does not have. */
const notOfPlainJson: readonly BodyForm[] = ['sorted-fields', 'json-inside', 'decompressed'];

/** Signs a draft. Throws TypeError where the scheme is none that can be signed by, or the secret has not its form. */
export function sign(scheme: Scheme, draft: Draft, secret: string, options: SignOptions = {}): Signed {
  const { source, template } = scheme.signature;
  const obstacle = obstacleToSigning(scheme);
  if (source.in !== 'header' || obstacle !== undefined) {
    throw new TypeError(`Cannot sign by this scheme: ${obstacle ?? ''}`);
  }
  const key = options.key ?? deriveKey(scheme.key, secret);
  if (key === undefined) {
    throw new TypeError(`Cannot make the key: the secret is not ${scheme.key.decode} behind "${scheme.key.strip}"`);
  }
  const timestamp = options.timestampText ?? (scheme.timestamp ? writeTime(draft.at, scheme.timestamp.unit) : '');
  const headers = [...draft.headers, ...schemeHeaders(scheme, draft, timestamp)];
  const withSignature = (signature: string): Delivery =>
    deliveryOf(draft, [
      ...headers,
      [source.name, template.replaceAll('{timestamp}', timestamp).replaceAll('{signature}', signature)],
    ]);
  if (scheme.content.kind === 'jws') {
    const signature = jwsValue(scheme.content.covers, draft, (content) => hmacSha256(key, content));
    return { headers: withSignature(signature).headers, signature };
  }
  // A digest's look, since a time beside it in the header is known by what stands around it.
  const unsigned = withSignature(encodeDigest(Buffer.alloc(32), scheme));
  const content = signedContent(scheme, unsigned, bodiesFor(scheme, unsigned));
  if (!Buffer.isBuffer(content)) {
    throw new TypeError(`Cannot sign by this scheme: the delivery lacks ${content.missing}`);
  }
  const digest = options.digest ?? ((bytes: Buffer, by: Buffer) => hmacSha256(by, bytes));
  const signature = encodeDigest(digest(content, key), scheme);
  return { headers: withSignature(signature).headers, signature };
}

/** A digest as text. */
function encodeDigest(digest: Buffer, { encoding, signature: { groups } }: Scheme): string {
  const hex = digest.toString('hex');
  if (encoding === 'base64-hex') {
    return Buffer.from(hex).toString('base64');
  }
  return groups === undefined
    ? digest.toString(encoding)
    : (hex.match(new RegExp(`.{${groups.every}}`, 'g')) ?? []).join(groups.by);
}

function deliveryOf(draft: Draft, headers: HeaderLines): Delivery {
  const parsed = URL.canParse(draft.url) ? new URL(draft.url) : undefined;
  const url = parsed === undefined ? draft.url : `${parsed.pathname}${parsed.search}`;
  return { method: draft.method, url, registeredUrl: draft.url, headers, body: draft.body, receivedAt: draft.at };
}
