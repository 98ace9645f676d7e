import { readByteLists } from './byte-lists.ts';
import { codesOf } from './characters.ts';
import { decodeRuns } from './encodings.ts';
import { escapedParts } from './escaped-parts.ts';
import { placesOfEscaped, undoEscapes } from './escapes.ts';
import { withoutInvisible } from './invisible.ts';
import type { Patterns } from './patterns.ts';
import { merged, type Range, type Report } from './ranges.ts';

/** How many encodings within each other are undone. */
const deepest = 6;
/** Long texts are looked at in parts that overlap by more than the longest that eight encoded characters take. */
const [partLength, overlap, leastRoom] = [262_144, 32_768, 4_096];
/** Decoded characters that are looked at for each of the text. Only a text made to be slow asks for more: it is not shown. */
const mostDecoded = 160;

/**
 * What must not be shown of a text: the places of every run of eight characters of a secret's random part, without case,
 * forwards or backwards, under any nesting of percent-encoding, backslash escapes, character references, base64, hexadecimal
 * digits and lists of bytes, in UTF-16 too, and with invisible characters within. In order; none touches another.
 */
export function findSecrets(text: string, patterns: Patterns, scratch: Scratch): Range[] {
  const ranges: Range[] = [];
  for (let from = 0; from < text.length; from += partLength - overlap) {
    const to = Math.min(text.length, from + partLength);
    for (const [start, end] of findInPart(text.slice(from, to), patterns, scratch)) {
      ranges.push([from + start, from + end]);
    }
    if (to === text.length) {
      break;
    }
  }
  return merged(ranges);
}

/**
 * Room for a layer of each kind at each depth, used again for each part and each text: V8 is slow to free what was allocated
 * outside of its heap.
 */
type Scratch = (
  kind: 'plain' | 'reversed' | 'decoded' | 'visible' | 'listed',
  depth: number,
  length: number,
) => Uint16Array<ArrayBuffer>;

export function createScratch(): Scratch {
  const rooms = new Map<string, Uint16Array<ArrayBuffer>>();
  return (kind, depth, length) => {
    const known = rooms.get(kind + depth);
    const room = known === undefined || known.length < length ? new Uint16Array(Math.max(length, leastRoom)) : known;
    rooms.set(kind + depth, room);
    return room.subarray(0, length);
  };
}

function findInPart(text: string, patterns: Patterns, scratch: Scratch): Range[] {
  const ranges: [from: number, to: number][] = [];
  let left = mostDecoded * text.length + partLength;

  function explore(layer: Uint16Array, depth: number, report: Report): void {
    left -= layer.length;
    if (left < 0) {
      return;
    }
    patterns.search(layer, report);
    if (depth === 0) {
      return;
    }
    const visible = withoutInvisible(layer, () => scratch('visible', depth - 1, layer.length));
    if (visible !== null) {
      const { codes, places } = visible;
      explore(codes, depth - 1, (from, to) => report(places[from] ?? 0, (places[to - 1] ?? 0) + 1));
    }
    decodeRuns(
      layer,
      (decoded, placeOf) => explore(decoded, depth - 1, (from, to) => report(...placeOf(from, to))),
      (length) => scratch('decoded', depth - 1, length),
    );
    readByteLists(
      layer,
      (codes, placeOf) => explore(codes, depth - 1, (from, to) => report(...placeOf(from, to))),
      (length) => scratch('listed', depth - 1, length),
    );
    for (const [start, end] of escapedParts(layer, patterns.haveBlanks)) {
      exploreBothWays(layer.subarray(start, end), depth, (from, to) => report(start + from, start + to));
    }
  }

  function exploreBothWays(part: Uint16Array, depth: number, report: Report): void {
    const { length } = part;
    exploreUnescaped(part, depth, report);
    const reversed = scratch('reversed', depth, length);
    reversed.set(part);
    exploreUnescaped(reversed.reverse(), depth, (from, to) => report(length - to, length - from));
  }

  function exploreUnescaped(layer: Uint16Array, depth: number, report: Report): void {
    const plain = undoEscapes(layer, scratch('plain', depth - 1, layer.length), patterns.haveBlanks);
    if (plain !== null) {
      let places: Uint32Array | undefined;
      explore(plain, depth - 1, (from, to) => {
        places ??= placesOfEscaped(layer);
        report(places[from] ?? 0, places[to] ?? 0);
      });
    }
  }

  explore(codesOf(text, scratch('plain', deepest, text.length)), deepest, (from, to) => {
    const last = ranges.at(-1);
    // Most overlap the one before: a text that is full of secrets would give a range for every character.
    if (last !== undefined && last[0] <= from && from <= last[1]) {
      last[1] = Math.max(last[1], to);
    } else {
      ranges.push([from, to]);
    }
  });
  if (left < 0) {
    return [[0, text.length]];
  }
  return ranges.length === 0
    ? ranges
    : wholeEscapes(withoutChance(merged(ranges), text), text).flatMap((range) => aroundMarks(range, text));
}

/** The escapes of JSON, of HTML and XML, and of URLs. */
const escapes = /\\(?:u[0-9a-fA-F]{4}|.)|&#?\w{1,31};|%[0-9a-fA-F]{2}/gs;

/** Ranges widened to whole escapes, so that what is left of the text is as well-formed as before. */
function wholeEscapes(ranges: readonly Range[], text: string): Range[] {
  const tokens = [...text.matchAll(escapes)].map(({ index, 0: token }): Range => [index, index + token.length]);
  let at = 0;
  const edgeAt = (place: number, end: 0 | 1): number => {
    while (at < tokens.length && (tokens[at]?.[1] ?? 0) <= place) {
      at += 1;
    }
    const token = tokens[at];
    return token && token[0] < place ? token[end] : place;
  };
  return ranges.map(([from, to]) => [edgeAt(from, 0), edgeAt(to, 1)]);
}

/** A quote or bracket that is not escaped holds the document together, whatever secret has one: it stays, and what is around it goes. */
function aroundMarks([from, to]: Range, text: string): Range[] {
  const marks = [...text.slice(from, to).matchAll(/\\.|["<>]/gs)].flatMap(({ index, 0: mark }) =>
    mark.length === 1 ? [from + index] : [],
  );
  return [from - 1, ...marks]
    .map((mark, index): Range => [mark + 1, marks[index] ?? to])
    .filter(([start, end]) => start < end);
}

const uuid = /(?<![0-9a-f-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f-])/gi;
const [uuidLength, longestBlock] = [36, 12];

/** A UUID that has one run of a hexadecimal secret has it by chance, as some of thousands do: it is shown, and judged, whole. */
function withoutChance(ranges: readonly Range[], text: string): Range[] {
  return ranges.filter(([from, to], index) => {
    const start = to - from > longestBlock ? undefined : uuidAround(text, from, to);
    const isIn = (range: Range | undefined): boolean =>
      start !== undefined && range !== undefined && range[1] > start && range[0] < start + uuidLength;
    return start === undefined || isIn(ranges[index - 1]) || isIn(ranges[index + 1]);
  });
}

/** Where the UUID begins that a part of the text lies in. */
function uuidAround(text: string, from: number, to: number): number | undefined {
  const first = Math.max(0, from - uuidLength);
  const starts = [...text.slice(first, to + uuidLength).matchAll(uuid)].map(({ index }) => first + index);
  return starts.find((start) => start <= from && to <= start + uuidLength);
}
