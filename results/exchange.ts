import type { Failure } from '../common/transport-failure.ts';
import type { ApiName } from '../contract/clause.ts';

/** Header lines in the order and case in which they crossed the wire. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** What kind of call was made; some every-response clauses judge only certain kinds. */
export type Purpose =
  /** A documented, well-formed request. */
  | 'documented'
  /** A documented call that must be refused: no key, wrong scope, missing field. */
  | 'refusal'
  /** Outside the documents: unknown path, broken body, undocumented value. */
  | 'off-document';

/**
 * One request and its response, as evidence. On its way from the wire to `exchanges.har`, these change it, in order:
 * `suites/session/transport/undici-transport.ts` bounds and decompresses what came; `suites/session/evidence/recorder.ts`
 * parses it, redacts it and makes the exchange, of which `evidence.ts` beside it keeps only the status if there are too many;
 * `suites/run/api-run.ts` takes out the secrets that were learnt later; `results/conclude.ts` numbers it;
 * `reports/har.ts` writes it.
 */
export interface Exchange {
  /** During a run, the order of sending among its API's calls, from 1; in a `Run`, the place in exchanges.har. */
  readonly number: number;
  readonly api: ApiName;
  readonly purpose: Purpose;
  /** The documented endpoint that was called (`GET /v1/agents/:id`), or null. */
  readonly endpoint: string | null;
  /** The setting or description of the key that was sent, or null. */
  readonly keyLabel: string | null;
  /** Set if a key was sent in the query. */
  readonly keyInQuery?: true;
  /** Whether the deployment had issued the key and not deleted it. */
  readonly keyValid: boolean;
  /** The scopes of a key that the run made; absent for other keys. */
  readonly keyScopes?: readonly string[];
  readonly request: {
    readonly method: string;
    /** Absolute, with a key in the query shortened. */
    readonly url: string;
    readonly headers: HeaderLines;
    readonly body: string | null;
  };
  /** null if no complete answer came. */
  readonly response: RecordedResponse | null;
  /** Why no complete answer came; beside a response, why its body could not be read: it is empty then. */
  readonly failure: Failure | null;
  /** Epoch milliseconds on the run's clock. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /**
   * Makes shell lines that repeat the request, with the name of a setting in place of each key. `times`: the lines make
   * it so often and count the statuses. Absent once the run is over: findings have their own lines.
   */
  readonly curl?: (times?: number) => string;
  /** Set if the run had too much evidence to keep: only the status is left. */
  readonly isBare?: true;
}

export interface RecordedResponse {
  readonly status: number;
  readonly headers: HeaderLines;
  readonly text: string;
  /** The parsed body; undefined where it is not JSON, and in a `Run`. */
  readonly json: unknown;
}

/** The value of a header, in any case, with several lines joined by commas; null if there is none. */
export function headerOf(headers: HeaderLines, name: string): string | null {
  const wanted = name.toLowerCase();
  const lines = headers.filter(([key]) => key.length === wanted.length && key.toLowerCase() === wanted);
  return lines.length === 0 ? null : lines.map(([, value]) => value).join(', ');
}
