import { createHmac } from 'node:crypto';
import type { HeaderLines } from '../signature/delivery.ts';
import type { Scheme } from '../signature/scheme.ts';
import { changeHeader, type Outgoing, outgoing, type ProbeKit, signedOtherwise, withHeader } from './probe.ts';

/** The scheme's signature header; schemes whose signature stands elsewhere cannot be signed by. */
const headerName = ({ signature: { source } }: Scheme): string => (source.in === 'header' ? source.name : '');

export const labelOf = ({ signature: { source } }: Scheme): string =>
  source.in === 'header' ? (source.label ?? '') : '';

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
export const unsigned = (kit: ProbeKit): Outgoing => withHeader(kit, headerName(kit.scheme), () => undefined);

/** A delivery whose signature header is changed after signing; undefined where the change changes nothing. */
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

/** SHA-1 under the right key, announced as such where the scheme names its algorithm. */
export function sha1(kit: ProbeKit): Outgoing | undefined {
  if (enveloped(kit)) {
    return undefined;
  }
  const sent = signedOtherwise(kit, { digest: (content, key) => createHmac('sha1', key).update(content).digest() });
  const named = (value: string): string => value.replace(/sha-?256/i, 'sha1');
  return { ...sent, headers: changeHeader(sent.headers, headerName(kit.scheme), named) };
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
  const { signature, ...sent } = outgoing(kit, kit.draft());
  const name = headerName(kit.scheme);
  const twice = (value: string): HeaderLines => [
    [name, value.replace(signature, wrong(kit, signature))],
    [name, value],
  ];
  return { ...sent, headers: sent.headers.flatMap((line) => (line[0] === name ? twice(line[1]) : [line])) };
}

/** The same JWS, as one that says it is not signed. */
export const signedNone = (value: string): string => {
  const [, claims = ''] = value.split('.');
  return `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${claims}.`;
};
