import { bodiesFor, hmacSha256, signedContent } from './content.ts';
import type { Delivery, HeaderLines } from './delivery.ts';
import type { Draft } from './draft.ts';
import type { BodyForm } from './read/body-forms.ts';
import { deriveKey } from './read/keys.ts';
import { writeTime } from './read/times.ts';
import type { Scheme } from './scheme.ts';
import { jwsValue, schemeHeaders } from './sign-headers.ts';

export interface SignOptions {
  /** The timestamp's text, instead of the draft's `at` in the scheme's unit. */
  readonly timestampText?: string;
  /** The HMAC's key, instead of the one made of the secret. */
  readonly key?: Buffer;
  /** Computes the digest from content and key, instead of the HMAC. */
  readonly digest?: (content: Buffer, key: Buffer) => Buffer;
}

export interface Signed {
  /** The draft's headers and those of the scheme: timestamp, id and signature. */
  readonly headers: HeaderLines;
  /** The text of the signature, as it is in its header. */
  readonly signature: string;
}

/** Why deliveries cannot be signed by a scheme; undefined if they can. */
export function obstacleToSigning({ signature, content }: Scheme): string | undefined {
  if (signature.source.in !== 'header') {
    return `its signature is in the ${signature.source.in}, not in a header`;
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

/** The forms that do not exist for plain JSON, which a draft's body is. */
const notOfPlainJson: readonly BodyForm[] = ['sorted-fields', 'json-inside', 'decompressed'];

/** Signs a draft. Throws a TypeError if the scheme cannot be used to sign, or the secret does not have its form. */
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
  // A digest of zeros holds the place: a timestamp in the same header is recognised by what is around it.
  const unsigned = withSignature(encodeDigest(Buffer.alloc(32), scheme));
  const content = signedContent(scheme, unsigned, bodiesFor(scheme, unsigned));
  if (!Buffer.isBuffer(content)) {
    throw new TypeError(`Cannot sign by this scheme: the delivery lacks ${content.missing}`);
  }
  const digest = options.digest ?? ((bytes: Buffer, by: Buffer) => hmacSha256(by, bytes));
  const signature = encodeDigest(digest(content, key), scheme);
  return { headers: withSignature(signature).headers, signature };
}

/** A digest in the scheme's encoding. */
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
