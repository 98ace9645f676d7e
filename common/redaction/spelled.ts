/** Fewer characters are no part of a secret. */
const leastSpelled = 8;

/** By character: 1 for letters and digits of ASCII, `_` and `-`, of which keys are made. */
const words = Uint8Array.from({ length: 128 }, (_, code) => Number(/[\w-]/.test(String.fromCharCode(code))));
const isWord = (code = 0): boolean => code < 128 && words[code] === 1;

/** Characters that stand apart in a text, and the place of each. */
interface Spelled {
  readonly codes: Uint16Array;
  readonly places: Uint32Array;
}

/**
 * The characters that stand one by one, as in `["a","b","c"]` or `a, b, c`, with a zero wherever longer words are
 * between two of them; null if there are too few to be part of a secret.
 */
export function spelledIn(source: Uint16Array, room: () => Uint16Array): Spelled | null {
  let count = 0;
  for (let place = 0; place < source.length; place += 1) {
    count += Number(standsApart(source, place));
  }
  if (count < leastSpelled) {
    return null;
  }
  const [codes, places] = [room(), new Uint32Array(2 * count + 1)];
  let length = 0;
  for (let place = 0; place < source.length; place += 1) {
    const isApart = standsApart(source, place);
    if (isApart || (isWord(source[place]) && codes[length - 1] !== 0)) {
      codes[length] = isApart ? (source[place] ?? 0) : 0;
      places[length] = place;
      length += 1;
    }
  }
  return { codes: codes.subarray(0, length), places };
}

const standsApart = (source: Uint16Array, place: number): boolean =>
  isWord(source[place]) && !isWord(source[place - 1]) && !isWord(source[place + 1]);
