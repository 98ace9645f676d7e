import { createHmac } from 'node:crypto';
import type { HeaderLines } from '../signature/delivery.ts';
import type { Scheme } from '../signature/scheme.ts';
import { labelOf } from '../signature/source.ts';
import { changeHeader, type Outgoing, outgoing, type ProbeKit, signedOtherwise, withHeader } from './probe.ts';

/** The name of a scheme's signature header. With schemes whose signature is elsewhere nothing can be signed. */
const headerName = ({ signature: { source } }: Scheme): string => (source.in === 'header' ? source.name : '');

/** A digit for a digit, a letter for a letter, but another one. */
function other(character: string): string {
  const [usual, second] = /[0-9]/.test(character) ? ['7', '3'] : ['a', 'b'];
  return character === usual ? second : usual;
}

/** The signature with one character replaced: the one that is so far from the end, or, if negative, from the front. */
function oneOff(signature: string, fromEnd: number): string {
  const at = fromEnd < 0 ? -fromEnd - 1 : signature.length - fromEnd;
  return signature.slice(0, at) + other(signature.charAt(at)) + signature.slice(at + 1);
}

/**
 * Like `oneOff`, but in base64 of hexadecimal a digit is replaced: a changed base64 character may only change a digit's
 * case.
 */
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

/** Whether the signature is part of an envelope (a JWS, or RFC 9421). */
export const enveloped = ({ scheme }: ProbeKit): boolean =>
  scheme.content.kind === 'jws' || scheme.content.kind === 'message-signature';

/** A delivery without its signature header. */
export const unsigned = (kit: ProbeKit): Outgoing => withHeader(kit, headerName(kit.scheme), () => undefined);

/** A delivery whose signature header is changed after signing; undefined if the change makes no difference. */
export function valueChanged(
  kit: ProbeKit,
  change: (value: string, signature: string) => string,
): Outgoing | undefined {
  const { signature, ...sent } = outgoing(kit, kit.draft());
  const headers = changeHeader(sent.headers, headerName(kit.scheme), (value) => change(value, signature));
  return headers.join() === sent.headers.join() ? undefined : { ...sent, headers };
}

/** A delivery whose signature is replaced by another text. */
export const withSignature = (kit: ProbeKit, change: (signature: string) => string): Outgoing | undefined =>
  valueChanged(kit, (value, signature) => value.replace(signature, () => change(signature)));

/** A delivery with an HMAC-SHA1 under the right key. If the header names the algorithm, it says sha1. */
export function sha1(kit: ProbeKit): Outgoing | undefined {
  if (enveloped(kit)) {
    return undefined;
  }
  const sent = signedOtherwise(kit, { digest: (content, key) => createHmac('sha1', key).update(content).digest() });
  const named = (value: string): string => value.replace(/sha-?256/i, 'sha1');
  return { ...sent, headers: changeHeader(sent.headers, headerName(kit.scheme), named) };
}

/** A delivery with two signatures, a right and a wrong one; undefined if the scheme has no lists. */
export function entries(kit: ProbeKit, order: 'wrong first' | 'right first'): Outgoing | undefined {
  const { list } = kit.scheme.signature;
  if (list === undefined) {
    return undefined;
  }
  const label = labelOf(kit.scheme.signature.source);
  return valueChanged(kit, (value, signature) => {
    const pair = order === 'wrong first' ? [wrong(kit, signature), signature] : [signature, wrong(kit, signature)];
    return value.replace(`${label}${signature}`, () => pair.map((one) => label + one).join(list));
  });
}

/** A delivery with two signature headers, the first of which is wrong. */
export function headerTwice(kit: ProbeKit): Outgoing {
  const { signature, ...sent } = outgoing(kit, kit.draft());
  const name = headerName(kit.scheme);
  const twice = (value: string): HeaderLines => [
    [name, value.replace(signature, wrong(kit, signature))],
    [name, value],
  ];
  return { ...sent, headers: sent.headers.flatMap((line) => (line[0] === name ? twice(line[1]) : [line])) };
}

/** The JWS with `alg` none and no signature. */
export const signedNone = (value: string): string => {
  const [, claims = ''] = value.split('.');
  return `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${claims}.`;
};
