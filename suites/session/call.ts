import { encoded } from '../../common/uri.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { Environment, KeyEnvironment } from '../../contract/scopes.ts';
import type { Exchange, Purpose } from '../../results/exchange.ts';
import type { Settings } from '../../settings/settings.ts';
import type { WireRequest } from './transport/transport.ts';

// What crosses the wire, as checks see it: a key, the call that it is sent with, and the answer.

/** The name of a setting that holds a key. */
export type KeyName = Extract<keyof Settings, `${string}_API_KEY`>;

/** A key as calls send it. */
export interface ApiKey {
  readonly secret: string;
  /** The key's name in scripts and reports, which no other key has: that of its setting, or a description. */
  readonly label: string;
  /** The setting that gives it; absent: none does. */
  readonly setting?: KeyName;
  /** Whose budget and data it opens. */
  readonly environment: KeyEnvironment;
  /** The environment that it was made for, where its prefix is another one's: which one's limits apply is open. */
  readonly madeFor?: Environment;
  /** `given` by a setting, made by the run (`own`), or `unknown` to the deployment (made up, altered, deleted). */
  readonly origin: 'given' | 'own' | 'unknown';
  /** Epoch milliseconds at which the run made or changed it; the change may take KEY_SETTLE_MS to show. */
  readonly changedAt?: number;
  /** The id of a key that the run made. */
  readonly id?: string;
  /** How the run made the key, for scripts that make one like it. */
  readonly creation?: KeyCreation;
  /** The key that a made-up one was altered from. */
  readonly derivedFrom?: ApiKey;
}

/** Whether a key opens another workspace, where the run's ids may be somebody else's. */
export const isOfOtherWorkspace = (key: ApiKey | null): boolean => key?.setting === 'WORKSPACE_OTHER_API_KEY';

/** How the run made a key, which is a record of its own (evidence/own-records.ts). */
export interface KeyCreation {
  readonly collection: string;
  readonly scopes: readonly string[];
  /** JSON pointer to the secret in the answer to the creation. */
  readonly secretAt: string;
  /** In the answer to its rotation; absent: it was not rotated. */
  readonly rotatedAt?: string;
}

/** How a key is sent. */
export type KeyMode = 'header' | 'query' | 'bearer' | 'basic' | 'cookie';

// --- Calls

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
  /** Deletes a record of the run. */
  readonly deletes?: boolean;
  /** Creates something live, whichever key is sent: needs WRITES=all. */
  readonly makesLive?: boolean;
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

// --- Answers

declare const opaque: unique symbol;

/** JSON as it came, secrets included: for code that reads ids, cursors and secrets. It must not reach a finding. */
export interface RawJson {
  readonly [opaque]: 'may hold secrets';
}

/** The body and headers of an answer as they came, secrets included. */
interface RawBody {
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
