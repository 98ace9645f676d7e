import { backslash, percent } from './characters.ts';
import { ampersand } from './escapes.ts';
import { runLength } from './public-words.ts';
import type { Range } from './ranges.ts';

const blank = 0x20;

/**
 * The parts of a text that hold the first character of an escape. A part is a word, since no escape includes a blank;
 * it is the whole text if `haveBlanks`, when a secret that is searched for includes one.
 */
export function* escapedParts(source: Uint16Array, haveBlanks: boolean): Generator<Range> {
  const nextEscape = escapesIn(source);
  for (let at = nextEscape(0); at < source.length; ) {
    const [from, to] = haveBlanks ? [0, source.length] : wordAround(source, at);
    if (to - from >= runLength) {
      yield [from, to];
    }
    at = nextEscape(to);
  }
}

/**
 * Returns a function that finds where the next escape may begin; the text's length if none does. Ask for places in
 * rising order.
 */
function escapesIn(source: Uint16Array): (from: number) => number {
  const placeFrom = (code: number, from: number): number => {
    const place = source.indexOf(code, from);
    return place < 0 ? source.length : place;
  };
  // Each character is searched again only when its last place is passed: a text with many of one and none of another is
  // read once.
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
