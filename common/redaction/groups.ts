const letterOrDigit = /^[\p{L}\p{N}]$/u;
/** By character: 1 a mark, 2 none, 0 not looked at yet. */
const marks = new Uint8Array(0x10000);

/** Whether a character is neither a letter nor a digit, so that it may stand between the pieces of a text. */
export function isMark(code: number): boolean {
  if (marks[code] === 0) {
    marks[code] = letterOrDigit.test(String.fromCharCode(code)) ? 2 : 1;
  }
  return marks[code] === 1;
}

/**
 * The text without its marks, so that groups, pieces and single characters stand together: `3f9a-77c1 0be4`,
 * `"3f9a" + "77c1"`, `["3","f","9","a"]`; null if it has none.
 */
export function withoutMarks(source: Uint16Array, room: () => Uint16Array): Uint16Array | null {
  const codes = room();
  let length = 0;
  for (let place = 0; place < source.length; place += 1) {
    const code = source[place] ?? 0;
    if (!isMark(code)) {
      codes[length] = code;
      length += 1;
    }
  }
  return length === source.length ? null : codes.subarray(0, length);
}

/** The place in the source of each character in the result of `withoutMarks`. */
export function placesOfUnmarked(source: Uint16Array): Uint32Array {
  const places = new Uint32Array(source.length);
  let length = 0;
  for (let place = 0; place < source.length; place += 1) {
    if (!isMark(source[place] ?? 0)) {
      places[length] = place;
      length += 1;
    }
  }
  return places;
}

/** A secret as it is found among groups, whose marks are left out: base64 itself has some. */
export const unmarked = (secret: string): string => [...secret].filter((one) => !isMark(one.charCodeAt(0))).join('');
