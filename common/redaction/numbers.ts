import { isPrintable } from './characters.ts';
import type { RoomFor, VisitDecoded } from './decoded.ts';
import { runLength } from './public-words.ts';

/** How many characters other than digits may stand between two numbers of a list, and how many digits a number has. */
const [mostBetween, mostDigits] = [16, 6];

/** `…`: what was between the numbers before and behind it is hidden already. */
const hidden = 0x2026;

const isDigit = (code: number | undefined): boolean => code !== undefined && code >= 0x30 && code <= 0x39;

/**
 * Visits the text of every list of eight or more numbers of characters in decimals, with anything else than digits
 * between them: `[115, 118, 99]`, `chr(115).chr(118)`, `{"v":115},{"v":118}`. Numbers below those of printable characters
 * are left out: the zeros of UTF-16, `115.0`, most of the places in `{"0":115,"1":118}`.
 */
export function readNumbers(source: Uint16Array, visit: VisitDecoded, roomFor: RoomFor): void {
  /** Three numbers for each character: its code, the start and the end of its digits. */
  let list: number[] = [];
  const endList = (): void => {
    if (list.length >= 3 * runLength) {
      visitList(list, visit, roomFor);
    }
    list = list.length === 0 ? list : [];
  };
  let end = 0;
  for (let at = 0; at < source.length; at += 1) {
    if (!isDigit(source[at])) {
      if (source[at] === hidden) {
        endList();
      }
      continue;
    }
    const start = at;
    while (isDigit(source[at])) {
      at += 1;
    }
    const code = numberIn(source, start, at);
    if (start - end > mostBetween || code > 0x7f) {
      endList();
    }
    if (isPrintable(code)) {
      list.push(code, start, at);
    }
    end = at;
  }
  endList();
}

function visitList(list: readonly number[], visit: VisitDecoded, roomFor: RoomFor): void {
  const codes = roomFor(list.length / 3);
  for (let i = 0; i < codes.length; i += 1) {
    codes[i] = list[3 * i] ?? 0;
  }
  visit(codes, (from, to) => [list[3 * from + 1] ?? 0, list[3 * to - 1] ?? 0]);
}

/** The number that some digits write; Infinity if they are too many. */
function numberIn(source: Uint16Array, from: number, to: number): number {
  let number = to - from > mostDigits ? Number.POSITIVE_INFINITY : 0;
  for (let at = from; at < to; at += 1) {
    number = 10 * number + (source[at] ?? 0) - 0x30;
  }
  return number;
}
