/** A way to write bytes as letters and digits, each of which stands for the same number of bits. */
export interface Coding {
  readonly bits: number;
  /** The value of each ASCII character, or -1. */
  readonly values: Int8Array;
  /** Bytes may begin at so many different symbols before the pattern repeats. */
  readonly alignments: number;
  /** Eight bytes, which are a run of a secret, take so many symbols. */
  readonly leastSymbols: number;
}

/** The alphabets are alternatives of the same coding: a symbol stands for its place in any of them. */
function coding(bits: number, ...alphabets: readonly string[]): Coding {
  const values = Int8Array.from({ length: 128 }, (_, code) =>
    Math.max(...alphabets.map((alphabet) => alphabet.indexOf(String.fromCharCode(code)))),
  );
  return { bits, values, alignments: alignmentsOf(bits), leastSymbols: Math.ceil(64 / bits) };
}

function alignmentsOf(bits: number): number {
  let alignments = 1;
  while ((alignments * bits) % 8 !== 0) {
    alignments += 1;
  }
  return alignments;
}

const [digits, capitals, letters] = ['0123456789', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'];
const inEitherCase = (bits: number, alphabet: string): Coding => coding(bits, alphabet, alphabet.toLowerCase());

/** Base64 and base64url. All symbols of the other codings are symbols of this one too. */
export const base64 = coding(6, `${capitals}${letters}${digits}+/`, `${capitals}${letters}${digits}-_`);

/** Hexadecimal digits, and base32 in the two alphabets of RFC 4648. */
export const narrowCodings: readonly Coding[] = [
  inEitherCase(4, `${digits}ABCDEF`),
  inEitherCase(5, `${capitals}234567`),
  inEitherCase(5, `${digits}ABCDEFGHIJKLMNOPQRSTUV`),
];
