import { createHash } from 'node:crypto';
import { type Hmac, hmacUnder } from './hmac.ts';

const sha256 = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();

/** The ways to make a key of a text; they give undefined if the text does not have that form. */
const decoders = {
  utf8: (text) => Buffer.from(text, 'utf8'),
  base64: (text) => (/^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined),
  hex: (text) => (/^(?:[0-9a-fA-F]{2})+$/.test(text) ? Buffer.from(text, 'hex') : undefined),
  trimmed: (text) => Buffer.from(text.trim(), 'utf8'),
  'sha256-hex': (text) => Buffer.from(sha256(text).toString('hex')),
  sha256,
} as const satisfies Readonly<Record<string, (text: string) => Buffer | undefined>>;

type KeyDecoding = keyof typeof decoders;
export const keyDecodings = Object.keys(decoders) as KeyDecoding[];

/** The way to make a key of a secret. */
export interface KeyForm {
  /** The prefix that is first taken off the secret (`whsec_`); may be empty. */
  readonly strip: string;
  readonly decode: KeyDecoding;
}

export interface Key {
  readonly form: KeyForm;
  readonly bytes: Buffer;
  /** Computes HMACs under the key. */
  readonly hmac: Hmac;
}

/**
 * All different keys that a service may make of the secret, likeliest first. The look of a secret does not show which.
 */
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

/** Whether the key is the secret itself, and not a hash of it, which some servers keep instead. */
export const isUsualKey = ({ form }: Key): boolean => !form.decode.startsWith('sha256');

/** The prefixes that may be taken off a secret. Without a known one, at least 16 characters must remain. */
function prefixesOf(secret: string): string[] {
  const known = ['v1,whsec_', 'whsec_'].filter((prefix) => secret.startsWith(prefix));
  if (known.length > 0) {
    return known;
  }
  const vendor = /^(?:[A-Za-z]{2,10}[_-]){1,3}/.exec(secret)?.[0];
  return vendor === undefined || secret.length - vendor.length < 16 ? [] : [vendor];
}

/** The key's bytes; undefined if the secret does not have that form, or nothing would be left of it. */
export function deriveKey({ strip, decode }: KeyForm, secret: string): Buffer | undefined {
  if (!secret.startsWith(strip)) {
    return undefined;
  }
  const bytes = decoders[decode](secret.slice(strip.length));
  return bytes === undefined || bytes.length === 0 ? undefined : bytes;
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
