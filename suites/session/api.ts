import type { ApiName } from '../../contract/clause.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { HeaderLines, RecordedResponse } from '../../results/exchange.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Answer, ApiKey, Call, CallDetails, KeyMode, KeyName, Lack, RawJson } from './call.ts';

/** A setting that holds a key. */
interface KeySetting {
  readonly setting: KeyName;
  readonly environment: ApiKey['environment'];
  /** Whether the key opens the whole API. A run is made with the first such key that is set. */
  readonly isMain: boolean;
  /** The deployment no longer accepts the key. */
  readonly isRevoked?: true;
}

/** What sets a call that must be refused apart from its twin, the accepted call of the same endpoint. */
export interface Difference extends Omit<CallDetails, 'id' | 'body'> {
  /** null: the call is sent without a key. */
  readonly key?: ApiKey | null;
  /** Makes the body to send from the twin's; a string is sent as it is. */
  readonly reshape?: (body: unknown) => unknown;
}

/** A documented call with everything in place for it, so that it can be sent as documented and with differences. */
export interface ArrangedCall {
  readonly endpoint: Endpoint;
  /** Sends the call with a difference. */
  send(difference: Difference): Promise<Answer>;
  /** The answer to the call as documented. A twin that deletes the record which `send` names is sent last. */
  twin(): Promise<Answer>;
}

/**
 * What is particular to one of the two APIs, as a value: one function over this value checks what both documents
 * promise. `S` is the type of the session, which has its API as a field.
 */
export interface Api<S> {
  readonly name: ApiName;
  /** The other API, whose URL the user may have set by mistake. */
  readonly other: {
    readonly name: ApiName;
    /** Whether an answer looks like one of its errors. */
    hasRefused(answer: Pick<Answer, 'status' | 'json'>): boolean;
  };
  /** What all its paths begin with. */
  readonly root: string;
  readonly endpoints: readonly Endpoint[];
  /** The first opens the sandbox, if there is one. */
  readonly keys: readonly [KeySetting, ...KeySetting[]];
  /** By label of a made-up key, the documented prefix that it gets; null: the given key's own prefix. */
  readonly keyPrefixes: Readonly<Record<string, string | null>>;
  /** The documented ways of sending a key, the recommended one first. */
  readonly keyModes: readonly [KeyMode, ...KeyMode[]];
  /** The clause by which a key sent in the recommended way is accepted. It is blamed where no read works. */
  readonly keyClause: string;
  /** Ids of keys that the run made, to be sent as if they were keys: they must open nothing. */
  idsAsKeys?(session: S): Promise<readonly ApiKey[]>;
  /** Whether every call carries a content type, with or without a body. */
  readonly alwaysTyped: boolean;
  /** Reads that any main key may make. The preflight sends the first, and the others if its answer is late or bad. */
  readonly probes: readonly string[];
  /** Reads to try keys on, cheap ones first. Each is tried only where those before it do not work. */
  readonly tryouts: readonly string[];
  /** The documented requests a minute of a key that the deployment has issued; the pacer keeps to it. */
  perMinute(key: ApiKey, settings: Settings): number;
  /** Whether all its keys draw on one budget: that of the workspace to which they belong. */
  readonly keysShareBudget: boolean;
  /** Whether it has a sandbox; without one, all that is written is real, and needs WRITES=all. */
  readonly hasSandbox: boolean;
  /** Whether a key opens real data, or would if the deployment took a made-up one for what it looks like. */
  opensLive(key: ApiKey): boolean;
  /** Whether the JSON of a 2xx carries at least one documented mark of a success. */
  showsSuccess(json: unknown): boolean;
  /** What JSON of a 2xx lacks that carries none; absent: any carries one. */
  readonly lack?: Lack;
  /** The collection of its webhooks, which go on acting and are deleted first; null: it sends no events. */
  readonly webhooks: string | null;
  /** JSON pointer to the payload of a success. */
  readonly payload: string;
  /**
   * The secrets in the answer to a call. The redactor learns them before anything is recorded. `json`: the parsed body,
   * or its text where it is not JSON.
   */
  secretsIn(json: RawJson, call: Pick<Call, 'endpoint' | 'body'>, headers: HeaderLines): readonly string[];
  /** What is wrong with the error body of a refusal; null: nothing. */
  errorTrouble(response: RecordedResponse): string | null;
  /** How calls that name no mode send their key: in the recommended way, or in another where that is broken. */
  usualMode(session: S): Promise<KeyMode>;
  /**
   * Does what has to precede a read of the endpoint, such as seeding the sandbox. Gives the answer to a plain read with
   * the main key, where one that is as good has been made.
   */
  readBefore(session: S, endpoint: Endpoint): Promise<Answer | null>;
  /** Arranges a documented call. `purpose` is put into the records that are made for it. */
  arrange(session: S, endpoint: Endpoint, purpose: string): Promise<ArrangedCall>;
}
