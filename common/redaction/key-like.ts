import { keyPrefix } from '../../contract/scopes.ts';
import { looksRandom } from '../looks-random.ts';
import { codesOf } from './characters.ts';
import { placesOfEscaped, undoEscapes } from './escapes.ts';
import { prefixOf } from './patterns.ts';
import type { Report } from './ranges.ts';

const word = /[A-Za-z0-9_~+-]+/g;
/** How long a random word must be to count as a key: by itself, beside another key, and behind a key's prefix. */
const [leastAlone, leastBeside, leastBehindPrefix] = [16, 5, 6];
/** How many levels of escapes are undone. */
const deepest = 3;

/** Reports the parts of any text that look like keys or passwords, except the prefixes that may be shown. */
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
  /** A slash, as in base64, or a dot, as in a JWT, joins a short random word to a key beside it. */
  const joinTo = (neighbour: number, index: number): void => {
    const [first, second] = [words[Math.min(index, neighbour)], words[Math.max(index, neighbour)]];
    const isJoined = isKey[neighbour] === true && /^[/.]$/.test(text.slice(first?.to, second?.from));
    isKey[index] ||= isJoined && isRandom(words[index]?.token ?? '', leastBeside);
  };
  for (let index = 0; index < words.length; index += 1) {
    joinTo(index - 1, index);
  }
  for (let index = words.length - 1; index >= 0; index -= 1) {
    joinTo(index + 1, index);
  }
  const keys = words
    .filter((_, index) => isKey[index])
    .map(({ from, to, token }) => [from + lengthShown(token), to] as const);
  const users = [...text.matchAll(/(?<=:\/\/)[^/?#@\s]*(?=@)/g)].map(
    ({ index, 0: user }) => [index, index + user.length] as const,
  );
  return [...keys, ...users].filter(([from, to]) => to > from);
}

const lengthShown = (token: string): number => prefixOf(token).length || Math.min(4, token.length >> 2);

/**
 * Whether a documented prefix, or any other prefix with a digit or capital behind it, begins a token that is long
 * enough.
 */
function hasKeyPrefix(token: string): boolean {
  const rest = token.slice(prefixOf(token).length);
  const isDocumented = Object.values(keyPrefix).some((prefix) => token.startsWith(prefix));
  return rest.length < token.length && rest.length >= leastBehindPrefix && (isDocumented || /[A-Z0-9]/.test(rest));
}

const isRandom = (token: string, least: number): boolean => looksRandom(token.replace(/[^A-Za-z0-9]/g, ''), least);
