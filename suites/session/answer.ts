import type { Exchange } from '../../results/exchange.ts';

declare const opaque: unique symbol;

/** JSON as it came, secrets included: for code that reads ids, cursors and secrets. It must not reach a finding. */
export interface RawJson {
  readonly [opaque]: 'may hold secrets';
}

/** The body and headers of an answer as they came, secrets included. */
export interface RawBody {
  /** undefined where the body is not JSON. */
  readonly json: RawJson | undefined;
  /** The value at `Api.payload`. */
  readonly payload: RawJson | undefined;
  /** How the list goes on, where the user says in which field; undefined: nothing is said. */
  readonly next: { readonly name: string; readonly value: unknown } | undefined;
  /** Whether the body contains the text. */
  holds(text: string): boolean;
  /** Header lines of that name, joined by comma; null where there is none. */
  header(name: string): string | null;
}

/** What a 2xx lacks where its body shows no success. */
export interface Lack {
  /** In words: `its body is not JSON`. */
  readonly what: string;
  /** The likely cause where the body is a JSON object all the same. */
  readonly cause?: string;
}

/** What came of a call, redacted: checks judge it and findings show it. */
export interface Answer {
  /** The evidence of the call. */
  readonly exchange: Exchange;
  /** 0 where no response came, or a success that could not be read, unless it should have been a refusal. */
  readonly status: number;
  /** 2xx with at least one documented mark of a success in the body: a bare `200 {}` is not accepted. */
  readonly accepted: boolean;
  /** What a 2xx lacks that is not accepted; null for any other answer. */
  readonly lack: Lack | null;
  readonly text: string;
  /** undefined where the body is not JSON. */
  readonly json: unknown;
  /** The value at `Api.payload`. */
  readonly payload: unknown;
  /** Header lines of that name, joined by comma; null where there is none. */
  header(name: string): string | null;
  /** Reads the answer as it came. The result may go into further calls, and must not reach a finding. */
  unredacted<T>(read: (body: RawBody) => T): T;
}

/** Whether a call got no answer or a 5xx. It may be an accident, which a second try does not meet. */
export const isServerFailure = ({ status }: Pick<Answer, 'status'>): boolean => status === 0 || status >= 500;

/** Whether a limiter let a call through, whatever came of it then. */
export const isNotLimited = ({ status }: Pick<Answer, 'status'>): boolean => status !== 0 && status !== 429;

/** Whether a call succeeded by its status alone. */
export const isSuccess = ({ status }: Pick<Answer, 'status'>): boolean => status >= 200 && status <= 299;
