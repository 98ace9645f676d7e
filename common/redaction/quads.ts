import { fold } from './characters.ts';

/** A text is first searched for quads, four characters in a row. */
export const quad = 4;

/** The quads of secrets. */
interface Quads {
  add(codes: Uint16Array, at: number): void;
  has(codes: Uint16Array, at: number): boolean;
}

export function createQuads(): Quads {
  const known = new Set<number>();
  /** A bit for each known quad: it alone rules out most quads of a text, so that few are looked up. */
  const filter = new Uint8Array(1 << 17);
  return {
    add(codes, at) {
      const key = quadAt(codes, at);
      const slot = slotOf(key);
      known.add(key);
      filter[slot >> 3] = (filter[slot >> 3] ?? 0) | (1 << (slot & 7));
    },
    has(codes, at) {
      const key = quadAt(codes, at);
      const slot = slotOf(key);
      return (((filter[slot >> 3] ?? 0) >> (slot & 7)) & 1) === 1 && known.has(key);
    },
  };
}

/** The last seven bits of a character, in lower case. */
const folded = Uint8Array.from({ length: 0x80 }, (_, code) => fold(code));
const bitsOf = (code: number): number => folded[code & 0x7f] ?? 0;

/** Four characters as one number of 28 bits. */
const quadAt = (codes: Uint16Array, at: number): number =>
  bitsOf(codes[at] ?? 0) |
  (bitsOf(codes[at + 1] ?? 0) << 7) |
  (bitsOf(codes[at + 2] ?? 0) << 14) |
  (bitsOf(codes[at + 3] ?? 0) << 21);

/** The bit of the filter for a quad. */
const slotOf = (key: number): number => Math.imul(key, 0x9e3779b1) >>> 12;
