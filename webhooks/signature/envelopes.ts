import { createHash } from 'node:crypto';
import { parseJson } from '../../common/json.ts';
import { mismatch } from '../verify/verify.mjs';
import { type Delivery, headerValues } from './delivery.ts';
import { keysOf } from './keys.ts';
import type { KeyForm, Place, Scheme } from './scheme.ts';
import { compactJws, leavesOf, textsOf } from './tokens.ts';

/** Signatures of RFC 7515 and RFC 9421, which say themselves what they cover. */
export function enveloped(delivery: Delivery, json: unknown, secret: string): Scheme[] {
  const schemes = [...textsOf(delivery, leavesOf(json)).flatMap(jwsSchemes(delivery)), ...messageSchemes(delivery)];
  return keysOf(secret).flatMap(({ form }) =>
    schemes
      .map((scheme): Scheme => ({ ...scheme, key: form }))
      .filter((scheme) => mismatch(scheme, delivery, secret) === null),
  );
}

const anyKey: KeyForm = { strip: '', decode: 'text' };

/** Claims that say nothing of a body. A JWS with others may hold the payload itself. */
const registeredClaim = /^\/(iss|sub|aud|exp|nbf|iat|jti)(\/|$)/;

const jwsSchemes =
  ({ body }: Delivery) =>
  ([place, text]: readonly [Place, string]): Scheme[] => {
    const [, , encoded = ''] = compactJws.exec(text.slice(0, 16_384)) ?? [];
    if (encoded === '') {
      return [];
    }
    const claims = leavesOf(parseJson(Buffer.from(encoded, 'base64url').toString('utf8')));
    const signature = { ...place, template: text.replace(compactJws, '{signature}') };
    const hashed = (['hex', 'base64', 'base64url'] as const).flatMap((encoding) => {
      const hash = unpadded(createHash('sha256').update(body).digest(encoding));
      return claims.flatMap((one) => (unpadded(one.text) === hash ? [{ claim: one.pointer, encoding }] : []));
    });
    // In a header, claims that say nothing of the body; in the body, the payload.
    const isWhole = place.from === 'field' || claims.every(({ pointer }) => registeredClaim.test(pointer));
    return [...hashed, ...(isWhole ? [{}] : [])].map((claim) => ({ kind: 'jws', signature, ...claim, key: anyKey }));
  };

/** QStash pads URL-safe base64, and others do not. */
const unpadded = (text: string): string => text.replace(/=+$/, '');

const messageSchemes = (delivery: Delivery): Scheme[] => {
  const inputs = headerValues(delivery, 'signature-input').join(', ');
  return [...inputs.matchAll(/(?:^|, *)([a-z*][\w.*-]*)=\(([^)]{0,1000})\)/g)].map(
    ([, label = '', components = '']) => ({
      kind: 'rfc9421',
      signature: { from: 'header', name: 'Signature', template: `${label}=:{signature}:` },
      label,
      digest: components.includes('"content-digest"'),
      key: anyKey,
    }),
  );
};
