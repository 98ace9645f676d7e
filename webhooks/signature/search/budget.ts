import type { Key } from '../read/keys.ts';

/** Counts what a search computes, and ends it at a bound. */
export interface Budget {
  readonly hmacs: number;
  readonly contents: number;
  readonly spent: boolean;
  /** HMAC-SHA256 in hex of the pieces in order, or undefined once the budget is spent. */
  hmac(key: Key, pieces: readonly (Buffer | string)[]): string | undefined;
  content(): void;
  /** Ends the search where it has come to so much in all, what was computed before included. */
  cap(maxHmacs: number, maxBytes: number): void;
  /** Ends the search after this many more bytes: enough for the rest of a stage that has found something. */
  tighten(bytes: number): void;
}

/** What an HMAC costs beside its content, in bytes of it. */
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
