/** How many marks may stand between two characters of a text in groups. */
const mostMarks = 4;
/**
 * What groups of characters are written apart with: these of ASCII, and all blanks, dashes and points beyond it. Marks
 * that hold a document or an escape together, such as braces and semicolons, are not.
 */
const asciiMarks = " \t\r\n-._:/|+*~,='`()[]$!?@^";
const furtherMarks = /^[\p{Z}\p{Pd}\p{Po}]$/u;
/** By character: 1 a mark, 2 none, 0 not looked at yet. */
const marks = new Uint8Array(0x10000);

function isMark(code: number): boolean {
  if (marks[code] === 0) {
    const text = String.fromCharCode(code);
    marks[code] = (code < 128 ? asciiMarks.includes(text) : furtherMarks.test(text)) ? 1 : 2;
  }
  return marks[code] === 1;
}

/**
 * The text without the marks between groups, as in `3f9a-77c1 0be4`; null if it has none. Of more marks in a row than
 * may stand there, the last ones stay.
 */
export function withoutMarks(source: Uint16Array, room: () => Uint16Array): Uint16Array | null {
  const codes = room();
  let [length, inRow] = [0, 0];
  for (let place = 0; place < source.length; place += 1) {
    const code = source[place] ?? 0;
    inRow = isMark(code) ? inRow + 1 : 0;
    if (inRow === 0 || inRow > mostMarks) {
      codes[length] = code;
      length += 1;
    }
  }
  return length === source.length ? null : codes.subarray(0, length);
}

/** The place in the source of each character in the result of `withoutMarks`. */
export function placesOfUnmarked(source: Uint16Array): Uint32Array {
  const places = new Uint32Array(source.length);
  let [length, inRow] = [0, 0];
  for (let place = 0; place < source.length; place += 1) {
    inRow = isMark(source[place] ?? 0) ? inRow + 1 : 0;
    if (inRow === 0 || inRow > mostMarks) {
      places[length] = place;
      length += 1;
    }
  }
  return places;
}

/** A secret as it is found among groups, whose marks are left out: base64 itself has some. */
export const unmarked = (secret: string): string => [...secret].filter((one) => !isMark(one.charCodeAt(0))).join('');
