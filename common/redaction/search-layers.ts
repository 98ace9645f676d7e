import { readByteLists } from './byte-lists.ts';
import type { VisitDecoded } from './decoded.ts';
import { decodeRuns } from './encodings.ts';
import { escapedParts } from './escaped-parts.ts';
import { placesOfEscaped, undoEscapes } from './escapes.ts';
import { placesOfUnmarked, withoutMarks } from './groups.ts';
import { asRead } from './invisible.ts';
import { readNumbers } from './numbers.ts';
import type { Patterns } from './patterns.ts';
import type { Report } from './ranges.ts';

/** How many encodings within each other are undone. */
const deepest = 6;
/** Buffers are at least so long, so that they are seldom replaced by longer ones. */
const shortestBuffer = 4_096;

/**
 * Gives a buffer for the characters of one kind of layer at one depth. The same buffers serve all texts: V8 is slow to
 * free what was allocated outside of its heap.
 */
export type Scratch = (
  kind: 'source' | 'plain' | 'reversed' | 'decoded' | 'visible' | 'listed' | 'unmarked',
  depth: number,
  length: number,
) => Uint16Array<ArrayBuffer>;

export function createScratch(): Scratch {
  const buffers = new Map<string, Uint16Array<ArrayBuffer>>();
  return (kind, depth, length) => {
    const known = buffers.get(kind + depth);
    const buffer =
      known === undefined || known.length < length ? new Uint16Array(Math.max(length, shortestBuffer)) : known;
    buffers.set(kind + depth, buffer);
    return buffer.subarray(0, length);
  };
}

interface Search {
  readonly patterns: Patterns;
  readonly scratch: Scratch;
  /** How many characters may be searched, those of decoded layers included. */
  readonly budget: number;
}

/**
 * Reports the places in `source` where a pattern stands, as it is or under any nesting of encodings: each layer is
 * decoded in every way, and the layers that come of it are searched in turn. Returns false if the budget did not
 * suffice.
 */
export function searchLayers(source: Uint16Array, { patterns, scratch, budget }: Search, report: Report): boolean {
  let left = budget;

  function search(layer: Uint16Array, depth: number, report: Report): void {
    left -= layer.length;
    if (left < 0) {
      return;
    }
    patterns.search(layer, report);
    if (depth > 0) {
      searchGroups(layer, depth, report);
      searchVisible(layer, depth, report);
      searchDecoded(layer, depth, report);
      for (const [start, end] of escapedParts(layer, patterns.haveBlanks)) {
        searchBothWays(layer.subarray(start, end), depth, (from, to) => report(start + from, start + to));
      }
    }
  }

  function searchGroups(layer: Uint16Array, depth: number, report: Report): void {
    const unmarked = withoutMarks(layer, () => scratch('unmarked', depth - 1, layer.length));
    if (unmarked !== null) {
      let places: Uint32Array | undefined;
      patterns.search(unmarked, (from, to) => {
        places ??= placesOfUnmarked(layer);
        report(places[from] ?? 0, (places[to - 1] ?? 0) + 1);
      });
    }
  }

  function searchVisible(layer: Uint16Array, depth: number, report: Report): void {
    const visible = asRead(layer, () => scratch('visible', depth - 1, layer.length));
    if (visible !== null) {
      search(visible.codes, depth - 1, (from, to) => report(...visible.placeOf(from, to)));
    }
  }

  function searchDecoded(layer: Uint16Array, depth: number, report: Report): void {
    const visit: VisitDecoded = (codes, placeOf) =>
      search(codes, depth - 1, (from, to) => report(...placeOf(from, to)));
    decodeRuns(layer, visit, (length) => scratch('decoded', depth - 1, length));
    const roomFor = (length: number): Uint16Array => scratch('listed', depth - 1, length);
    readByteLists(layer, visit, roomFor);
    readNumbers(layer, visit, roomFor);
  }

  function searchBothWays(part: Uint16Array, depth: number, report: Report): void {
    const { length } = part;
    searchUnescaped(part, depth, report);
    const reversed = scratch('reversed', depth, length);
    reversed.set(part);
    searchUnescaped(reversed.reverse(), depth, (from, to) => report(length - to, length - from));
  }

  function searchUnescaped(layer: Uint16Array, depth: number, report: Report): void {
    const plain = undoEscapes(layer, scratch('plain', depth - 1, layer.length), patterns.haveBlanks);
    if (plain !== null) {
      let places: Uint32Array | undefined;
      search(plain, depth - 1, (from, to) => {
        places ??= placesOfEscaped(layer);
        report(places[from] ?? 0, places[to] ?? 0);
      });
    }
  }

  search(source, deepest, report);
  return left >= 0;
}
