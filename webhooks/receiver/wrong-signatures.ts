import { createHmac } from 'node:crypto';
import type { Outgoing, ProbeKit } from './probe.ts';
import { changeHeader, headerName, labelOf, outgoing } from './probe.ts';

/** Another digit for a digit, another letter for a letter. */
function other(character: string): string {
  const [usual, second] = /[0-9]/.test(character) ? ['7', '3'] : ['a', 'b'];
  return character === usual ? second : usual;
}

/** A character replaced by another of the same alphabet, counted from the end, or from the front where that is negative. */
function oneOff(signature: string, fromEnd: number): string {
  const at = fromEnd < 0 ? -fromEnd - 1 : signature.length - fromEnd;
  return signature.slice(0, at) + other(signature.charAt(at)) + signature.slice(at + 1);
}

/** The same for hexadecimal in base64: there a changed character may change no more than the case of a digit. */
export function oneOffIn({ scheme }: ProbeKit, signature: string, fromEnd: number): string {
  if (scheme.encoding !== 'base64-hex') {
    return oneOff(signature, fromEnd);
  }
  const hex = Buffer.from(signature, 'base64').toString('latin1');
  return Buffer.from(oneOff(hex, fromEnd), 'latin1').toString('base64');
}

/** The signature in an encoding that the scheme does not use. */
export function otherEncoding(signature: string, { scheme }: ProbeKit): string {
  const bytes = Buffer.from(signature, scheme.encoding === 'hex' ? 'hex' : 'base64');
  return scheme.encoding === 'hex' ? bytes.toString('base64') : bytes.toString('hex');
}

/** A wrong signature in the scheme's form. */
const wrong = (kit: ProbeKit, signature: string): string => oneOffIn(kit, oneOffIn(kit, signature, -3), 5);

/** Whether the signature is part of an envelope with rules of its own. */
export const enveloped = ({ scheme }: ProbeKit): boolean =>
  scheme.content.kind === 'jws' || scheme.content.kind === 'message-signature';

/** A delivery without its signature header. */
export function unsigned(kit: ProbeKit): Outgoing {
  const draft = kit.draft();
  return {
    ...outgoing(draft, kit.sign(draft)),
    headers: changeHeader(kit.sign(draft).headers, headerName(kit.scheme), () => undefined),
  };
}

/** A delivery whose signature header is changed after signing; undefined where the change changes nothing. */
export function valueChanged(
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
export function sha1(kit: ProbeKit): Outgoing | undefined {
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
export function entries(kit: ProbeKit, order: 'wrong first' | 'right first'): Outgoing | undefined {
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

/** The signature header twice, a wrong one first. */
export function headerTwice(kit: ProbeKit): Outgoing {
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

/** The same JWS, as one that says it is not signed. */
export const signedNone = (value: string): string => {
  const [, claims = ''] = value.split('.');
  return `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${claims}.`;
};
