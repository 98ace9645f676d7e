import { keyOf } from '../verify/verify.mjs';
import type { KeyForm } from './scheme.ts';

/** A key that a service may make of a secret. */
interface Key {
  readonly form: KeyForm;
  readonly bytes: Buffer;
}

/**
 * All different keys that a service may make of the secret, likeliest first. The look of a secret does not show which:
 * `whsec_` is decoded by Svix and used whole by Stripe.
 */
export function keysOf(secret: string): Key[] {
  const behind = prefixesOf(secret).flatMap((strip) =>
    (['base64', 'text', 'hex'] as const).map((decode) => ({ strip, decode })),
  );
  const whole = (['text', 'base64', 'hex', 'sha256-hex', 'sha256'] as const).map((decode) => ({ strip: '', decode }));
  const forms: KeyForm[] = [...whole.slice(0, 1), ...behind, ...whole.slice(1)];
  const distinct = new Map<string, Key>();
  for (const form of forms) {
    const bytes = keyOf(form, secret);
    if (bytes !== undefined && !distinct.has(bytes.toString('hex'))) {
      distinct.set(bytes.toString('hex'), { form, bytes });
    }
  }
  return [...distinct.values()];
}

/** The prefixes that may be taken off a secret. Without a known one, at least 16 characters must remain. */
function prefixesOf(secret: string): string[] {
  const known = ['v1,whsec_', 'whsec_'].filter((prefix) => secret.startsWith(prefix));
  if (known.length > 0) {
    return known;
  }
  const vendor = /^(?:[A-Za-z]{2,10}[_-]){1,3}/.exec(secret)?.[0];
  return vendor === undefined || secret.length - vendor.length < 16 ? [] : [vendor];
}

/** Each character is replaced by the next in its wheel, so that hexadecimal stays hexadecimal. */
const wheels = ['0369258147', 'abcdef', 'ABCDEF', 'ghijklmnopqrstuvwxyz', 'GHIJKLMNOPQRSTUVWXYZ'];

/** Another secret that looks the same. It is the control: a scheme that verifies a delivery with it proves nothing. */
export function wrongSecret(secret: string): string {
  const prefix = prefixesOf(secret)[0] ?? '';
  const rest = secret.slice(prefix.length);
  const turned = rest.replace(/[A-Za-z0-9]/g, (one) => {
    const wheel = wheels.find((each) => each.includes(one)) ?? one;
    return wheel.charAt((wheel.indexOf(one) + 1) % wheel.length);
  });
  return `${prefix}${turned === rest ? `${turned}A1b2` : turned}`;
}

/** A secret as it may be shown: its prefix and an ellipsis. */
export const shownSecret = (secret: string): string => `${prefixesOf(secret)[0] ?? ''}…`;

/** The text without the secret, which a header that is quoted in it may show. */
export const hideSecret = (text: string, secret: string): string =>
  secret.length < 8 ? text : text.split(secret).join(shownSecret(secret));
