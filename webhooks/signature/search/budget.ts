import type { Key } from '../read/keys.ts';

/** Counts what a search computes, and ends it at a bound. */
export interface Budget {
  /** How many HMACs were computed, and over how many contents. */
  readonly hmacs: number;
  readonly contents: number;
  readonly spent: boolean;
  /** The HMAC-SHA256 of the pieces in order, in hex; undefined if the budget is spent. */
  hmac(key: Key, pieces: readonly (Buffer | string)[]): string | undefined;
  /** Counts a content. */
  content(): void;
  /** Lowers the bounds for the whole search, including what was computed before. */
  cap(maxHmacs: number, maxBytes: number): void;
  /** Ends the search after this many more bytes: enough for the rest of a stage that has found something. */
  tighten(bytes: number): void;
}

/** An HMAC costs as much as this many more bytes of content. */
const overhead = 128;

export function createBudget(maxHmacs: number, maxBytes: number): Budget {
  let [hmacs, contents, bytes, most, limit, spent] = [0, 0, 0, maxHmacs, maxBytes, false];
  return {
    get hmacs() {
      return hmacs;
    },
    get contents() {
      return contents;
    },
    get spent() {
      return spent;
    },
    hmac(key, pieces) {
      spent ||= hmacs >= most || bytes > limit;
      if (spent) {
        return undefined;
      }
      hmacs += 1;
      bytes += pieces.reduce((sum, piece) => sum + piece.length, overhead);
      return key.hmac(pieces);
    },
    content() {
      contents += 1;
    },
    cap(fewerHmacs, fewerBytes) {
      [most, limit] = [Math.min(most, fewerHmacs), Math.min(limit, fewerBytes)];
    },
    tighten(more) {
      limit = Math.min(limit, bytes + more);
    },
  };
}
