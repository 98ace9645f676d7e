import type { ApiName } from '../contract/clause.ts';
import type { Settings } from './settings.ts';

/** An API of the deployment that a run is to judge. */
export interface Target {
  readonly api: ApiName;
  /** The URL before the documented paths, without a slash at the end. */
  readonly origin: string;
  /** The setting that holds the origin; messages name it. */
  readonly setting: UrlSetting;
}

export type UrlSetting = 'BASE_URL' | 'WORKSPACE_API_URL';

/** The setting that makes an API a target. */
export const urlSettings: Readonly<Record<ApiName, UrlSetting>> = {
  developer: 'BASE_URL',
  workspace: 'WORKSPACE_API_URL',
};

/** The APIs that the settings name. If there are none, the run judges the reference deployment. */
export function targetsOf(settings: Settings): readonly Target[] {
  return (['developer', 'workspace'] as const).flatMap((api) => {
    const setting = urlSettings[api];
    const origin = settings[setting];
    return origin === undefined ? [] : [{ api, origin, setting }];
  });
}

/** The reason for skipping the clauses of an API that is no target. */
export const noTarget = (api: ApiName): string => `${urlSettings[api]} is not set: set it to judge the ${api} API`;

/** The reason for skipping the clauses that the command line does not choose. */
export const notChosen = (selection: string): string => `Not selected: this run judges only ${selection}`;
