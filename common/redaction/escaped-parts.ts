import { backslash, percent } from './characters.ts';
import { ampersand } from './escapes.ts';
import { leastRun } from './public-words.ts';
import type { Range } from './ranges.ts';

const blank = 0x20;

/**
 * The parts of a text in which anything begins an escape, read forwards or backwards: its words, since no escape reaches over a
 * blank; all of it where `haveBlanks`, since what is searched for does.
 */
export function* escapedParts(source: Uint16Array, haveBlanks: boolean): Generator<Range> {
  const nextEscape = escapesIn(source);
  for (let at = nextEscape(0); at < source.length; ) {
    const [from, to] = haveBlanks ? [0, source.length] : wordAround(source, at);
    if (to - from >= leastRun) {
      yield [from, to];
    }
    at = nextEscape(to);
  }
}

/** Where the next escape may begin from a place on; the length where none does. Places are asked for in rising order. */
function escapesIn(source: Uint16Array): (from: number) => number {
  const placeFrom = (code: number, from: number): number => {
    const place = source.indexOf(code, from);
    return place < 0 ? source.length : place;
  };
  // Each kind is looked for anew only once its place is passed: a text with many of one and none of another is read once.
  const places = [percent, backslash, ampersand].map((code) => ({ code, place: placeFrom(code, 0) }));
  return (from) => {
    let nearest = source.length;
    for (const next of places) {
      next.place = next.place < from ? placeFrom(next.code, from) : next.place;
      nearest = Math.min(nearest, next.place);
    }
    return nearest;
  };
}

function wordAround(source: Uint16Array, at: number): Range {
  const end = source.indexOf(blank, at);
  return [source.lastIndexOf(blank, at) + 1, end < 0 ? source.length : end];
}
