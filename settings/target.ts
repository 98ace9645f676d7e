import type { Failure } from '../common/transport-failure.ts';
import type { ApiName } from '../contract/clause.ts';
import type { Settings } from './values.ts';

/** The setting that makes an API a target. */
export const urlSettings = { developer: 'BASE_URL', workspace: 'WORKSPACE_API_URL' } as const;

type UrlSetting = (typeof urlSettings)[ApiName];

/**
 * The APIs that the settings name, with the setting and the origin in it: the URL before the documented paths, without a
 * slash at the end. If there are none, the run judges the reference deployment.
 */
export function targetsOf(settings: Settings) {
  return (['developer', 'workspace'] as const).flatMap((api) => {
    const setting = urlSettings[api];
    const origin = settings[setting];
    return origin === undefined ? [] : [{ api, origin, setting }];
  });
}

/** What is said where no setting makes an API a target. */
export const noneTargeted =
  'No deployment of yours is judged, only the built-in reference: set BASE_URL or WORKSPACE_API_URL';

/** The reason for skipping the clauses of an API that is no target. */
export const noTarget = (api: ApiName): string => `${urlSettings[api]} is not set: set it to judge the ${api} API`;

/** A URL as messages show it: what is before the @ may be a password. */
export const withoutUser = (url: string): string => url.replace(/\/\/[^/@]*@/, '//…@');

/** That a target gives no response, why, and what to change. */
export function cannotReach(setting: UrlSetting, origin: string, failure: Failure | null): string {
  const shown = withoutUser(origin);
  return `Cannot reach ${setting} ${shown}: ${failure?.message ?? 'no answer'}; ${advice(setting, shown, failure)}`;
}

/** The scheme, where the port speaks the other one or may do so; else the origin, the authorities or the proxy. */
function advice(setting: UrlSetting, origin: string, failure: Failure | null): string {
  switch (failure?.kind) {
    case 'proxy':
      return 'correct that variable, or name the host in NO_PROXY';
    case 'plain-http':
      return `the port speaks plain HTTP: set ${setting} to ${origin.replace(/^https:/, 'http:')}`;
    case 'no-http1':
      return `let it accept HTTP/1.1 too, or set ${setting} to an origin that does`;
    case 'tls':
      return `correct ${setting}, or name the authority's certificate in NODE_EXTRA_CA_CERTS`;
    case 'timeout':
      return `start the deployment, or correct ${setting} or TIMEOUT_MS`;
    default: {
      const isMaybeTls = failure?.kind === 'closed' && origin.startsWith('http:');
      return `start the deployment, or correct ${setting}${isMaybeTls ? ' (https: where the port speaks TLS)' : ''}`;
    }
  }
}
