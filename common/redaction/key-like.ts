import { keyPrefix } from '../../contract/scopes.ts';
import { looksRandom } from '../looks-random.ts';
import { codesOf } from './characters.ts';
import { placesOfEscaped, undoEscapes } from './escapes.ts';
import { prefixOf } from './patterns.ts';
import type { Report } from './ranges.ts';

/** Words, as names, hosts and paths are made of; and the marks between those that may be one key all the same. */
const word = /[A-Za-z0-9_~+-]+/g;
const [leastAlone, leastBeside, leastBehindPrefix] = [16, 5, 6];
/** How many levels of escapes are undone. */
const deepest = 3;

/** Reports what looks like a key or a password in a text of which nothing is known, all but what may be shown of it. */
export function findKeyLike(text: string, report: Report): void {
  let places = (index: number): number => index;
  let codes: Uint16Array | null = codesOf(text);
  for (let depth = 0; codes !== null && depth <= deepest; depth += 1) {
    const here = places;
    for (const [from, to] of keysIn(String.fromCharCode(...codes))) {
      report(here(from), here(to));
    }
    const escaped: Uint16Array = codes;
    const starts = placesOfEscaped(escaped);
    places = (index) => here(starts[index] ?? escaped.length);
    codes = undoEscapes(escaped);
  }
}

function keysIn(text: string): (readonly [number, number])[] {
  const words = [...text.matchAll(word)].map(({ index, 0: token }) => ({
    from: index,
    to: index + token.length,
    token,
  }));
  const isKey = words.map(({ token }) => hasKeyPrefix(token) || isRandom(token, leastAlone));
  // Base64 has slashes, and a JWT has dots, between what is random.
  const isBeside = (i: number, j: number): boolean =>
    isKey[j] === true && /^[/.]$/.test(text.slice(words[Math.min(i, j)]?.to, words[Math.max(i, j)]?.from));
  const spread = (i: number, j: number): void => {
    isKey[i] ||= isBeside(i, j) && isRandom(words[i]?.token ?? '', leastBeside);
  };
  words.forEach((_, i) => {
    spread(i, i - 1);
  });
  words.toReversed().forEach((_, i) => {
    spread(words.length - 1 - i, words.length - i);
  });
  const keys = words.filter((_, i) => isKey[i]).map(({ from, to, token }) => [from + shownOf(token), to] as const);
  const users = [...text.matchAll(/(?<=:\/\/)[^/?#@\s]*(?=@)/g)].map(
    ({ index, 0: user }) => [index, index + user.length] as const,
  );
  return [...keys, ...users].filter(([from, to]) => to > from);
}

const shownOf = (token: string): number => prefixOf(token).length || Math.min(4, token.length >> 2);

/** `svc_test_` and anything but a word; another prefix and what has a digit or a capital. */
function hasKeyPrefix(token: string): boolean {
  const rest = token.slice(prefixOf(token).length);
  const isDocumented = Object.values(keyPrefix).some((prefix) => token.startsWith(prefix));
  return rest.length < token.length && rest.length >= leastBehindPrefix && (isDocumented || /[A-Z0-9]/.test(rest));
}

const isRandom = (token: string, least: number): boolean => looksRandom(token.replace(/[^A-Za-z0-9]/g, ''), least);
