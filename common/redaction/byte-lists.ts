import { hexDigit, isPrintable } from './characters.ts';
import { leastRun } from './public-words.ts';

/** Called with the characters that a list of bytes stands for, and where each byte is written. */
type Visit = (codes: Uint16Array, placeOf: (from: number, to: number) => readonly [number, number]) => void;

const [zero, x] = [0x30, 0x78];
/** What stands between two bytes of a list, blanks aside: commas, colons, quotes, and backslashes of `\x73`. */
const mostMarks = 4;
/** `126`, and `0x7e`. */
const [longestByte, longestWord] = [3, 4];

const isBlank = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);
const isWord = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) || code > 0x7f;

/** Whether a byte may go on with a character. */
const mayBeOfByte = (code: number): boolean => hexDigit(code) >= 0 || (code | 0x20) === x;

/** Where the digits begin of what may be a byte: `0x` and the `x` of an escape stand before hexadecimal ones. */
function digitsFrom(source: Uint16Array, at: number, base: 10 | 16): number {
  if (base === 10 || hexDigit(source[at + 2] ?? 0) < 0) {
    return at;
  }
  return source[at] === x ? at + 1 : source[at] === zero && ((source[at + 1] ?? 0) | 0x20) === x ? at + 2 : at;
}

/** The end of the digits of one byte, which stand alone and are a printable character; -1 where these are none. */
function endOfByte(source: Uint16Array, from: number, base: 10 | 16): number {
  let to = from;
  while (to - from <= longestByte && isDigit(source[to] ?? 0, base)) {
    to += 1;
  }
  const isWhole = base === 16 ? to - from === 2 : to > from;
  return isWhole && isPrintable(byteIn(source, from, to, base)) && !mayBeOfByte(source[to] ?? 0) ? to : -1;
}

const isDigit = (code: number, base: number): boolean => {
  const digit = hexDigit(code);
  return digit >= 0 && digit < base;
};

function byteIn(source: Uint16Array, from: number, to: number, base: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) {
    value = value * base + hexDigit(source[at] ?? 0);
  }
  return value;
}

/** Where the next byte may begin after one; -1 where the list ends. */
function afterMarks(source: Uint16Array, from: number): number {
  let marks = 0;
  for (let at = from; at < source.length; at += 1) {
    const code = source[at] ?? 0;
    if (isWord(code)) {
      return at > from ? at : -1;
    }
    marks += isBlank(code) ? 0 : 1;
    if (marks > mostMarks) {
      return -1;
    }
  }
  return -1;
}

/**
 * Visits every list of bytes that stands in a text as numbers, eight or more in a row: `[115, 118, 99]` as JSON writes a buffer,
 * `73 76 63`, `73:76:63`, `0x73, 0x76`, `\x73\x76`.
 */
export function readByteLists(source: Uint16Array, visit: Visit, roomFor: (length: number) => Uint16Array): void {
  for (let at = 0; at < source.length; at += 1) {
    if (isWord(source[at] ?? 0)) {
      let end = endOfWord(source, at);
      if (end - at <= longestWord) {
        end = Math.max(end, readList(source, at, { base: 10, visit, roomFor }));
        end = Math.max(end, readList(source, at, { base: 16, visit, roomFor }));
      }
      at = end - 1;
    }
  }
}

/** Reads the list that begins at a place. Gives its end. */
function readList(
  source: Uint16Array,
  start: number,
  { base, visit, roomFor }: { base: 10 | 16; visit: Visit; roomFor: (length: number) => Uint16Array },
): number {
  let places: number[] | null = null;
  let end = start;
  for (let at = start; at >= 0; ) {
    const from = digitsFrom(source, at, base);
    const to = endOfByte(source, from, base);
    if (to < 0) {
      break;
    }
    places ??= [];
    places.push(at, from, to);
    end = to;
    at = afterMarks(source, to);
  }
  const length = (places?.length ?? 0) / 3;
  if (places === null || length < leastRun) {
    // What is no list in the one base may be one in the other from its second byte on.
    return start;
  }
  const [codes, known] = [roomFor(length), places];
  for (let i = 0; i < length; i += 1) {
    codes[i] = byteIn(source, known[3 * i + 1] ?? 0, known[3 * i + 2] ?? 0, base);
  }
  visit(codes, (from, to) => [known[3 * from] ?? 0, known[3 * to - 1] ?? 0]);
  return end;
}

function endOfWord(source: Uint16Array, from: number): number {
  let to = from;
  while (to < source.length && isWord(source[to] ?? 0)) {
    to += 1;
  }
  return to;
}
