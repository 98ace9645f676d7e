import { hexDigit, isPrintable } from './characters.ts';
import type { RoomFor, VisitDecoded } from './decoded.ts';

/**
 * Fewer decoded characters than a secret's run are not searched; so many symbols of base64, or digits, stand for a run.
 */
const [leastDecoded, leastSymbols, leastDigits] = [8, 11, 16];

/** The value of each symbol of base64 in both alphabets, or -1. */
const sextets = Int8Array.from({ length: 128 }, (_, code) => {
  const at = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(String.fromCharCode(code));
  return code === 0x2d ? 62 : code === 0x5f ? 63 : at;
});
const sextetOf = (code: number): number => (code < 128 ? (sextets[code] ?? -1) : -1);

/**
 * 1 for the bytes that text is made of, with the zeros of UTF-16. Symbols read at a wrong alignment soon give another
 * byte.
 */
const textBytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(isPrintable(byte) || [0, 9, 10, 13].includes(byte)),
);
const isLineBreak = (code: number): boolean => code === 0x0a || code === 0x0d;
const [other, symbol, lineBreak] = [0, 1, 2];
const kinds = sextets.map((sextet, code) => {
  if (sextet >= 0) {
    return symbol;
  }
  return isLineBreak(code) ? lineBreak : other;
});
const kindOf = (code: number): number => (code < 128 ? (kinds[code] ?? other) : other);

/** A range of symbols without a gap. */
interface Run {
  readonly symbols: Uint16Array;
  readonly from: number;
  readonly to: number;
  /** The place of each symbol in the source, if line breaks were taken out; else the two are the same. */
  readonly places?: Uint32Array;
  readonly roomFor: RoomFor;
}

/**
 * Visits every stretch of text that base64 or hexadecimal digits in the source stand for, at every alignment, forwards
 * and backwards. Symbols that are broken into lines are read as one run.
 */
export function decodeRuns(source: Uint16Array, visit: VisitDecoded, roomFor: RoomFor): void {
  const { length } = source;
  let at = 0;
  while (at < length) {
    if (kindOf(source[at] ?? 0) !== symbol) {
      at += 1;
      continue;
    }
    const from = at;
    let to = from;
    let hasBreaks = false;
    for (let kind = symbol; kind !== other; kind = at < length ? kindOf(source[at] ?? 0) : other) {
      at += 1;
      if (kind === symbol) {
        hasBreaks ||= to < at - 1;
        to = at;
      }
    }
    if (to - from >= leastSymbols) {
      const run = hasBreaks ? withoutBreaks(source, from, to, roomFor) : { symbols: source, from, to, roomFor };
      for (let offset = 0; offset < 4; offset += 1) {
        visitStretches(run, { isHex: false, offset }, visit);
      }
      visitDigits(run, visit);
    }
  }
}

function withoutBreaks(source: Uint16Array, from: number, to: number, roomFor: RoomFor): Run {
  const [places, symbols] = [new Uint32Array(to - from), new Uint16Array(to - from)];
  let length = 0;
  for (let place = from; place < to; place += 1) {
    const code = source[place] ?? 0;
    if (!isLineBreak(code)) {
      places[length] = place;
      symbols[length] = code;
      length += 1;
    }
  }
  return { symbols, from: 0, to: length, places, roomFor };
}

function visitDigits(run: Run, visit: VisitDecoded): void {
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

/** How symbols are read as bytes: in hexadecimal or base64, and from which of the first symbols on. */
interface Alignment {
  readonly isHex: boolean;
  readonly offset: number;
}

/** A byte is made of two neighbouring symbols: the index of the first. */
const symbolOf = (index: number, isHex: boolean): number => (isHex ? 2 * index : 4 * ((index / 3) | 0) + (index % 3));

/** The byte with that index, counted from the symbol `first` on, forwards (`step` 1) or backwards (-1). */
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

/** Any `leastDecoded` bytes of text in a row include one at a multiple of this, with another one before it. */
const stride = leastDecoded - 1;

/**
 * Visits the stretches of text at one alignment. Only every seventh byte and its neighbour are decoded until both are
 * text.
 */
function visitStretches(run: Run, { isHex, offset }: Alignment, visit: VisitDecoded): void {
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

/** The bytes of a run at one alignment and in one direction. */
interface Reading {
  readonly isHex: boolean;
  readonly first: number;
  readonly step: number;
  readonly length: number;
}

/** Visits the stretch of text around a byte, unless it is too short, and returns its end. */
function visitStretch(run: Run, { isHex, first, step, length }: Reading, index: number, visit: VisitDecoded): number {
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
    visit(codes, (decodedFrom, decodedTo) => {
      const firstSymbol = first + step * symbolOf(start + decodedFrom, isHex);
      const lastSymbol = first + step * (symbolOf(start + decodedTo - 1, isHex) + 1);
      const [low, high] = [Math.min(firstSymbol, lastSymbol), Math.max(firstSymbol, lastSymbol)];
      return [places?.[low] ?? low, (places?.[high] ?? high) + 1];
    });
  }
  return to;
}
