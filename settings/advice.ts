import type { Failure } from '../common/transport-failure.ts';
import type { UrlSetting } from './target.ts';

/** What OpenSSL says where the other side does not speak TLS at all. */
const plainPort = /wrong version number|packet length too long|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)/i;

/** A URL as messages show it: what stands before the @ may be a password. */
export const withoutUser = (url: string): string => url.replace(/\/\/[^/@]*@/, '//…@');

/** That a target gives no response, why, and what to change. */
export function cannotReach(setting: UrlSetting, origin: string, failure: Failure | null): string {
  const shown = withoutUser(origin);
  return `Cannot reach ${setting} ${shown}: ${failure?.message ?? 'no answer'}; ${advice(setting, shown, failure)}`;
}

/** Where TLS fails, the scheme, if the port speaks plain HTTP; else the origin or the authorities. */
function advice(setting: UrlSetting, origin: string, failure: Failure | null): string {
  if (failure?.kind === 'proxy') {
    return 'correct that variable, or name the host in NO_PROXY';
  }
  if (failure?.kind !== 'tls') {
    return `start the deployment, or correct ${setting}${failure?.kind === 'timeout' ? ' or TIMEOUT_MS' : ''}`;
  }
  return plainPort.test(failure.message)
    ? `the port speaks plain HTTP: set ${setting} to ${origin.replace(/^https:/, 'http:')}`
    : `correct ${setting}, or name the authority's certificate in NODE_EXTRA_CA_CERTS`;
}
