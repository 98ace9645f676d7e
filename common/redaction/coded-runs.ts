import { isPrintable } from './characters.ts';
import { base64, type Coding, narrowCodings } from './codings.ts';
import type { RoomFor, VisitDecoded } from './decoded.ts';
import { runLength } from './public-words.ts';

/**
 * 1 for the bytes that text is made of, with the zeros of UTF-16. Symbols read at a wrong alignment soon give another
 * byte.
 */
const textBytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(isPrintable(byte) || [0, 9, 10, 13].includes(byte)),
);
const isLineBreak = (code: number): boolean => code === 0x0a || code === 0x0d;
const [other, symbol, lineBreak] = [0, 1, 2];
const kinds = base64.values.map((value, code) => {
  if (value >= 0) {
    return symbol;
  }
  return isLineBreak(code) ? lineBreak : other;
});
const kindOf = (code: number): number => (code < 128 ? (kinds[code] ?? other) : other);
const isSymbol = (code: number, { values }: Coding): boolean => code < 128 && (values[code] ?? -1) >= 0;

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
 * Visits every stretch of text that the symbols of a coding stand for: base64, base32 or hexadecimal digits, at
 * every alignment, forwards and backwards. Symbols that are broken into lines are read as one run.
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
    if (to - from >= base64.leastSymbols) {
      const run = hasBreaks ? withoutBreaks(source, from, to, roomFor) : { symbols: source, from, to, roomFor };
      visitAlignments(run, base64, visit);
      visitNarrower(run, visit);
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

/** Visits the parts of a run of base64 that are runs of a coding with fewer symbols. */
function visitNarrower(run: Run, visit: VisitDecoded): void {
  for (const coding of narrowCodings) {
    for (let from = run.from; from + coding.leastSymbols <= run.to; from += 1) {
      let to = from;
      while (to < run.to && isSymbol(run.symbols[to] ?? 0, coding)) {
        to += 1;
      }
      if (to - from >= coding.leastSymbols) {
        visitAlignments({ ...run, from, to }, coding, visit);
      }
      from = to;
    }
  }
}

function visitAlignments(run: Run, coding: Coding, visit: VisitDecoded): void {
  for (let offset = 0; offset < coding.alignments; offset += 1) {
    visitStretches(run, coding, { first: run.from + offset, step: 1, offset }, visit);
    visitStretches(run, coding, { first: run.to - 1 - offset, step: -1, offset }, visit);
  }
}

/** The symbol from which a run is read, and the direction: forwards (1) or backwards (-1). */
interface Reading {
  readonly first: number;
  readonly step: 1 | -1;
  readonly offset: number;
}

/** The byte with that index. */
function byteAt(symbols: Uint16Array, { bits, values }: Coding, { first, step }: Reading, index: number): number {
  const symbolIndex = ((8 * index) / bits) | 0;
  let at = first + step * symbolIndex;
  let value = 0;
  let known = symbolIndex * bits - 8 * index;
  for (; known < 8; known += bits) {
    value = (value << bits) | (values[symbols[at] ?? 0] ?? 0);
    at += step;
  }
  return (value >> (known - 8)) & 0xff;
}

/** Any `runLength` bytes of text in a row include one at a multiple of this, with another one before it. */
const stride = runLength - 1;

/**
 * Visits the stretches of text at one alignment. Only every seventh byte and its neighbour are decoded until both are
 * text.
 */
function visitStretches(run: Run, coding: Coding, reading: Reading, visit: VisitDecoded): void {
  const { symbols } = run;
  const length = ((run.to - run.from - reading.offset) * coding.bits) >> 3;
  for (let i = stride; i < length; i += stride) {
    if (
      textBytes[byteAt(symbols, coding, reading, i)] === 1 &&
      textBytes[byteAt(symbols, coding, reading, i - 1)] === 1
    ) {
      const to = visitStretch(run, coding, { ...reading, length }, i, visit);
      i = to - (to % stride);
    }
  }
}

/** Visits the stretch of text around a byte, unless it is too short, and returns its end. */
function visitStretch(
  { symbols, places, roomFor }: Run,
  coding: Coding,
  reading: Reading & { readonly length: number },
  index: number,
  visit: VisitDecoded,
): number {
  const byte = (at: number): number => byteAt(symbols, coding, reading, at);
  let [from, to] = [index - 1, index + 1];
  while (from > 0 && textBytes[byte(from - 1)] === 1) {
    from -= 1;
  }
  while (to < reading.length && textBytes[byte(to)] === 1) {
    to += 1;
  }
  if (to - from >= runLength) {
    const codes = roomFor(to - from);
    for (let i = 0; i < codes.length; i += 1) {
      codes[i] = byte(from + i);
    }
    const start = from;
    const { first, step } = reading;
    visit(codes, (decodedFrom, decodedTo) => {
      const firstSymbol = first + step * Math.floor((8 * (start + decodedFrom)) / coding.bits);
      const lastSymbol = first + step * (Math.ceil((8 * (start + decodedTo)) / coding.bits) - 1);
      const [low, high] = [Math.min(firstSymbol, lastSymbol), Math.max(firstSymbol, lastSymbol)];
      return [places?.[low] ?? low, (places?.[high] ?? high) + 1];
    });
  }
  return to;
}
