import { codesOf } from './characters.ts';
import { isMark } from './groups.ts';
import type { Patterns } from './patterns.ts';
import { merged, type Range } from './ranges.ts';
import { type Scratch, searchLayers } from './search-layers.ts';

/**
 * Long texts are searched in parts. They overlap by more than eight characters can take under any nesting of encodings.
 */
const [partLength, overlap] = [262_144, 32_768];
/**
 * How many decoded characters are searched for each one of the text. Only a text that was made to be slow needs more.
 */
const decodedPerCharacter = 160;

/**
 * The parts of a text that must not be shown: every run of eight characters of a secret's random part, in either case,
 * forwards or backwards, in UTF-8 or UTF-16, in full-width letters, with invisible characters within, under any nesting
 * of percent-encoding, backslash escapes, character references, base64, hexadecimal digits and lists of bytes; and the
 * same in groups with marks between them, unless these groups are encoded once more. The ranges are in order, and
 * none touches another.
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

/** Like `findSecrets`, for one part. All of it must be hidden if it takes too long to search. */
function findInPart(text: string, patterns: Patterns, scratch: Scratch): Range[] {
  const ranges: [from: number, to: number][] = [];
  const source = codesOf(text, scratch('source', 0, text.length));
  const budget = decodedPerCharacter * text.length + partLength;
  const isComplete = searchLayers(source, { patterns, scratch, budget }, (from, to) => {
    const last = ranges.at(-1);
    // Most ranges overlap the one before. Kept singly, a text full of secrets would have one for every character.
    if (last !== undefined && last[0] <= from && from <= last[1]) {
      last[1] = Math.max(last[1], to);
    } else {
      ranges.push([from, to]);
    }
  });
  if (!isComplete) {
    return [[0, text.length]];
  }
  if (ranges.length === 0) {
    return ranges;
  }
  const secret = exceptInUuids(merged(ranges), text);
  return wholeEscapes(secret, text).flatMap((range) => exceptMarks(range, text));
}

/** The escapes of JSON, of HTML and XML, and of URLs. */
const escapes = /\\(?:u[0-9a-fA-F]{4}|.)|&#?\w{1,31};|%[0-9a-fA-F]{2}/gs;

/** The ranges widened to whole escapes, so that the text without them is as well-formed as before. */
function wholeEscapes(ranges: readonly Range[], text: string): Range[] {
  const tokens = [...text.matchAll(escapes)].map(({ index, 0: token }): Range => [index, index + token.length]);
  let next = 0;
  /**
   * The start (0) or end (1) of the escape around a place, or the place itself. Places are asked for in rising order.
   */
  const edgeAt = (place: number, end: 0 | 1): number => {
    while (next < tokens.length && (tokens[next]?.[1] ?? 0) <= place) {
      next += 1;
    }
    const token = tokens[next];
    return token && token[0] < place ? token[end] : place;
  };
  return ranges.map(([from, to]) => [edgeAt(from, 0), edgeAt(to, 1)]);
}

/**
 * The parts of a range around unescaped quotes and brackets: those hold the document together and stay, even within a
 * secret, and so do the marks of ASCII that stand alone between them.
 */
function exceptMarks([from, to]: Range, text: string): Range[] {
  const marks = [...text.slice(from, to).matchAll(/\\.|["<>]/gs)].flatMap(({ index, 0: mark }) =>
    mark.length === 1 ? [from + index] : [],
  );
  return [from - 1, ...marks]
    .map((mark, index): Range => [mark + 1, marks[index] ?? to])
    .filter(([start, end]) => holdsCharacters(text, start, end));
}

function holdsCharacters(text: string, from: number, to: number): boolean {
  for (let place = from; place < to; place += 1) {
    const code = text.charCodeAt(place);
    if (code > 0x7f || !isMark(code)) {
      return true;
    }
  }
  return false;
}

const uuid = /(?<![0-9a-f-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f-])/gi;
const [uuidLength, longestBlock] = [36, 12];

/**
 * The ranges without those that are the only one in a UUID and no longer than one of its blocks: among thousands of
 * UUIDs, some share a run with a hexadecimal secret by chance, and clauses judge UUIDs as a whole.
 */
function exceptInUuids(ranges: readonly Range[], text: string): Range[] {
  return ranges.filter(([from, to], index) => {
    const start = to - from > longestBlock ? undefined : uuidAround(text, from, to);
    const isIn = (range: Range | undefined): boolean =>
      start !== undefined && range !== undefined && range[1] > start && range[0] < start + uuidLength;
    return start === undefined || isIn(ranges[index - 1]) || isIn(ranges[index + 1]);
  });
}

/** The start of the UUID around a part of the text; undefined if the part is in none. */
function uuidAround(text: string, from: number, to: number): number | undefined {
  const first = Math.max(0, from - uuidLength);
  const starts = [...text.slice(first, to + uuidLength).matchAll(uuid)].map(({ index }) => first + index);
  return starts.find((start) => start <= from && to <= start + uuidLength);
}
