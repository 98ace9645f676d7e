import type { Api as ApiName } from '../../contract/clause.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { HeaderLines, RecordedResponse } from '../../results/exchange.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Answer, RawJson } from './answer.ts';
import type { CallDetails } from './call.ts';
import type { ApiKey, KeyMode } from './key.ts';

/** A setting that holds a key. */
interface KeySetting {
  readonly setting: KeyName;
  readonly environment: ApiKey['environment'];
  /** A run is made with the first main key that is set. */
  readonly isMain: boolean;
  /** The deployment does not take it any more. */
  readonly isRevoked?: true;
}

export type KeyName = Extract<keyof Settings, `${string}_API_KEY`>;

/** In what a call that is to be refused differs from its twin, the accepted call of the same endpoint. */
export interface Difference extends Omit<CallDetails, 'id' | 'body'> {
  /** null: without a key. */
  readonly key?: ApiKey | null;
  /** The body that is sent in place of the twin's; a string is sent as it is. */
  readonly reshape?: (body: unknown) => unknown;
}

/** A documented call that can be made in other ways, beside the one that is accepted. */
export interface Arranged {
  readonly endpoint: Endpoint;
  /** Sends the call with what is different about it. */
  send(difference: Difference): Promise<Answer>;
  /** The answer to the call as it is documented; where it deletes what `send` is about, it is sent last. */
  twin(): Promise<Answer>;
}

/**
 * What is peculiar to one of the two APIs, as a value: whatever both documents promise is checked by one function over it.
 * `S` is the session, which has its API.
 */
export interface Api<S> {
  readonly name: ApiName;
  /** What all its paths begin with. */
  readonly root: string;
  readonly endpoints: readonly Endpoint[];
  readonly keys: readonly KeySetting[];
  /** What its keys begin with, by what an unknown key of that look is called; null: whatever the given key begins with. */
  readonly keyLooks: Readonly<Record<string, string | null>>;
  /** The documented ways of sending a key, the recommended one first. */
  readonly keyModes: readonly [KeyMode, ...KeyMode[]];
  /** The clause that a key sent in the recommended way is accepted: to blame where no read works. */
  readonly keyClause: string;
  /** Ids of keys of the run's own, sent as if they were keys: they open nothing. */
  idsAsKeys?(session: S): Promise<readonly ApiKey[]>;
  /** Whether every call carries a content type, with or without a body. */
  readonly alwaysTyped: boolean;
  /** Reads that any main key may make: the preflight sends the first two, and the others where neither has a good answer. */
  readonly probes: readonly string[];
  /** Reads on which keys are tried, cheap ones first: those after the first where it does not work. */
  readonly tryouts: readonly string[];
  /** The documented requests a minute of a key: what its calls are paced by. */
  perMinute(key: ApiKey, settings: Settings): number;
  /** Whether the JSON of a 2xx carries at least one mark of a success. */
  showsSuccess(json: unknown): boolean;
  /** Whether it sends webhook events. */
  readonly sendsEvents: boolean;
  /** The collection whose records act by themselves, and are deleted before all others; null: there is none. */
  readonly deletedFirst: string | null;
  /** Where a success's payload stands: a JSON pointer. */
  readonly payload: string;
  /** Secrets that a success of the endpoint shows: the redactor learns them before anything is recorded. */
  secretsIn(json: RawJson | undefined, endpoint: Endpoint | undefined, headers: HeaderLines): readonly string[];
  /** What is wrong with the error body of a refusal; null: nothing. */
  errorTrouble(response: RecordedResponse): string | null;
  /** The way of sending a key for calls that name none: another than the recommended one, where that is broken. */
  usualMode(session: S): Promise<KeyMode>;
  /** What has to be done before a read of the endpoint shows what it is to show. */
  prepareRead(session: S, endpoint: Endpoint): Promise<void>;
  /** Arranges a documented call. `purpose` names it, and stands in whatever is made for it. */
  arrange(session: S, endpoint: Endpoint, purpose: string): Promise<Arranged>;
}
