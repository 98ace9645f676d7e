import type { Endpoint } from '../../contract/endpoint.ts';
import type { Exchange, Purpose } from '../../results/exchange.ts';
import type { ApiKey, KeyMode } from './key.ts';

/** What a check asks the client to send. */
export interface Call {
  readonly method: string;
  /** Path below the target's origin, `:id` already replaced. */
  readonly path: string;
  /** The documented endpoint it is a call of; absent for a probe of something else. */
  readonly endpoint?: Endpoint;
  readonly query?: Readonly<Record<string, string | number>>;
  /** Sent as JSON; a string is sent as it is (for broken bodies). */
  readonly body?: unknown;
  /** null: without a key. */
  readonly key: ApiKey | null;
  /** Default: the API's recommended one. */
  readonly mode?: KeyMode;
  /** A second key in the query, to find out which one wins. */
  readonly queryKey?: ApiKey;
  /** Default: documented. */
  readonly purpose?: Purpose;
  /** Header lines added to, or (with an empty value) taken from, those the client sets. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Strings in the answer that are secrets: found and learnt before the exchange is recorded. */
  readonly secretsIn?: (json: unknown) => readonly string[];
  /** Makes something that a later call with `deletes` takes away: a request is put aside for that one. */
  readonly creates?: boolean;
  readonly deletes?: boolean;
  /** Statuses of a new or deleted key's old state: tried again for KEY_SETTLE_MS. Default: 401 for a key that the run made. */
  readonly unsettled?: (status: number) => boolean;
}

/** What came of a call. The body is as it came, secrets and all; `exchange` is what the evidence keeps. */
export interface Answer {
  readonly exchange: Exchange;
  /** 0 where the transport failed. */
  readonly status: number;
  readonly text: string;
  /** undefined where the body is not JSON. */
  readonly json: unknown;
  header(name: string): string | null;
}

/** The call of a documented endpoint: its path with the id put in. */
export function callOf(endpoint: Endpoint, key: ApiKey | null, rest: Partial<Call> & { id?: string } = {}): Call {
  const { id, ...more } = rest;
  return {
    method: endpoint.method,
    path: endpoint.path.replace(':id', encodeURIComponent(id ?? ':id')),
    endpoint,
    key,
    ...more,
  };
}
