import type { Failure } from '../common/transport-failure.ts';
import type { Api } from '../contract/clause.ts';

/** Header lines in the order and case in which they crossed the wire. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** Why a call was made: which every-response clauses may count it. */
export type Purpose =
  /** A documented, well-formed request. */
  | 'documented'
  /** A documented call that must be refused: no key, wrong scope, missing field. */
  | 'refusal'
  /** Outside the documents: unknown path, broken body, undocumented value. */
  | 'off-document';

/** One request and what came of it, as evidence: redacted when it was recorded. */
export interface Exchange {
  /** Order of sending, from 1: of its API's calls while a run goes on; in a Run its place in exchanges.har, 0 where it has none. */
  readonly number: number;
  readonly api: Api;
  readonly purpose: Purpose;
  /** The documented endpoint that was called (`GET /v1/agents/:id`), or null. */
  readonly endpoint: string | null;
  /** The setting or description of the key that was sent, or null. */
  readonly keyLabel: string | null;
  /** Whether the key was one that the deployment had issued and not deleted. */
  readonly keyValid: boolean;
  /** The scopes of a key that the run made; absent for other keys. */
  readonly keyScopes?: readonly string[];
  /** The clause whose check made the call; absent where it was made for the run as a whole. */
  readonly clause?: string;
  readonly request: {
    readonly method: string;
    /** Absolute, with a key in the query shortened. */
    readonly url: string;
    readonly headers: HeaderLines;
    readonly body: string | null;
  };
  /** null where the transport failed; `failure` then says how. */
  readonly response: RecordedResponse | null;
  readonly failure: Failure | null;
  /** Epoch milliseconds on the run's clock. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** Shell lines that repeat the request as they stand; a key stands in them as the name of its setting. */
  readonly curl: string;
  /** What is left of it where the run had too much to keep: the outline of its bodies, or its status alone. */
  readonly condensed?: 'outline' | 'bare';
}

export interface RecordedResponse {
  readonly status: number;
  readonly headers: HeaderLines;
  readonly text: string;
  /** The parsed body; undefined where it is not JSON. */
  readonly json: unknown;
}

/** An exchange with other values. Its curl lines are made when a finding asks for them, and not for a copy. */
export const exchangeWith = (exchange: Exchange, changes: Partial<Exchange>): Exchange =>
  Object.defineProperties({} as Exchange, {
    ...Object.getOwnPropertyDescriptors(exchange),
    ...Object.getOwnPropertyDescriptors(changes),
  });

/** The value of a header, whatever its case; several lines joined by comma; null where there is none. */
export function headerOf(headers: HeaderLines, name: string): string | null {
  const wanted = name.toLowerCase();
  const lines = headers.filter(([key]) => key.length === wanted.length && key.toLowerCase() === wanted);
  return lines.length === 0 ? null : lines.map(([, value]) => value).join(', ');
}
