import type { UrlSetting } from './target.ts';

/** What OpenSSL says where the other side does not speak TLS at all. */
const plainPort = /wrong version number|packet length too long|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)/i;

/** What to change where TLS fails: the scheme, where the port speaks plain HTTP; else the origin or the authorities. */
export const tlsAdvice = (setting: UrlSetting, origin: string, failure: string): string =>
  plainPort.test(failure)
    ? `the port speaks plain HTTP: set ${setting} to ${origin.replace(/^https:/, 'http:')}`
    : `correct ${setting}, or name the authority's certificate in NODE_EXTRA_CA_CERTS`;
