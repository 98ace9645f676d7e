import type { Failure } from '../common/transport-failure.ts';
import type { UrlSetting } from './target.ts';

/** A URL as messages show it: what is before the @ may be a password. */
export const withoutUser = (url: string): string => url.replace(/\/\/[^/@]*@/, '//…@');

/** That a target gives no response, why, and what to change. */
export function cannotReach(setting: UrlSetting, origin: string, failure: Failure | null): string {
  const shown = withoutUser(origin);
  return `Cannot reach ${setting} ${shown}: ${failure?.message ?? 'no answer'}; ${advice(setting, shown, failure)}`;
}

/** Where TLS fails, the scheme, if the port speaks plain HTTP; else the origin or the authorities. */
function advice(setting: UrlSetting, origin: string, failure: Failure | null): string {
  switch (failure?.kind) {
    case 'proxy':
      return 'correct that variable, or name the host in NO_PROXY';
    case 'plain-http':
      return `the port speaks plain HTTP: set ${setting} to ${origin.replace(/^https:/, 'http:')}`;
    case 'tls':
      return `correct ${setting}, or name the authority's certificate in NODE_EXTRA_CA_CERTS`;
    case 'timeout':
      return `start the deployment, or correct ${setting} or TIMEOUT_MS`;
    default:
      return `start the deployment, or correct ${setting}`;
  }
}
