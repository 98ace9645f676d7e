import { createHash } from 'node:crypto';
import { wrongSecret } from '../signature/read/keys.ts';
import type { Probe } from './probe.ts';
import { labelOf, signedDraft, withSignature } from './probe.ts';
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
} from './wrong-signatures.ts';

/** Changes to the signature itself. */
export const signatureProbes: readonly Probe[] = [
  {
    id: 'wrong-secret',
    title: 'Signed with another secret',
    expects: 'reject',
    build: (kit) => signedDraft(kit, (draft) => draft, { secret: wrongSecret(kit.secret) }),
  },
  {
    id: 'empty-key',
    title: 'Signed with an empty key',
    expects: 'reject',
    build: (kit) => signedDraft(kit, (draft) => draft, { key: Buffer.alloc(0) }),
  },
  {
    id: 'undefined-key',
    title: 'Signed with the word undefined as key',
    expects: 'reject',
    build: (kit) => signedDraft(kit, (draft) => draft, { key: Buffer.from('undefined') }),
  },
  { id: 'no-signature', title: 'Signature header is missing', expects: 'reject', build: unsigned },
  {
    id: 'empty-signature',
    title: 'Signature header is empty',
    expects: 'reject',
    build: (kit) => valueChanged(kit, () => ''),
  },
  {
    id: 'label-only',
    title: 'Signature header lacks only the signature',
    expects: 'reject',
    build: (kit) => (kit.scheme.signature.template === '{signature}' ? undefined : withSignature(kit, () => '')),
  },
  {
    id: 'half-signature',
    title: 'Signature is cut to its first half',
    expects: 'reject',
    build: (kit) => withSignature(kit, (signature) => signature.slice(0, signature.length / 2)),
  },
  {
    id: 'short-signature',
    title: 'Signature is cut to its first character',
    expects: 'reject',
    build: (kit) => withSignature(kit, (signature) => signature.slice(0, 1)),
  },
  {
    id: 'first-character',
    title: 'First character of the signature is changed',
    expects: 'reject',
    build: (kit) => withSignature(kit, (signature) => oneOffIn(kit, signature, -1)),
  },
  {
    id: 'last-character',
    title: 'Third-last character of the signature is changed',
    expects: 'reject',
    build: (kit) => withSignature(kit, (signature) => oneOffIn(kit, signature, 3)),
  },
  {
    id: 'other-encoding',
    title: 'Signature is right, in another encoding',
    expects: 'reject',
    build: (kit) => (enveloped(kit) ? undefined : withSignature(kit, (signature) => otherEncoding(signature, kit))),
  },
  { id: 'sha1', title: 'Signature is an HMAC-SHA1 under the right secret', expects: 'reject', build: sha1 },
  {
    id: 'unkeyed',
    title: 'Signature is the SHA-256 of the secret and the content, not an HMAC',
    expects: 'reject',
    build: (kit) =>
      enveloped(kit)
        ? undefined
        : signedDraft(kit, (draft) => draft, {
            digest: (content, key) => createHash('sha256').update(key).update(content).digest(),
          }),
  },
  {
    id: 'not-ascii',
    title: 'Signature has the right length and holds non-ASCII letters',
    expects: 'reject',
    build: (kit) => withSignature(kit, (signature) => 'é'.repeat(signature.length)),
  },
  {
    id: 'very-long',
    title: 'Signature is followed by 4,000 characters',
    expects: 'either',
    build: (kit) => withSignature(kit, (signature) => signature + 'A'.repeat(4_000)),
  },
  {
    id: 'jws-none',
    title: 'JWS says that it is not signed (alg none)',
    expects: 'reject',
    build: (kit) => (kit.scheme.content.kind === 'jws' ? valueChanged(kit, signedNone) : undefined),
  },
  {
    id: 'wrong-then-right',
    title: 'Two signatures, a wrong one before the right one',
    expects: 'accept',
    build: (kit) => entries(kit, 'wrong first'),
  },
  {
    id: 'right-then-wrong',
    title: 'Two signatures, the right one before a wrong one',
    expects: 'accept',
    build: (kit) => entries(kit, 'right first'),
  },
  {
    id: 'header-twice',
    title: 'Signature header is sent twice, a wrong one first',
    expects: 'either',
    build: headerTwice,
  },
  {
    id: 'upper-case',
    title: 'Signature is in upper case',
    expects: 'either',
    build: (kit) =>
      kit.scheme.encoding === 'hex' && !enveloped(kit)
        ? withSignature(kit, (signature) => signature.toUpperCase())
        : undefined,
  },
  {
    id: 'other-version',
    title: 'Signature is right, under the label of another version',
    expects: 'either',
    build: (kit) => {
      const label = labelOf(kit.scheme);
      const other = label.replace(/^[A-Za-z0-9-]+/, /^v\d/.test(label) ? 'v9' : 'md5');
      return label === '' || other === label
        ? undefined
        : valueChanged(kit, (value, signature) => value.replace(`${label}${signature}`, () => `${other}${signature}`));
    },
  },
];
