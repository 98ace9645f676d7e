import { createHash } from 'node:crypto';
import { wrongSecret } from '../signature/read/keys.ts';
import { labelOf } from '../signature/source.ts';
import { accept, either, type Probe, reject, signedOtherwise } from './probe.ts';
import {
  entries,
  enveloped,
  headerTwice,
  oneOffIn,
  otherEncoding,
  sha1,
  signedNone,
  unsigned,
  valueChanged,
  withSignature,
} from './wrong-signatures.ts';

/** Probes of the signature. */
export const signatureProbes: readonly Probe[] = [
  reject('wrong-secret', 'Signed with another secret', (kit) =>
    signedOtherwise(kit, { secret: wrongSecret(kit.secret) }),
  ),
  reject('empty-key', 'Signed with an empty key', (kit) => signedOtherwise(kit, { key: Buffer.alloc(0) })),
  reject('undefined-key', 'Signed with the word undefined as key', (kit) =>
    signedOtherwise(kit, { key: Buffer.from('undefined') }),
  ),
  reject('no-signature', 'Signature header is missing', unsigned),
  reject('empty-signature', 'Signature header is empty', (kit) => valueChanged(kit, () => '')),
  reject('label-only', 'Signature header lacks only the signature', (kit) =>
    kit.scheme.signature.template === '{signature}' ? undefined : withSignature(kit, () => ''),
  ),
  reject('half-signature', 'Signature is cut to its first half', (kit) =>
    withSignature(kit, (signature) => signature.slice(0, signature.length / 2)),
  ),
  reject('short-signature', 'Signature is cut to its first character', (kit) =>
    withSignature(kit, (signature) => signature.slice(0, 1)),
  ),
  reject('first-character', 'First character of the signature is changed', (kit) =>
    withSignature(kit, (signature) => oneOffIn(kit, signature, -1)),
  ),
  reject('last-character', 'Third-last character of the signature is changed', (kit) =>
    withSignature(kit, (signature) => oneOffIn(kit, signature, 3)),
  ),
  reject('other-encoding', 'Signature is right, in another encoding', (kit) =>
    enveloped(kit) ? undefined : withSignature(kit, (signature) => otherEncoding(signature, kit)),
  ),
  reject('sha1', 'Signature is an HMAC-SHA1 under the right secret', sha1),
  reject('unkeyed', 'Signature is the SHA-256 of the secret and the content, not an HMAC', (kit) =>
    enveloped(kit)
      ? undefined
      : signedOtherwise(kit, {
          digest: (content, key) => createHash('sha256').update(key).update(content).digest(),
        }),
  ),
  reject('not-ascii', 'Signature has the right length and holds non-ASCII letters', (kit) =>
    withSignature(kit, (signature) => 'é'.repeat(signature.length)),
  ),
  either('very-long', 'Signature is followed by 4,000 characters', (kit) =>
    withSignature(kit, (signature) => signature + 'A'.repeat(4_000)),
  ),
  reject('jws-none', 'JWS says that it is not signed (alg none)', (kit) =>
    kit.scheme.content.kind === 'jws' ? valueChanged(kit, signedNone) : undefined,
  ),
  accept('wrong-then-right', 'Two signatures, a wrong one before the right one', (kit) => entries(kit, 'wrong first')),
  accept('right-then-wrong', 'Two signatures, the right one before a wrong one', (kit) => entries(kit, 'right first')),
  either('header-twice', 'Signature header is sent twice, a wrong one first', headerTwice),
  either('upper-case', 'Signature is in upper case', (kit) =>
    kit.scheme.encoding === 'hex' && !enveloped(kit)
      ? withSignature(kit, (signature) => signature.toUpperCase())
      : undefined,
  ),
  either('other-version', 'Signature is right, under the label of another version', (kit) => {
    const label = labelOf(kit.scheme.signature.source);
    const other = label.replace(/^[A-Za-z0-9-]+/, /^v\d/.test(label) ? 'v9' : 'md5');
    return label === ''
      ? undefined
      : valueChanged(kit, (value, signature) => value.replace(`${label}${signature}`, () => `${other}${signature}`));
  }),
];
