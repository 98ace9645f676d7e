import { hexDigit } from './characters.ts';
import type { RoomFor, VisitDecoded } from './decoded.ts';
import { runLength } from './public-words.ts';
import type { Range } from './ranges.ts';

const [zero, x, o] = [0x30, 0x78, 0x6f];
/**
 * How many marks may stand between two bytes of a list, blanks aside: commas, colons, quotes, and the backslashes of
 * `\x73`.
 */
const mostMarks = 4;
/** The longest words that may be bytes: `0o176`. */
const longestWord = 5;
const mostByte = 255;

/** How the bytes of a list are written: the base of the numbers, and whether the whole list is reversed (-1). */
interface Notation {
  readonly base: 8 | 10 | 16;
  readonly step: 1 | -1;
}
const notations = ([8, 10, 16] as const).flatMap((base): Notation[] => [
  { base, step: 1 },
  { base, step: -1 },
]);
/** How many digits a byte has: in bases 8 and 10 it may have leading zeros. */
const fewestDigits = { 8: 1, 10: 1, 16: 2 } as const;
const mostDigits = { 8: 4, 10: 3, 16: 2 } as const;

/**
 * Visits the text of every list of eight or more bytes that are written as numbers: `[115, 118, 99]` as JSON writes a
 * buffer, `73 76 63`, `73:76:63`, `0x73, 0x76`, `\x73\x76`, `\163\166`. Every second number is visited by itself too,
 * as in `{"0":115,"1":118}`.
 */
export function readByteLists(source: Uint16Array, visit: VisitDecoded, roomFor: RoomFor): void {
  let words: Range[] = [];
  const readWords = (): void => {
    if (words.length >= runLength) {
      for (const notation of notations) {
        readLists(source, words, notation, visit, roomFor);
      }
    }
    words = [];
  };
  let marks = 0;
  for (let at = 0; at < source.length; at += 1) {
    const code = source[at] ?? 0;
    if (isWord(code)) {
      const to = endOfWord(source, at);
      const mayBe = mayBeByte(source, at, to);
      if (words.length > 0 && (marks > mostMarks || !mayBe)) {
        readWords();
      }
      if (mayBe) {
        words.push([at, to]);
      }
      marks = 0;
      at = to - 1;
    } else if (!isBlank(code)) {
      marks += 1;
    }
  }
  readWords();
}

const isBlank = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);
const isWord = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) || code > 0x7f;

function endOfWord(source: Uint16Array, from: number): number {
  let to = from;
  while (to < source.length && isWord(source[to] ?? 0)) {
    to += 1;
  }
  return to;
}

/** Whether a word is short and has a digit of some base at one end: quicker than to read it in every notation. */
const mayBeByte = (source: Uint16Array, from: number, to: number): boolean =>
  to - from <= longestWord && (hexDigit(source[from] ?? 0) >= 0 || hexDigit(source[to - 1] ?? 0) >= 0);

/** Visits the lists of bytes in neighbouring words. */
function readLists(
  source: Uint16Array,
  words: readonly Range[],
  notation: Notation,
  visit: VisitDecoded,
  roomFor: RoomFor,
): void {
  /** Three numbers for each byte: the byte, the start and the end of its digits. */
  let list: number[] = [];
  const visitList = (): void => {
    const length = list.length / 3;
    if (length >= runLength) {
      visitBytes(list, 0, 1, visit, roomFor);
    }
    if (length >= 2 * runLength) {
      visitBytes(list, 0, 2, visit, roomFor);
      visitBytes(list, 1, 2, visit, roomFor);
    }
    list = [];
  };
  for (const [from, to] of words) {
    if (!addByte(source, from, to, notation, list)) {
      visitList();
    }
  }
  visitList();
}

/** Visits every byte of a list, or every second one. */
function visitBytes(list: readonly number[], first: 0 | 1, step: 1 | 2, visit: VisitDecoded, roomFor: RoomFor): void {
  const known = list;
  const codes = roomFor(Math.ceil((known.length / 3 - first) / step));
  for (let i = 0; i < codes.length; i += 1) {
    codes[i] = known[3 * (first + step * i)] ?? 0;
  }
  visit(codes, (from, to) => [
    known[3 * (first + step * from) + 1] ?? 0,
    known[3 * (first + step * (to - 1)) + 2] ?? 0,
  ]);
}

/** Adds the byte that begins a word, or ends it if the list is reversed; returns false if there is none. */
function addByte(source: Uint16Array, from: number, to: number, { base, step }: Notation, list: number[]): boolean {
  const first = step === 1 ? from : to - 1;
  const codeAt = (index: number): number => (index < to - from ? (source[first + step * index] ?? 0) : 0);
  const start = introductionLength(codeAt, base);
  let [index, byte] = [start, 0];
  for (; index - start < mostDigits[base]; index += 1) {
    const digit = hexDigit(codeAt(index));
    if (digit < 0 || digit >= base) {
      break;
    }
    byte = byte * base + digit;
  }
  if (index - start < fewestDigits[base] || byte > mostByte || mayBeOfByte(codeAt(index))) {
    return false;
  }
  const [oneEnd, otherEnd] = [first + step * start, first + step * (index - 1)];
  list.push(byte, Math.min(oneEnd, otherEnd), Math.max(oneEnd, otherEnd) + 1);
  return true;
}

/** The length of `0x`, of the `x` of an escape, or of `0o`, before the digits of a byte. */
function introductionLength(codeAt: (index: number) => number, base: number): number {
  if (base === 16 && codeAt(0) === x) {
    return 1;
  }
  const letter = codeAt(1) | 0x20;
  return codeAt(0) === zero && ((base === 16 && letter === x) || (base === 8 && letter === o)) ? 2 : 0;
}

/** Whether a character can be part of a written byte. */
const mayBeOfByte = (code: number): boolean => hexDigit(code) >= 0 || (code | 0x20) === x;
