import type { Api } from '../contract/clause.ts';
import type { Settings } from './settings.ts';

/** An API of the deployment that a run is to judge. */
export interface Target {
  readonly api: Api;
  /** Where its paths begin, without a slash at the end. */
  readonly origin: string;
  /** The setting that says so: what messages about it name. */
  readonly setting: UrlSetting;
}

export type UrlSetting = 'BASE_URL' | 'WORKSPACE_API_URL';

/** The setting that makes an API a target. */
export const urlSettings: Readonly<Record<Api, UrlSetting>> = { developer: 'BASE_URL', workspace: 'WORKSPACE_API_URL' };

/** The APIs that the settings name; none: the run brings its own deployment. */
export function targetsOf(settings: Settings): readonly Target[] {
  return (['developer', 'workspace'] as const).flatMap((api) => {
    const setting = urlSettings[api];
    const origin = settings[setting];
    return origin === undefined ? [] : [{ api, origin, setting }];
  });
}

/** Why the clauses of an API that is no target are skipped. */
export const noTarget = (api: Api): string => `${urlSettings[api]} is not set: set it to judge the ${api} API`;

/** Why the clauses that the command line leaves out are skipped. */
export const notChosen = (selection: string): string => `Not chosen: the run judges ${selection} alone`;
