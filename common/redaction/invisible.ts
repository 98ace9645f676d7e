const [tab, lineFeed, carriageReturn, blank, deletion] = [0x09, 0x0a, 0x0d, 0x20, 0x7f] as const;

/** Printable ASCII and blanks; most texts have nothing else. */
const isPlain = (code: number): boolean =>
  (code >= blank && code < deletion) || code === tab || code === lineFeed || code === carriageReturn;
/**
 * Controls, format characters, fillers, the blank of Braille, and marks that combine with the character before them:
 * people read the text as if without them.
 */
const invisible = /^[\p{Cc}\p{Cf}\p{Mn}\p{Default_Ignorable_Code_Point}\u2800]$/u;
/** What `readingOf` has found out, for every character: the character that people read, or one of these. */
const known = new Uint8Array(0x10000);
const [unknown, isShown, isHidden] = [0, 1, 2];
/** Letters of mathematics, those in squares, and tags: the only variants of ASCII beyond the first plane. */
const highSurrogates: readonly number[] = [0xd835, 0xd83c, 0xdb40];
/** Tags are invisible, and programs read them as the characters of ASCII so far below. */
const tags = 0xe0000;
const knownPairs = new Uint8Array(highSurrogates.length * 0x400);

const isPrintable = (code: number): boolean => code > blank && code < deletion;

/** The ASCII character that people read, such as the `a` of a full-width `ａ`; or that the text is shown, or hidden. */
function readAs(text: string): number {
  const plain = text.normalize('NFKC');
  const [tagged, code] = [(text.codePointAt(0) ?? 0) - tags, plain.length === 1 ? plain.charCodeAt(0) : 0];
  if (isPrintable(tagged)) {
    return tagged;
  }
  return invisible.test(text) ? isHidden : isPrintable(code) ? code : isShown;
}

function readingOf(code: number): number {
  if (known[code] === unknown) {
    known[code] = isPlain(code) ? isShown : readAs(String.fromCharCode(code));
  }
  return known[code] ?? isShown;
}

/** The same for a pair of surrogates; `isShown` for anything else. */
function readingOfPair(high: number, low: number): number {
  const table = highSurrogates.indexOf(high);
  if (table < 0 || low < 0xdc00 || low > 0xdfff) {
    return isShown;
  }
  const at = table * 0x400 + low - 0xdc00;
  if (knownPairs[at] === unknown) {
    knownPairs[at] = readAs(String.fromCharCode(high, low));
  }
  return knownPairs[at] ?? isShown;
}

/** Whether people read the text as it is. Most texts are plain, so this is quick for those. */
function isAsShown(source: Uint16Array): boolean {
  for (let at = 0; at < source.length; at += 1) {
    const code = source[at] ?? 0;
    const isSame =
      isPlain(code) || (readingOf(code) === isShown && readingOfPair(code, source[at + 1] ?? 0) === isShown);
    if (!isSame) {
      return false;
    }
  }
  return true;
}

/** A text as people read it. */
interface Visible {
  readonly codes: Uint16Array;
  /** The start and end in the source of the characters from one place to another. */
  readonly placeOf: (from: number, to: number) => readonly [number, number];
}

/**
 * The text without invisible characters, such as soft hyphens and the zeros of UTF-16, and with the letters of ASCII for
 * their variants, such as full-width ones; null if it has none of these.
 */
export function asRead(source: Uint16Array, room: () => Uint16Array): Visible | null {
  if (isAsShown(source)) {
    return null;
  }
  const [codes, places] = [room(), new Uint32Array(source.length)];
  let length = 0;
  for (let place = 0; place < source.length; place += 1) {
    const code = source[place] ?? 0;
    const pair = isPlain(code) ? isShown : readingOfPair(code, source[place + 1] ?? 0);
    const reading = pair === isShown ? readingOf(code) : pair;
    if (reading !== isHidden) {
      codes[length] = reading === isShown ? code : reading;
      places[length] = place;
      length += 1;
    }
    place += pair === isShown ? 0 : 1;
  }
  const endOf = (at: number): number => at + (highSurrogates.includes(source[at] ?? 0) ? 2 : 1);
  return {
    codes: codes.subarray(0, length),
    placeOf: (from, to) => [places[from] ?? 0, endOf(places[to - 1] ?? 0)],
  };
}
