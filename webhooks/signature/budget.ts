import type { KeyObject } from 'node:crypto';
import { createHmac } from 'node:crypto';

/** Counts what a search computes, and ends it at a bound. */
export interface Budget {
  readonly hmacs: number;
  readonly contents: number;
  readonly spent: boolean;
  /** HMAC-SHA256 in hex of the pieces in order, or undefined once the budget is spent. */
  hmac(key: KeyObject, pieces: readonly (Buffer | string)[], bytes: number): string | undefined;
  content(): void;
  /** Ends the search after some more bytes: the rest of a stage that has found something already. */
  tighten(bytes: number): void;
}

export function createBudget(maxHmacs: number, maxBytes: number): Budget {
  const state = { hmacs: 0, contents: 0, bytes: 0, limit: maxBytes, spent: false };
  return {
    get hmacs() {
      return state.hmacs;
    },
    get contents() {
      return state.contents;
    },
    get spent() {
      return state.spent;
    },
    hmac(key, pieces, bytes) {
      if (state.hmacs >= maxHmacs || state.bytes > state.limit) {
        state.spent = true;
      }
      if (state.spent) {
        return undefined;
      }
      state.hmacs += 1;
      state.bytes += bytes + 128;
      const hmac = createHmac('sha256', key);
      for (const piece of pieces) {
        hmac.update(piece);
      }
      return hmac.digest('hex');
    },
    content() {
      state.contents += 1;
    },
    tighten(bytes) {
      state.limit = Math.min(state.limit, state.bytes + bytes);
    },
  };
}
