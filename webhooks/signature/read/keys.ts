import { createHash } from 'node:crypto';
import type { KeyForm } from '../scheme.ts';
import { type Hmac, hmacUnder } from './hmac.ts';

export interface Key {
  readonly form: KeyForm;
  readonly bytes: Buffer;
  /** Makes HMACs under it. */
  readonly hmac: Hmac;
}

/** Every distinct key that a service may make of the secret, likeliest first. A secret's look does not tell which. */
export function keysOf(secret: string): Key[] {
  const whole = (['utf8', 'hex', 'base64', 'trimmed', 'sha256-hex', 'sha256'] as const).map((decode) => ({
    strip: '',
    decode,
  }));
  const behind = prefixesOf(secret).flatMap((strip) =>
    (['base64', 'hex', 'utf8'] as const).map((decode) => ({ strip, decode })),
  );
  const forms: KeyForm[] = [...whole.slice(0, 1), ...behind, ...whole.slice(1)];
  const distinct = new Map<string, Key>();
  for (const form of forms) {
    const bytes = deriveKey(form, secret);
    if (bytes !== undefined && !distinct.has(bytes.toString('hex'))) {
      distinct.set(bytes.toString('hex'), { form, bytes, hmac: hmacUnder(bytes) });
    }
  }
  return [...distinct.values()];
}

/** Whether the key is the secret itself, not a hash that a server keeps of it. */
export const isUsualKey = ({ form }: Key): boolean => !form.decode.startsWith('sha256');

/** Prefixes that name the secret's kind; what remains must still be a secret. */
function prefixesOf(secret: string): string[] {
  const known = ['v1,whsec_', 'whsec_'].filter((prefix) => secret.startsWith(prefix));
  if (known.length > 0) {
    return known;
  }
  const vendor = /^(?:[A-Za-z]{2,10}[_-]){1,3}/.exec(secret)?.[0];
  return vendor === undefined || secret.length - vendor.length < 16 ? [] : [vendor];
}

/** The key's bytes, or undefined where the secret has not that form or nothing would be left of it. */
export function deriveKey({ strip, decode }: KeyForm, secret: string): Buffer | undefined {
  if (!secret.startsWith(strip)) {
    return undefined;
  }
  const bytes = decodeKey(decode, secret.slice(strip.length));
  return bytes === undefined || bytes.length === 0 ? undefined : bytes;
}

function decodeKey(decode: KeyForm['decode'], text: string): Buffer | undefined {
  const digest = (): Buffer => createHash('sha256').update(text, 'utf8').digest();
  switch (decode) {
    case 'utf8':
      return Buffer.from(text, 'utf8');
    case 'trimmed':
      return Buffer.from(text.trim(), 'utf8');
    case 'hex':
      return /^(?:[0-9a-fA-F]{2})+$/.test(text) ? Buffer.from(text, 'hex') : undefined;
    case 'base64':
      return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
    case 'sha256-hex':
      return Buffer.from(digest().toString('hex'));
    case 'sha256':
      return digest();
  }
}

/** In a wheel a character becomes the next one; hexadecimal stays hexadecimal. */
const wheels = ['0369258147', 'abcdef', 'ABCDEF', 'ghijklmnopqrstuvwxyz', 'GHIJKLMNOPQRSTUVWXYZ'];

/** A secret of the same look that is not this one: the control under which nothing may match. */
export function wrongSecret(secret: string): string {
  const prefix = prefixesOf(secret)[0] ?? '';
  const rest = secret.slice(prefix.length);
  const turned = rest.replace(/[A-Za-z0-9]/g, (one) => {
    const wheel = wheels.find((each) => each.includes(one)) ?? one;
    return wheel.charAt((wheel.indexOf(one) + 1) % wheel.length);
  });
  return `${prefix}${turned === rest ? `${turned}A1b2` : turned}`;
}

/** How a secret may be shown: its prefix and an ellipsis. */
export const shownSecret = (secret: string): string => `${prefixesOf(secret)[0] ?? ''}…`;
