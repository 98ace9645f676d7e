import type { ApiKey } from '../session/key.ts';
import { altered } from './identity.ts';

const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The key with its last character altered: in base64 so that another bit than an unused one changes. */
function lastAltered(secret: string): string {
  const last = secret.at(-1) ?? '';
  const tail = secret.replace(/.*[_-]/, '');
  if (/^[0-9a-f]+$/i.test(tail)) {
    return altered(secret, 1);
  }
  const at = base64.indexOf(last);
  if (at < 0) {
    return `${secret.slice(0, -1)}x`;
  }
  const flipped = [32, 16].map((step) => base64.charAt((at + step) % 64)).find((one) => /[A-Za-z0-9]/.test(one)) ?? 'x';
  return `${secret.slice(0, -1)}${flipped}`;
}

/** A key of the same look with every character behind its prefix changed. */
function lookalike(secret: string): string {
  const prefix = /^[A-Za-z0-9]{1,12}(?:[_-][A-Za-z]{1,10})*[_-]/.exec(secret)?.[0] ?? '';
  return prefix.length > secret.length / 2
    ? altered(secret, secret.length)
    : altered(secret, secret.length - prefix.length);
}

const unknown = (secret: string, label: string, like?: ApiKey): ApiKey => ({
  secret,
  label,
  environment: 'workspace',
  origin: 'unknown',
  ...(like === undefined ? {} : { like }),
});

/** Labels of the keys that were never issued: their refusals carry the documented code. */
export const neverIssuedLabels = ['an unknown key', 'WORKSPACE_API_KEY with one character altered'] as const;

/** Keys that look like the given one and were never issued. */
export const neverIssued = (key: ApiKey): readonly [ApiKey, ApiKey] => [
  unknown(lookalike(key.secret), neverIssuedLabels[0], key),
  unknown(lastAltered(key.secret), neverIssuedLabels[1], key),
];

/** `Authorization: Bearer` with nothing behind it. */
export const emptyKey: ApiKey = unknown('', 'an empty key');
