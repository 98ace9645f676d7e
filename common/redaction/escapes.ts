import { backslash, hexDigit, isPrintable, percent } from './characters.ts';

export const ampersand = 0x26;
const [hash, semicolon, openBrace, closeBrace] = [0x23, 0x3b, 0x7b, 0x7d] as const;
const [capitalU, letterU, letterX] = [0x55, 0x75, 0x78] as const;
/** Longer character references are not read, so that each ampersand costs little. */
const longestReference = 32;
const [replacement, blank, zero, one] = [0xfffd, 0x20, 0x30, 0x31];

/** HTML's names for ASCII characters, for blanks and for what is not seen, matched in either case. */
const names: Readonly<Record<string, string>> = {
  tab: '\t',
  newline: '\n',
  excl: '!',
  quot: '"',
  num: '#',
  dollar: '$',
  percnt: '%',
  amp: '&',
  apos: "'",
  lpar: '(',
  rpar: ')',
  ast: '*',
  midast: '*',
  plus: '+',
  comma: ',',
  period: '.',
  sol: '/',
  colon: ':',
  semi: ';',
  lt: '<',
  equals: '=',
  gt: '>',
  quest: '?',
  commat: '@',
  lsqb: '[',
  lbrack: '[',
  bsol: '\\',
  rsqb: ']',
  rbrack: ']',
  hat: '^',
  lowbar: '_',
  underbar: '_',
  grave: '`',
  diacriticalgrave: '`',
  lcub: '{',
  lbrace: '{',
  verbar: '|',
  vert: '|',
  verticalline: '|',
  nbsp: ' ',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  shy: '\u00ad',
  zwj: '\u200d',
  zwnj: '\u200c',
  rcub: '}',
  rbrace: '}',
};

/** The controls that a letter behind a backslash stands for. */
const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/**
 * The text with one level of percent-encoding, backslash escapes (JSON, JavaScript, Markdown) and HTML's character
 * references undone, in whatever mixture. null if no escape stands for a character that a secret can hold; blanks are
 * such characters only if `haveBlanks`. `codes` is the buffer for the result, as long as the source.
 */
export function undoEscapes(
  source: Uint16Array,
  codes = new Uint16Array(source.length),
  haveBlanks = false,
): Uint16Array | null {
  const isRelevant = haveBlanks ? (code: number) => isOfSecret(code) || code === blank : isOfSecret;
  if (!mayBeRelevant(source, isRelevant)) {
    return null;
  }
  let top = 0;
  let anyRelevant = false;
  for (let i = 0; i < source.length; top += 1) {
    const code = source[i] ?? 0;
    codes[top] = code;
    i += 1;
    if (beginsEscape(code)) {
      const token = escapeAt(source, i - 1);
      if (token !== null) {
        codes[top] = token.code;
        i += token.length - 1;
        anyRelevant ||= isRelevant(token.code) || isBeforeOne(source, i);
      }
    }
  }
  return anyRelevant ? codes.subarray(0, top) : null;
}

/**
 * Whether a relevant escape seems to begin anywhere; it may turn out to be part of another escape. Quick, as most texts
 * have none.
 */
function mayBeRelevant(source: Uint16Array, isRelevant: (code: number) => boolean): boolean {
  for (const code of [backslash, percent, ampersand]) {
    for (let at = source.indexOf(code); at >= 0; at = source.indexOf(code, at + 1)) {
      const token = escapeAt(source, at);
      if (token !== null && (isRelevant(token.code) || isBeforeOne(source, at + token.length))) {
        return true;
      }
    }
  }
  return false;
}

/** The place in the source of each character in the result of `undoEscapes`, and of its end. */
export function placesOfEscaped(source: Uint16Array): Uint32Array {
  const places = new Uint32Array(source.length + 1);
  let top = 0;
  for (let i = 0; i < source.length; top += 1) {
    places[top] = i;
    i += (beginsEscape(source[i] ?? 0) ? escapeAt(source, i)?.length : undefined) ?? 1;
  }
  places[top] = source.length;
  return places;
}

const beginsEscape = (code: number): boolean => code === percent || code === backslash || code === ampersand;

/** Whether a single character comes next: an escaped blank may stand between those of a secret. */
const isBeforeOne = (source: Uint16Array, at: number): boolean =>
  isLetterOrDigit(source[at] ?? 0) && !isLetterOrDigit(source[at + 1] ?? 0);

/** No secret holds controls, but its base64 may have line breaks, and its UTF-16 has zeros. */
const isOfSecret = (code: number): boolean => code > blank || code === 0 || code === 0x0a || code === 0x0d;

/** The character that an escape stands for, and the escape's length. */
interface Token {
  readonly code: number;
  readonly length: number;
}

function escapeAt(source: Uint16Array, at: number): Token | null {
  const code = source[at];
  if (code === percent) {
    return digitsAt(source, at + 1, 2, 1) ?? unicodeAt(source, at);
  }
  if (code === ampersand) {
    return referenceAt(source, at);
  }
  return code === backslash ? behindBackslash(source, at) : null;
}

/** The escape of `count` hexadecimal digits from `from` on, behind an introduction of so many characters. */
function digitsAt(source: Uint16Array, from: number, count: number, introductionLength: number): Token | null {
  let code = 0;
  for (let i = from; i < from + count; i += 1) {
    const digit = hexDigit(source[i] ?? 0);
    if (digit < 0) {
      return null;
    }
    code = code * 16 + digit;
  }
  return { code: code <= 0xffff ? code : replacement, length: introductionLength + count };
}

/** `\u0041`, `%u0041`. */
const unicodeAt = (source: Uint16Array, at: number): Token | null =>
  source[at + 1] === letterU ? digitsAt(source, at + 2, 4, 2) : null;

/** A backslash before punctuation stands for that mark, unless the mark begins another escape. */
function behindBackslash(source: Uint16Array, at: number): Token | null {
  const next = source[at + 1] ?? 0;
  if (next === letterX || next === letterU) {
    const [count, braced] = [next === letterX ? 2 : 4, source[at + 2] === openBrace];
    return braced ? bracedAt(source, at) : digitsAt(source, at + 2, count, 2);
  }
  if (next === zero || next === one) {
    return octalAt(source, at) ?? digitsAt(source, at + 1, 6, 1);
  }
  if (next === capitalU) {
    return digitsAt(source, at + 2, 8, 2);
  }
  if (isLetterOrDigit(next)) {
    const control = controls[String.fromCharCode(next)];
    return control === undefined ? null : { code: control.charCodeAt(0), length: 2 };
  }
  return isPrintable(next) && next !== percent && next !== ampersand ? { code: next, length: 2 } : null;
}

/** `\101`: a printable character in three octal digits. */
function octalAt(source: Uint16Array, at: number): Token | null {
  const digits = [1, 2, 3].map((index) => (source[at + index] ?? 0) - zero);
  const code = digits.reduce((sum, digit) => sum * 8 + digit, 0);
  return digits.every((digit) => digit >= 0 && digit < 8) && isPrintable(code) ? { code, length: 4 } : null;
}

/** `\u{41}`, `\x{41}`. */
function bracedAt(source: Uint16Array, at: number): Token | null {
  const end = source.subarray(at + 3, at + 12).indexOf(closeBrace);
  const token = end > 0 ? digitsAt(source, at + 3, end, 3) : null;
  return token && { ...token, length: token.length + 1 };
}

/** `&amp;`, `&#65;`, `&#x41;`. */
function referenceAt(source: Uint16Array, at: number): Token | null {
  let end = at + 1;
  while (end - at < longestReference && (isLetterOrDigit(source[end] ?? 0) || source[end] === hash)) {
    end += 1;
  }
  const code = source[end] === semicolon ? referenced(String.fromCharCode(...source.subarray(at + 1, end))) : null;
  return code === null ? null : { code, length: end + 1 - at };
}

function referenced(name: string): number | null {
  const digits = /^#(?:x([0-9a-f]+)|([0-9]+))$/i.exec(name);
  if (digits) {
    const code = digits[1] === undefined ? Number(digits[2]) : Number.parseInt(digits[1], 16);
    return code <= 0xffff ? code : replacement;
  }
  const known = name.toLowerCase();
  return Object.hasOwn(names, known) ? (names[known] as string).charCodeAt(0) : null;
}

const isLetterOrDigit = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
