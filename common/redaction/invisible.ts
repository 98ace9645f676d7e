const [tab, lineFeed, carriageReturn, blank, deletion] = [0x09, 0x0a, 0x0d, 0x20, 0x7f] as const;

/** Letters, signs and blanks: nearly every text is made of them alone. */
const isPlain = (code: number): boolean =>
  (code >= blank && code < deletion) || code === tab || code === lineFeed || code === carriageReturn;
/** Controls, invisible formats and marks that stand on the character before them: what is left reads as if they were not there. */
const invisible = /^[\p{Cc}\p{Cf}\p{Mn}]$/u;
const known = new Uint8Array(0x10000);
const [unknown, shown, hidden] = [0, 1, 2];

function isInvisible(code: number): boolean {
  if (known[code] === unknown) {
    known[code] = !isPlain(code) && invisible.test(String.fromCharCode(code)) ? hidden : shown;
  }
  return known[code] === hidden;
}

/** What is left of a text, and where each character of it stood. */
interface Visible {
  readonly codes: Uint16Array;
  readonly places: Uint32Array;
}

/**
 * The text without what does not show in it: zeros, as UTF-16 has them between letters, soft hyphens and the like. null
 * where there is nothing to leave out.
 */
export function withoutInvisible(source: Uint16Array, room: () => Uint16Array): Visible | null {
  const first = source.findIndex(isInvisible);
  if (first < 0) {
    return null;
  }
  const [codes, places] = [room(), new Uint32Array(source.length)];
  let length = 0;
  for (let place = 0; place < source.length; place += 1) {
    const code = source[place] ?? 0;
    if (!isInvisible(code)) {
      codes[length] = code;
      places[length] = place;
      length += 1;
    }
  }
  return { codes: codes.subarray(0, length), places };
}
