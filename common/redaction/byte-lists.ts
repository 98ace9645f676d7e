import { hexDigit, isPrintable } from './characters.ts';
import type { RoomFor, VisitDecoded } from './decoded.ts';
import { runLength } from './public-words.ts';

const [zero, x] = [0x30, 0x78];
/**
 * How many marks may stand between two bytes of a list, blanks aside: commas, colons, quotes, and the backslashes of
 * `\x73`.
 */
const mostMarks = 4;
/** The digits of a byte in decimals (`126`), and the word of hexadecimal digits that holds several bytes. */
const [longestByte, longestWord] = [3, 32];

const isBlank = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);
const isWord = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) || code > 0x7f;

/** Whether a character can be part of a written byte. */
const mayBeOfByte = (code: number): boolean => hexDigit(code) >= 0 || (code | 0x20) === x;

/** The start of a byte's digits, behind `0x` or the `x` of an escape if the base is 16. */
function digitsFrom(source: Uint16Array, at: number, base: 10 | 16): number {
  if (base === 10 || hexDigit(source[at + 2] ?? 0) < 0) {
    return at;
  }
  if (source[at] === x) {
    return at + 1;
  }
  return source[at] === zero && ((source[at + 1] ?? 0) | 0x20) === x ? at + 2 : at;
}

/**
 * The end of the digits of one byte or, in base 16, of the bytes of one word; -1 unless they are printable characters and
 * no more digits follow.
 */
function endOfBytes(source: Uint16Array, from: number, base: 10 | 16): number {
  const most = base === 16 ? longestWord : longestByte;
  let to = from;
  while (to - from <= most && isDigit(source[to] ?? 0, base)) {
    to += 1;
  }
  const isWhole = to > from && to - from <= most && (base === 10 || (to - from) % 2 === 0);
  const digits = base === 16 ? 2 : to - from;
  for (let at = from; isWhole && at < to; at += digits) {
    if (!isPrintable(byteIn(source, at, at + digits, base))) {
      return -1;
    }
  }
  return isWhole && !mayBeOfByte(source[to] ?? 0) ? to : -1;
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

/** The start of the word after the marks and blanks that begin at `from`; -1 if the list ends there. */
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
 * Visits the text of every list of eight or more bytes that are written as numbers: `[115, 118, 99]` as JSON writes a
 * buffer, `73 76 63`, `7376 635f`, `73:76:63`, `0x73, 0x76`, `\x73\x76`.
 */
export function readByteLists(source: Uint16Array, visit: VisitDecoded, roomFor: RoomFor): void {
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

/** Visits the list that begins at `start`, and returns its end; returns `start` if there is none in this base. */
function readList(
  source: Uint16Array,
  start: number,
  { base, visit, roomFor }: { base: 10 | 16; visit: VisitDecoded; roomFor: RoomFor },
): number {
  /** Three numbers for each byte: the start of its word, the start and the end of its digits. */
  let places: number[] | null = null;
  let end = start;
  for (let at = start; at >= 0; ) {
    const from = digitsFrom(source, at, base);
    const to = endOfBytes(source, from, base);
    if (to < 0) {
      break;
    }
    places ??= [];
    const digits = base === 16 ? 2 : to - from;
    for (let byte = from; byte < to; byte += digits) {
      places.push(byte === from ? at : byte, byte, byte + digits);
    }
    end = to;
    at = afterMarks(source, to);
  }
  const length = (places?.length ?? 0) / 3;
  if (places === null || length < runLength) {
    // Not even the words that were read are skipped: in the other base, a list may begin at the second of them.
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
