import type { KeyObject } from 'node:crypto';
import { createHash, createSecretKey } from 'node:crypto';
import type { KeyForm } from './scheme.ts';

export interface Key {
  readonly form: KeyForm;
  readonly bytes: Buffer;
  /** The same key as Node's own object: making an HMAC of it takes a fifth of the time. */
  readonly object: KeyObject;
}

/** Every distinct key that a service may make of the secret, likeliest first. A secret's look does not tell which. */
export function keysOf(secret: string): Key[] {
  const strips = ['', ...prefixesOf(secret)];
  const forms: KeyForm[] = strips.flatMap((strip) =>
    strip === ''
      ? [{ strip, decode: 'utf8' } as const]
      : (['base64', 'hex', 'utf8'] as const).map((decode) => ({ strip, decode })),
  );
  forms.push({ strip: '', decode: 'base64' }, { strip: '', decode: 'hex' }, { strip: '', decode: 'trimmed' });
  forms.push({ strip: '', decode: 'sha256-hex' }, { strip: '', decode: 'sha256' });
  const distinct = new Map<string, Key>();
  for (const form of forms) {
    const bytes = deriveKey(form, secret);
    if (bytes !== undefined && !distinct.has(bytes.toString('hex'))) {
      distinct.set(bytes.toString('hex'), { form, bytes, object: createSecretKey(bytes) });
    }
  }
  return [...distinct.values()];
}

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
  if (decode === 'utf8') {
    return Buffer.from(text, 'utf8');
  }
  if (decode === 'trimmed') {
    return Buffer.from(text.trim(), 'utf8');
  }
  if (decode === 'hex') {
    return /^(?:[0-9a-fA-F]{2})+$/.test(text) ? Buffer.from(text, 'hex') : undefined;
  }
  if (decode === 'base64') {
    return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
  }
  const digest = createHash('sha256').update(text, 'utf8').digest();
  return decode === 'sha256' ? digest : Buffer.from(digest.toString('hex'));
}

/** A secret of the same look that is not this one: the control under which nothing may match. */
export function wrongSecret(secret: string): string {
  const prefix = prefixesOf(secret)[0] ?? '';
  const turned = secret.slice(prefix.length).replace(/[A-Za-z0-9]/g, (one) => turn(one));
  return `${prefix}${turned === secret.slice(prefix.length) ? `${turned}A1b2` : turned}`;
}

function turn(one: string): string {
  if (/[0-9]/.test(one)) {
    return String((Number(one) + 3) % 10);
  }
  const wheel = /[a-f]/.test(one)
    ? 'abcdef'
    : /[A-F]/.test(one)
      ? 'ABCDEF'
      : /[g-z]/.test(one)
        ? 'ghijklmnopqrstuvwxyz'
        : 'GHIJKLMNOPQRSTUVWXYZ';
  return wheel.charAt((wheel.indexOf(one) + 1) % wheel.length);
}

/** How a secret may be shown: its prefix and an ellipsis. */
export const shownSecret = (secret: string): string => `${prefixesOf(secret)[0] ?? ''}…`;
