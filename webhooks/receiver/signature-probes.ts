import { createHash, createHmac } from 'node:crypto';
import { wrongSecret } from '../signature/read/keys.ts';
import type { Outgoing, Probe, ProbeKit } from './probe.ts';
import { changeHeader, headerName, labelOf, outgoing, signedDraft, withSignature } from './probe.ts';

/** A character replaced by another of the same alphabet, near the front or the end. */
function oneOff(signature: string, fromEnd: number): string {
  const at = fromEnd < 0 ? -fromEnd - 1 : signature.length - fromEnd;
  const other = /[0-9]/.test(signature.charAt(at))
    ? signature.charAt(at) === '7'
      ? '3'
      : '7'
    : signature.charAt(at) === 'a'
      ? 'b'
      : 'a';
  return signature.slice(0, at) + other + signature.slice(at + 1);
}

/** The same for hexadecimal in base64: there a changed character may change no more than the case of a digit. */
function oneOffIn({ scheme }: ProbeKit, signature: string, fromEnd: number): string {
  if (scheme.encoding !== 'base64-hex') {
    return oneOff(signature, fromEnd);
  }
  const hex = Buffer.from(signature, 'base64').toString('latin1');
  return Buffer.from(oneOff(hex, fromEnd), 'latin1').toString('base64');
}

function otherEncoding(signature: string, { scheme }: ProbeKit): string {
  const bytes = Buffer.from(signature, scheme.encoding === 'hex' ? 'hex' : 'base64');
  return scheme.encoding === 'hex' ? bytes.toString('base64') : bytes.toString('hex');
}

/** A wrong signature in the scheme's form. */
const wrong = (kit: ProbeKit, signature: string): string => oneOffIn(kit, oneOffIn(kit, signature, -3), 5);

const enveloped = ({ scheme }: ProbeKit): boolean =>
  scheme.content.kind === 'jws' || scheme.content.kind === 'message-signature';

function unsigned(kit: ProbeKit): Outgoing {
  const draft = kit.draft();
  return {
    ...outgoing(draft, kit.sign(draft)),
    headers: changeHeader(kit.sign(draft).headers, headerName(kit.scheme), () => undefined),
  };
}

function valueChanged(
  kit: ProbeKit,
  change: (value: string, signature: string) => string | undefined,
): Outgoing | undefined {
  const draft = kit.draft();
  const signed = kit.sign(draft);
  const name = headerName(kit.scheme);
  const value = signed.headers.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1] ?? '';
  const changed = change(value, signed.signature);
  return changed === undefined || changed === value
    ? undefined
    : { method: draft.method, body: draft.body, headers: changeHeader(signed.headers, name, () => changed) };
}

/** SHA-1 under the right key, announced as such where the scheme names its algorithm. */
function sha1(kit: ProbeKit): Outgoing | undefined {
  if (enveloped(kit)) {
    return undefined;
  }
  const draft = kit.draft();
  const signed = kit.sign(draft, { digest: (content, key) => createHmac('sha1', key).update(content).digest() });
  return {
    method: draft.method,
    body: draft.body,
    headers: changeHeader(signed.headers, headerName(kit.scheme), (value) => value.replace(/sha-?256/i, 'sha1')),
  };
}

/** Two entries, where the scheme has lists. */
function entries(kit: ProbeKit, order: 'wrong first' | 'right first'): Outgoing | undefined {
  const { list } = kit.scheme.signature;
  if (list === undefined) {
    return undefined;
  }
  const label = labelOf(kit.scheme);
  return valueChanged(kit, (value, signature) => {
    const pair = order === 'wrong first' ? [wrong(kit, signature), signature] : [signature, wrong(kit, signature)];
    return value.replace(`${label}${signature}`, () => pair.map((one) => label + one).join(list));
  });
}

function headerTwice(kit: ProbeKit): Outgoing {
  const draft = kit.draft();
  const signed = kit.sign(draft);
  const name = headerName(kit.scheme);
  const headers = signed.headers.flatMap(([key, value]): (readonly [string, string])[] =>
    key === name
      ? [
          [key, value.replace(signed.signature, () => wrong(kit, signed.signature))],
          [key, value],
        ]
      : [[key, value]],
  );
  return { method: draft.method, body: draft.body, headers };
}

const signedNone = (value: string): string => {
  const [, claims = ''] = value.split('.');
  return `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${claims}.`;
};

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
