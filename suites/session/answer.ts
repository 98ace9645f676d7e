import type { Exchange } from '../../results/exchange.ts';

declare const opaque: unique symbol;

/** JSON as it came, secrets and all: for readers of ids, cursors and secrets. No finding takes it. */
export interface RawJson {
  readonly [opaque]: 'may hold secrets';
}

/** An answer as it came, secrets and all. */
export interface RawBody {
  /** undefined where the body is not JSON. */
  readonly json: RawJson | undefined;
  /** What stands in it where the API has the payload of a success. */
  readonly payload: RawJson | undefined;
  /** Whether the text stands in the body. */
  holds(text: string): boolean;
  /** Header lines of that name, joined by comma; null where there is none. */
  header(name: string): string | null;
}

/** What came of a call, redacted: the part of it that checks judge and findings show. */
export interface Answer {
  /** The evidence of the call. */
  readonly exchange: Exchange;
  /** 0 where no response came. */
  readonly status: number;
  /** 2xx, with at least one of the marks that the API documents for a success: a bare `200 {}` shows nothing. */
  readonly accepted: boolean;
  readonly text: string;
  /** undefined where the body is not JSON. */
  readonly json: unknown;
  /** What stands in it where the API has the payload of a success. */
  readonly payload: unknown;
  /** Header lines of that name, joined by comma; null where there is none. */
  header(name: string): string | null;
  /** Reads the answer as it came. What this gives is for further calls, and never for a finding. */
  unredacted<T>(read: (body: RawBody) => T): T;
}

/** Whether no answer came, or a 5xx: an accident, it may be, that does not come again. */
export const mayBeAccident = ({ status }: Pick<Answer, 'status'>): boolean => status === 0 || status >= 500;

/** Whether a call succeeded by its status alone. */
export const isSuccess = ({ status }: Pick<Answer, 'status'>): boolean => status >= 200 && status <= 299;
