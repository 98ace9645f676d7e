/** Replaces every secret it has learnt by its prefix and `…`. */
export interface Redactor {
  /** From now on this text, and its URL-encoded and base64 forms, are shortened. Too short to be a secret: ignored. */
  learn(secret: string): void;
  clean(text: string): string;
}

/** Shorter texts are no secrets, and replacing them would eat into plain words. */
const leastLength = 8;

/** Keys of the developer API are known by their look, issued by us or not. */
const keyLook = /svc_(test|live)_[A-Za-z0-9_~.+/=-]{6,}/g;

/** `svc_test_…`, `whsec_…`, or the first four characters and `…`: what may be shown of a secret. */
export function shorten(secret: string): string {
  const prefix = /^(?:[A-Za-z0-9]{2,12}_){1,2}/.exec(secret)?.[0] ?? '';
  return prefix !== '' && prefix.length <= secret.length / 2
    ? `${prefix}…`
    : `${secret.slice(0, Math.min(4, secret.length >> 2))}…`;
}

function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
  const json = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, encodeURIComponent(secret), json, base64])];
}

/** A redactor that knows nothing yet but what keys of the developer API look like. */
export function createRedactor(): Redactor {
  const known = new Map<string, string>();
  let pattern: RegExp | null = null;
  return {
    learn(secret) {
      if (secret.length < leastLength || known.has(secret)) {
        return;
      }
      for (const form of formsOf(secret)) {
        known.set(form, shorten(secret));
      }
      pattern = null;
    },
    clean(text) {
      if (known.size > 0) {
        pattern ??= patternOf([...known.keys()]);
        text = text.replace(pattern, (form) => known.get(form) ?? '…');
      }
      return text.replace(keyLook, (key) => shorten(key));
    },
  };
}

/** Longest first, so that a secret that contains another is replaced whole. */
function patternOf(forms: string[]): RegExp {
  const escaped = forms.sort((a, b) => b.length - a.length).map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(escaped.join('|'), 'g');
}
