import { keyPrefix } from '../../contract/scopes.ts';

const documentedPrefixes: readonly string[] = Object.values(keyPrefix);

/**
 * The part of a secret that may be shown: one or two names with an underscore behind each, such as `svc_test_`; often
 * empty.
 */
export function prefixOf(secret: string): string {
  const prefix = /^(?:[a-z]{2,12}_){1,2}/.exec(secret)?.[0] ?? '';
  return prefix.length <= secret.length / 2 || documentedPrefixes.includes(prefix) ? prefix : '';
}

/** A secret as it may be shown: `svc_test_…`, `whsec_…`, or its first four characters (a quarter, if it is short) and `…`. */
export function shorten(secret: string): string {
  const prefix = prefixOf(secret);
  return `${prefix === '' ? secret.slice(0, Math.min(4, secret.length >> 2)) : prefix}…`;
}

/** How long a word by itself must be to count as a key. */
const leastAlone = 16;
/** How long one behind a key's prefix must be. */
const leastBehindPrefix = 6;

/**
 * A text that may hold any secret, such as the value of a setting, with everything shortened that looks like a key, and
 * without the user and password of a URL. Words, numbers, hosts, paths and dates stay.
 */
export const shortenKeyLike = (text: string): string =>
  text
    .replace(/(?<=\/\/)[^/?#@\s]+(?=@)/g, '…')
    .replace(/[A-Za-z0-9_~+-]+/g, (word) => (isKeyLike(word) ? shorten(word) : word));

function isKeyLike(word: string): boolean {
  const prefix = prefixOf(word);
  const rest = word.slice(prefix.length);
  const hasPrefix = prefix !== '' && (documentedPrefixes.includes(prefix) || /[A-Z0-9]/.test(rest));
  return (
    (hasPrefix && rest.length >= leastBehindPrefix) || switchesOften(word.replace(/[^A-Za-z0-9]/g, ''), leastAlone)
  );
}

/**
 * Whether a text has at least `minLength` characters and switches between lower case, upper case and digits after at
 * least `share` of them. Words do so now and then, random text all the time.
 */
export function switchesOften(text: string, minLength: number, share = 0.25): boolean {
  const switches = text.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|[0-9](?=[A-Za-z])/g)?.length ?? 0;
  return text.length >= minLength && switches >= (text.length - 1) * share;
}

/** Whether a secret is masked, by several stars or dots or by a word. A single star may belong to the secret. */
export const isMasked = (text: string): boolean => /\*{2,}|[…•]|\.\.\.|redacted|hidden/i.test(text);
