import { hexDigit, isPrintable } from './characters.ts';
import type { RoomFor, VisitDecoded } from './decoded.ts';
import { runLength } from './public-words.ts';

const [zero, x] = [0x30, 0x78];
/**
 * How many marks may stand between two words of a list, blanks aside: commas, colons, quotes, and the backslashes of
 * `\x73`.
 */
const mostMarks = 4;
/** How many hexadecimal digits a word of several bytes has at most. */
const longestWord = 32;

const isBlank = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);
const isWord = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) || code > 0x7f;

/** Whether a character can be part of a written byte. */
const mayBeOfByte = (code: number): boolean => hexDigit(code) >= 0 || (code | 0x20) === x;

/** The start of a byte's digits, behind `0x` or the `x` of an escape. */
function digitsFrom(source: Uint16Array, at: number): number {
  if (hexDigit(source[at + 2] ?? 0) < 0) {
    return at;
  }
  if (source[at] === x) {
    return at + 1;
  }
  return source[at] === zero && ((source[at + 1] ?? 0) | 0x20) === x ? at + 2 : at;
}

/** The end of the digits of one word; -1 unless its bytes are printable characters and no more digits follow. */
function endOfBytes(source: Uint16Array, from: number): number {
  let to = from;
  while (to - from <= longestWord && hexDigit(source[to] ?? 0) >= 0) {
    to += 1;
  }
  const isWhole = to > from && to - from <= longestWord && (to - from) % 2 === 0;
  for (let at = from; isWhole && at < to; at += 2) {
    if (!isPrintable(byteAt(source, at))) {
      return -1;
    }
  }
  return isWhole && !mayBeOfByte(source[to] ?? 0) ? to : -1;
}

const byteAt = (source: Uint16Array, at: number): number =>
  16 * hexDigit(source[at] ?? 0) + hexDigit(source[at + 1] ?? 0);

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
 * Visits the text of every list of eight or more bytes in hexadecimal digits: `73 76 63`, `7376 635f`, `73:76:63`,
 * `0x73, 0x76`, `\x73\x76`.
 */
export function readByteLists(source: Uint16Array, visit: VisitDecoded, roomFor: RoomFor): void {
  for (let at = 0; at < source.length; at += 1) {
    if (isWord(source[at] ?? 0)) {
      const end = endOfWord(source, at);
      at = (end - at <= longestWord ? Math.max(end, readList(source, at, visit, roomFor)) : end) - 1;
    }
  }
}

/** Visits the list that begins at `start`, and returns its end; returns `start` if there is none. */
function readList(source: Uint16Array, start: number, visit: VisitDecoded, roomFor: RoomFor): number {
  /** Two numbers for each byte: the start of its word or, after the first byte of a word, of its digits; and its digits. */
  let places: number[] | null = null;
  let end = start;
  for (let at = start; at >= 0; ) {
    const from = digitsFrom(source, at);
    const to = endOfBytes(source, from);
    if (to < 0) {
      break;
    }
    places ??= [];
    for (let byte = from; byte < to; byte += 2) {
      places.push(byte === from ? at : byte, byte);
    }
    end = to;
    at = afterMarks(source, to);
  }
  const length = (places?.length ?? 0) / 2;
  if (places === null || length < runLength) {
    return start;
  }
  const [codes, known] = [roomFor(length), places];
  for (let i = 0; i < length; i += 1) {
    codes[i] = byteAt(source, known[2 * i + 1] ?? 0);
  }
  visit(codes, (from, to) => [known[2 * from] ?? 0, (known[2 * to - 1] ?? 0) + 2]);
  return end;
}

function endOfWord(source: Uint16Array, from: number): number {
  let to = from;
  while (to < source.length && isWord(source[to] ?? 0)) {
    to += 1;
  }
  return to;
}
