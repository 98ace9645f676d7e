import { createSecretKey, type KeyObject } from 'node:crypto';
import { shorten } from '../../common/redaction/key-like.ts';
import { keyOf } from '../verify/verify.mjs';
import type { KeyForm } from './scheme.ts';

/**
 * All different keys that a service may make of the secret, likeliest first. The look of a secret does not show which:
 * `whsec_` is decoded by Svix and used whole by Stripe.
 */
export function keysOf(secret: string) {
  const forms = ['', ...prefixesOf(secret)].flatMap((strip) =>
    (['text', 'base64', 'hex'] as const).map((decode) => ({ strip, decode })),
  );
  // Prepared: Node takes five times as long to sign with the bytes of a key.
  const distinct = new Map<string, { readonly form: KeyForm; readonly key: KeyObject }>();
  for (const form of forms) {
    const bytes = keyOf(form, secret);
    if (bytes !== undefined && !distinct.has(bytes.toString('hex'))) {
      distinct.set(bytes.toString('hex'), { form, key: createSecretKey(bytes) });
    }
  }
  return [...distinct.values()];
}

/** The prefixes that may be taken off a secret. Without a known one, at least 16 characters must remain. */
function prefixesOf(secret: string): string[] {
  const known = ['v1,whsec_', 'whsec_'].filter((prefix) => secret.startsWith(prefix));
  const vendor = /^(?:[A-Za-z]{2,10}[_-]){1,3}(?=.{16})/s.exec(secret)?.[0];
  return known.length > 0 || vendor === undefined ? known : [vendor];
}

/** Another secret that looks the same. It is the control: a scheme that verifies a delivery with it proves nothing. */
export function wrongSecret(secret: string): string {
  const prefix = prefixesOf(secret)[0] ?? '';
  const rest = secret.slice(prefix.length);
  // Hexadecimal stays hexadecimal, and base64 stays base64.
  const other = rest.replace(/[0-9a-fA-F]/g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16));
  return `${prefix}${other === rest ? `${other}A1b2` : other}`;
}

/** The text without the secret, which a header that is quoted in it may show. */
export const hideSecret = (text: string, secret: string): string =>
  secret.length < 8 ? text : text.split(secret).join(shorten(secret));
