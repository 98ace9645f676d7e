import type { Environment, KeyEnvironment } from '../../contract/scopes.ts';
import type { Settings } from '../../settings/settings.ts';

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
  /** A common word or sign in place of a key, such as `*`: no secret, so it is not redacted. */
  readonly isWord?: true;
}

/** Whether a key opens another workspace, where the run's ids may be somebody else's. */
export const isOfOtherWorkspace = (key: ApiKey | null): boolean => key?.setting === 'WORKSPACE_OTHER_API_KEY';

/** How the run made a key: the recorded request, and where the answer showed the key. */
export interface KeyCreation {
  readonly request: { readonly url: string; readonly body: string };
  /** The setting that holds the key it was made with. */
  readonly makerSetting: string;
  readonly scopes: readonly string[];
  /** In the answer to the creation. */
  readonly places: KeyPlaces;
  /** In the answer to its rotation; absent: it was not rotated. */
  readonly rotated?: KeyPlaces;
}

/** Where an answer shows a key, as JSON pointers. */
export interface KeyPlaces {
  /** undefined: the answer does not show it. */
  readonly id: string | undefined;
  readonly secret: string;
}

/** How a key is sent. */
export type KeyMode = 'header' | 'query' | 'bearer' | 'basic' | 'cookie';
