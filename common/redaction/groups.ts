import { base64 } from './codings.ts';
import type { RoomFor, VisitDecoded } from './decoded.ts';
import { runLength } from './public-words.ts';

/** The longest groups that symbols are written in, how many there are at least, and the longest separator: `", "`. */
export const [longestGroup, fewestGroups] = [8, 3];
const longestSeparator = 4;
const hyphen = 0x2d;

/** Whether a character is a symbol of base64; a hyphen is rather a separator. */
const isInGroup = (code: number): boolean => code < 128 && (base64.values[code] ?? -1) >= 0 && code !== hyphen;

/** Groups of equal length, with the same separator between any two; the first and the last may be shorter. */
interface Groups {
  /** The start of the first group that is not shorter. */
  readonly start: number;
  readonly size: number;
  readonly separator: number;
  readonly count: number;
  /** The lengths of the shorter first and last group; 0 if there is none. */
  readonly head: number;
  readonly tail: number;
}

/**
 * Visits every text that is written in groups, without the separators: `7376 635f`, `ON3G-GX3U`, `s v c`,
 * `["s","v","c"]`.
 */
export function readGroups(source: Uint16Array, visit: VisitDecoded, roomFor: RoomFor): void {
  let [before, sizeBefore] = [0, 0];
  for (let at = 0; at < source.length; at += 1) {
    if (!isInGroup(source[at] ?? 0)) {
      continue;
    }
    const size = endOfGroup(source, at) - at;
    const groups = size === sizeBefore && size <= longestGroup ? groupsAt(source, before, size) : null;
    if (groups !== null) {
      visitGroups(source, groups, visit, roomFor);
      // The last group may be the first of others.
      at = groups.start + (groups.count - 1) * (groups.size + groups.separator);
    }
    [before, sizeBefore] = [at, size];
    at += size;
  }
}

function endOfGroup(source: Uint16Array, from: number): number {
  let to = from;
  while (to < source.length && isInGroup(source[to] ?? 0)) {
    to += 1;
  }
  return to;
}

/** The groups that begin with one of this size; null if they are too few to hold a run of a secret. */
function groupsAt(source: Uint16Array, start: number, size: number): Groups | null {
  const separator = separatorLength(source, start + size);
  if (separator === 0) {
    return null;
  }
  let [count, tail] = [1, 0];
  for (let at = start + size; tail === 0 && isRepeated(source, start + size, at, separator); ) {
    const length = endOfGroup(source, at + separator) - at - separator;
    if (length === 0 || length > size) {
      break;
    }
    if (length === size) {
      count += 1;
      at += separator + size;
    } else {
      tail = length;
    }
  }
  const isMany = count + Math.sign(tail) >= fewestGroups && count * size + tail >= runLength;
  return isMany ? { start, size, separator, count, head: headLength(source, start, size, separator), tail } : null;
}

/** The length of the shorter group before the first one; 0 if there is none. */
function headLength(source: Uint16Array, start: number, size: number, separator: number): number {
  const to = start - separator;
  if (to <= 0 || !isRepeated(source, start + size, to, separator)) {
    return 0;
  }
  let from = to;
  while (from > 0 && to - from < size && isInGroup(source[from - 1] ?? 0)) {
    from -= 1;
  }
  return to - from < size ? to - from : 0;
}

/** How many characters separate the group before `from` from the next one; 0 if there is no other. */
function separatorLength(source: Uint16Array, from: number): number {
  const end = Math.min(source.length, from + longestSeparator + 1);
  let to = from;
  while (to < end && !isInGroup(source[to] ?? 0)) {
    to += 1;
  }
  return to < end ? to - from : 0;
}

/** Whether the separator at `from` stands at `at` too. */
function isRepeated(source: Uint16Array, from: number, at: number, length: number): boolean {
  for (let i = 0; i < length; i += 1) {
    if (source[from + i] !== source[at + i]) {
      return false;
    }
  }
  return true;
}

function visitGroups(
  source: Uint16Array,
  { start, size, separator, count, head, tail }: Groups,
  visit: VisitDecoded,
  roomFor: RoomFor,
): void {
  const placeOf = (index: number): number =>
    index < head
      ? start - separator - head + index
      : start + Math.floor((index - head) / size) * (size + separator) + ((index - head) % size);
  const codes = roomFor(head + count * size + tail);
  for (let i = 0; i < codes.length; i += 1) {
    codes[i] = source[placeOf(i)] ?? 0;
  }
  visit(codes, (from, to) => [placeOf(from), placeOf(to - 1) + 1]);
}
