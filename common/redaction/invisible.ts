const [tab, lineFeed, carriageReturn, blank, deletion] = [0x09, 0x0a, 0x0d, 0x20, 0x7f] as const;

/** Printable ASCII and blanks; most texts have nothing else. */
const isPlain = (code: number): boolean =>
  (code >= blank && code < deletion) || code === tab || code === lineFeed || code === carriageReturn;
/**
 * Controls, format characters, and marks that combine with the character before them: people read the text as if
 * without them.
 */
const invisible = /^[\p{Cc}\p{Cf}\p{Mn}]$/u;
/** What `isInvisible` has found out, for every character. */
const known = new Uint8Array(0x10000);
const [unknown, isShown, isHidden] = [0, 1, 2];

function isInvisible(code: number): boolean {
  if (known[code] === unknown) {
    known[code] = !isPlain(code) && invisible.test(String.fromCharCode(code)) ? isHidden : isShown;
  }
  return known[code] === isHidden;
}

/** A text without its invisible characters, and the place in the source of each character that is left. */
interface Visible {
  readonly codes: Uint16Array;
  readonly places: Uint32Array;
}

/** The text without invisible characters, such as soft hyphens and the zeros of UTF-16; null if it has none. */
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
