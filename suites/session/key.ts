import type { Environment } from '../../contract/scopes.ts';

/** A key as calls send it. */
export interface ApiKey {
  readonly secret: string;
  /** What curl lines and reports call it: `SANDBOX_API_KEY`, or a description in capitals of a key that the run made. */
  readonly label: string;
  /** Whose budget and data it opens: `workspace` for the workspace API. */
  readonly environment: Environment | 'enterprise' | 'workspace';
  /** The environment for which the run made it, where its secret looks like another one's: whose limits it has is open. */
  readonly madeFor?: Environment;
  /** `given` by a setting, made by the run (`own`), or `unknown` to the deployment (made up, altered, deleted). */
  readonly origin: 'given' | 'own' | 'unknown';
  /** When the run made or changed it, epoch milliseconds: how long it may still take to show effect. */
  readonly since?: number;
  /** The id of a key that the run made. */
  readonly id?: string;
  /** How the run made the key: what a reader needs to make one like it. */
  readonly made?: Made;
  /** The given key that a made-up one was altered from. */
  readonly like?: ApiKey;
  /** A word or a sign in place of a key: no secret, and in many a text. */
  readonly isWord?: true;
}

/** The creation of a key, as it was recorded. */
export interface Made {
  readonly request: { readonly url: string; readonly body: string };
  /** The setting of the key that made it. */
  readonly maker: string;
  readonly scopes: readonly string[];
  /** JSON pointers in the answer to the creation. */
  readonly places: Places;
  /** In the answer to its rotation, where it was rotated since. */
  readonly rotated?: Places;
}

export interface Places {
  /** undefined: not shown there. */
  readonly id: string | undefined;
  readonly secret: string;
}

/** How a key is sent. */
export type KeyMode = 'header' | 'query' | 'bearer' | 'basic' | 'cookie';
