import { hexDigit, isPrintable } from './characters.ts';

/** Gives the place in the source of a part of decoded text. */
type PlaceOf = (from: number, to: number) => readonly [number, number];
/** Gives room for so many decoded characters, until it is asked again: there may be a hundred thousand stretches. */
type RoomFor = (length: number) => Uint16Array;
/** Called with each stretch of decoded text. */
type Visit = (codes: Uint16Array, placeOf: PlaceOf) => void;

/** Fewer decoded characters hold no secret that counts: so many symbols of base64, or digits, stand for them. */
const [leastDecoded, leastSymbols, leastDigits] = [8, 11, 16];

/** The value of each symbol of base64 in both alphabets, or -1. */
const sextets = Int8Array.from({ length: 128 }, (_, code) => {
  const at = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(String.fromCharCode(code));
  return code === 0x2d ? 62 : code === 0x5f ? 63 : at;
});
const sextetOf = (code: number): number => (code < 128 ? (sextets[code] ?? -1) : -1);

/** What text is made of, with the zeros of UTF-16: any other byte ends it, and comes soon where an alignment is wrong. */
const textBytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(isPrintable(byte) || [0, 9, 10, 13].includes(byte)),
);
const isFold = (code: number): boolean => code === 0x0a || code === 0x0d;
/** 1: a symbol; 2: where a line is folded; 0: neither. */
const kinds = sextets.map((sextet, code) => (sextet >= 0 ? 1 : isFold(code) ? 2 : 0));
const kindOf = (code: number): number => (code < 128 ? (kinds[code] ?? 0) : 0);

/** Symbols in a row, and where they stand in the source. */
interface Run {
  readonly symbols: Uint16Array;
  readonly from: number;
  readonly to: number;
  /** Where lines were unfolded: the place of each symbol in the source. */
  readonly places?: Uint32Array;
  readonly roomFor: RoomFor;
}

/**
 * Visits every stretch of text that base64 or hexadecimal digits in the source stand for, at whatever alignment, read
 * forwards or backwards. Folded lines are read as one.
 */
export function decodeRuns(source: Uint16Array, visit: Visit, roomFor: RoomFor): void {
  const { length } = source;
  let at = 0;
  while (at < length) {
    if (kindOf(source[at] ?? 0) !== 1) {
      at += 1;
      continue;
    }
    const from = at;
    let to = from;
    let isFolded = false;
    for (let kind = 1; kind > 0; kind = at < length ? kindOf(source[at] ?? 0) : 0) {
      at += 1;
      if (kind === 1) {
        isFolded ||= to < at - 1;
        to = at;
      }
    }
    if (to - from >= leastSymbols) {
      const run = isFolded ? unfolded(source, from, to, roomFor) : { symbols: source, from, to, roomFor };
      for (let offset = 0; offset < 4; offset += 1) {
        visitStretches(run, { isHex: false, offset }, visit);
      }
      visitDigits(run, visit);
    }
  }
}

function unfolded(source: Uint16Array, from: number, to: number, roomFor: RoomFor): Run {
  const [places, symbols] = [new Uint32Array(to - from), new Uint16Array(to - from)];
  let length = 0;
  for (let place = from; place < to; place += 1) {
    const code = source[place] ?? 0;
    if (!isFold(code)) {
      places[length] = place;
      symbols[length] = code;
      length += 1;
    }
  }
  return { symbols, from: 0, to: length, places, roomFor };
}

function visitDigits(run: Run, visit: Visit): void {
  for (let from = run.from; from < run.to; from += 1) {
    let to = from;
    while (to < run.to && hexDigit(run.symbols[to] ?? 0) >= 0) {
      to += 1;
    }
    if (to - from >= leastDigits) {
      visitStretches({ ...run, from, to }, { isHex: true, offset: 0 }, visit);
      visitStretches({ ...run, from, to }, { isHex: true, offset: 1 }, visit);
    }
    from = to;
  }
}

/** How symbols are read as bytes: in which encoding, and from which of them on. */
interface Alignment {
  readonly isHex: boolean;
  readonly offset: number;
}

/** The first of the two symbols that stand for a byte. */
const symbolOf = (index: number, isHex: boolean): number => (isHex ? 2 * index : 4 * ((index / 3) | 0) + (index % 3));

/** The byte with that number, read from a first symbol on, forwards (1) or backwards (-1). */
function byteAt(symbols: Uint16Array, first: number, step: number, index: number, isHex: boolean): number {
  const at = first + step * symbolOf(index, isHex);
  const high = symbols[at] ?? 0;
  const low = symbols[at + step] ?? 0;
  if (isHex) {
    return (hexDigit(high) << 4) | hexDigit(low);
  }
  const shift = 2 * (index % 3) + 2;
  return ((sextetOf(high) << shift) | (sextetOf(low) >> (6 - shift))) & 0xff;
}

/** Of `leastDecoded` bytes of text in a row one stands at a multiple of this, and the byte before it is text, too. */
const stride = leastDecoded - 1;

/**
 * Visits the stretches of text, read forwards and backwards. Read at a wrong alignment, symbols soon give a byte that is
 * none: few are looked at.
 */
function visitStretches(run: Run, { isHex, offset }: Alignment, visit: Visit): void {
  const { symbols } = run;
  const length = ((run.to - run.from - offset) * (isHex ? 4 : 6)) >> 3;
  for (let step = 1; step >= -1; step -= 2) {
    const first = step === 1 ? run.from + offset : run.to - 1 - offset;
    for (let i = stride; i < length; i += stride) {
      if (
        textBytes[byteAt(symbols, first, step, i, isHex)] === 1 &&
        textBytes[byteAt(symbols, first, step, i - 1, isHex)] === 1
      ) {
        const to = visitStretch(run, { isHex, first, step, length }, i, visit);
        i = to - (to % stride);
      }
    }
  }
}

interface Reading {
  readonly isHex: boolean;
  readonly first: number;
  readonly step: number;
  readonly length: number;
}

/** Visits the stretch of text around a byte, unless it is too short. Gives its end. */
function visitStretch(run: Run, { isHex, first, step, length }: Reading, index: number, visit: Visit): number {
  const { symbols, places, roomFor } = run;
  const byte = (at: number): number => byteAt(symbols, first, step, at, isHex);
  let [from, to] = [index - 1, index + 1];
  while (from > 0 && textBytes[byte(from - 1)] === 1) {
    from -= 1;
  }
  while (to < length && textBytes[byte(to)] === 1) {
    to += 1;
  }
  if (to - from >= leastDecoded) {
    const codes = roomFor(to - from);
    for (let i = 0; i < codes.length; i += 1) {
      codes[i] = byte(from + i);
    }
    const start = from;
    visit(codes, (f, t) => {
      const one = first + step * symbolOf(start + f, isHex);
      const other = first + step * (symbolOf(start + t - 1, isHex) + 1);
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      return [places?.[low] ?? low, (places?.[high] ?? high) + 1];
    });
  }
  return to;
}
