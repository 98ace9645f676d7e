import { encoded } from '../../common/uri.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { Purpose } from '../../results/exchange.ts';
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
  /** Default: the API's usual one. */
  readonly mode?: KeyMode;
  /** A second key in the query, to find out which one wins. */
  readonly queryKey?: ApiKey;
  /** Default: documented. */
  readonly purpose?: Purpose;
  /** Header lines added to, or (with an empty value) taken from, those the client sets. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Makes something that a later call with `deletes` takes away: a request is kept for that one. */
  readonly creates?: boolean;
  readonly deletes?: boolean;
  /** Makes something live, whatever the key: needs WRITES=all. */
  readonly makesLive?: boolean;
  /** A 429 is an answer like others: it is not waited out. */
  readonly takes429?: boolean;
  /** Statuses of a new or deleted key's old state: tried again for KEY_SETTLE_MS. Default: 401 for a key that the run made. */
  readonly unsettled?: (status: number) => boolean;
}

/** What a call of a documented endpoint may say besides: `id` stands in its path. */
export type CallDetails = Partial<Omit<Call, 'method' | 'path' | 'endpoint' | 'key'>> & { readonly id?: string };

/** The call of a documented endpoint: its path with the id put in. */
export function callOf(endpoint: Endpoint, key: ApiKey | null, { id, ...details }: CallDetails = {}): Call {
  const path = endpoint.path.replace(':id', encoded(id ?? ':id'));
  return { method: endpoint.method, path, endpoint, key, ...details };
}
