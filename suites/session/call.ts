import { encoded } from '../../common/uri.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { Purpose } from '../../results/exchange.ts';
import type { ApiKey, KeyMode } from './key.ts';
import type { WireRequest } from './transport/transport.ts';

/** What a check asks the client to send. */
export interface Call {
  readonly method: string;
  /** Path below the target's origin, `:id` already replaced. */
  readonly path: string;
  /** The documented endpoint that is called; absent for a probe of something else. */
  readonly endpoint?: Endpoint;
  readonly query?: Readonly<Record<string, string | number>>;
  /** Sent as JSON; a string is sent as it is (for broken bodies). */
  readonly body?: unknown;
  /** null: the call is sent without a key. */
  readonly key: ApiKey | null;
  /** How the key is sent. Default: `Api.usualMode`. */
  readonly mode?: KeyMode;
  /** A second key, sent in the query, to find out which one wins. */
  readonly queryKey?: ApiKey;
  /** Default: documented. */
  readonly purpose?: Purpose;
  /** Headers added to those that the client sets; an empty value removes one. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Creates something that a later call with `deletes` removes: MAX_REQUESTS keeps requests for that. */
  readonly creates?: boolean;
  readonly deletes?: boolean;
  /** Creates something live, whichever key is sent: needs WRITES=all. */
  readonly makesLive?: boolean;
  /** Gives a 429 back as the answer, instead of waiting and sending the call again. */
  readonly takes429?: boolean;
  /**
   * Whether a status shows the key as it was before its last change (made, rotated, deleted): the call is repeated then
   * until KEY_SETTLE_MS after that change. Default: 401 on a key that the run made; so is a call that gets 404 on a
   * record that the run made, unless its key opens another workspace or nothing.
   */
  readonly isOutdated?: (status: number) => boolean;
}

/** A call that got its answer, or none. What the run has done is told from all of them. */
export interface SentCall {
  /** That of its exchange. */
  readonly number: number;
  readonly call: Call;
  readonly request: WireRequest;
  /** Status of the answer; 0 where none came. */
  readonly status: number;
  readonly accepted: boolean;
  readonly sentAt: number;
  readonly receivedAt: number;
  /** Whether it had waited for its turn. */
  readonly isPaced: boolean;
}

/** The options of a call of a documented endpoint; `id` goes into its path. */
export type CallDetails = Partial<Omit<Call, 'method' | 'path' | 'endpoint' | 'key'>> & { readonly id?: string };

/** The path of a record: `/v1/agents/7`. */
export const recordPath = (collection: string, id: string): string => `${collection}/${encoded(id)}`;

/** The call of a documented endpoint with a key (null: without one). */
export function callOf(endpoint: Endpoint, key: ApiKey | null, { id, ...details }: CallDetails = {}): Call {
  const path = endpoint.path.replace(':id', encoded(id ?? ':id'));
  return { method: endpoint.method, path, endpoint, key, ...details };
}
