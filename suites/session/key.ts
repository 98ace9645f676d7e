import type { Environment } from '../../contract/scopes.ts';

/** A key as calls send it. */
export interface ApiKey {
  readonly secret: string;
  /** What curl lines and reports call it: `SANDBOX_API_KEY`, or a description in capitals of a key that the run made. */
  readonly label: string;
  /** Whose budget and data it opens: `workspace` for the workspace API. */
  readonly environment: Environment | 'enterprise' | 'workspace';
  /** `given` by a setting, made by the run (`own`), or `unknown` to the deployment (made up, altered, deleted). */
  readonly origin: 'given' | 'own' | 'unknown';
  /** When the run made or changed it, epoch milliseconds: how long it may still take to show effect. */
  readonly since?: number;
}

/** How a key is sent. */
export type KeyMode = 'header' | 'query' | 'bearer' | 'basic' | 'cookie';
