import { createHash } from 'node:crypto';
import type { ClaimEncoding } from './jws.ts';
import type { Scheme } from './scheme.ts';
import type { Draft } from './sign.ts';

/** A compact JWS (HS256) with the body's hash under the claim. */
export function jwsValue(
  content: { readonly claim: string; readonly claimEncoding: ClaimEncoding },
  draft: Draft,
  hmac: (content: Buffer) => Buffer,
): string {
  const hash = createHash('sha256').update(draft.body).digest(content.claimEncoding);
  const steps = content.claim
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const nested = steps.reduceRight<unknown>((inner, step) => ({ [step]: inner }), hash);
  const claims = {
    iat: Math.floor(draft.at / 1_000),
    exp: Math.floor(draft.at / 1_000) + 300,
    jti: draft.id,
    ...(typeof nested === 'object' ? nested : {}),
  };
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const input = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${input}.${hmac(Buffer.from(input)).toString('base64url')}`;
}

/** Content-Digest and Signature-Input of an RFC 9421 signature over it; none for other schemes. */
export function signatureInputHeaders(scheme: Scheme, draft: Draft): [string, string][] {
  if (scheme.content.kind !== 'message-signature') {
    return [];
  }
  const created = Math.floor(draft.at / 1_000);
  return [
    ['Content-Digest', `sha-256=:${createHash('sha256').update(draft.body).digest('base64')}:`],
    [
      'Signature-Input',
      `${scheme.content.label}=("@method" "@target-uri" "content-digest");created=${created};keyid="webhook";alg="hmac-sha256"`,
    ],
  ];
}
