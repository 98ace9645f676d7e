import { CannotRun } from '../common/cannot-run.ts';
import { isObject, parseJson } from '../common/json.ts';
import type { Setting } from '../contract/settings.ts';
import { refusalOf } from './values.ts';

/** Headers that go with each call to the target, by name. */
export type ExtraHeaders = Readonly<Record<string, string>>;

/** Headers that the suite sets itself, since clauses judge them or they make the call what it is. */
const own =
  /^(x-api-key|content-type|accept|accept-encoding|accept-language|user-agent|host|content-length|transfer-encoding|connection)$/i;

/** The headers in the text of EXTRA_HEADERS. Throws CannotRun if it is no object of headers, or names one of the suite's. */
export function parseHeaders(setting: Setting, text: string): ExtraHeaders {
  const headers = parseJson(text);
  const isHeader = ([name, value]: readonly [string, unknown]): boolean =>
    /^[\w!#$%&'*+.^`|~-]+$/.test(name) &&
    typeof value === 'string' &&
    /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value);
  if (!isObject(headers) || !Object.entries(headers).every(isHeader)) {
    throw new CannotRun(refusalOf(setting, text));
  }
  const taken = Object.keys(headers).find((name) => own.test(name));
  if (taken !== undefined) {
    throw new CannotRun(
      `Cannot use ${setting.name}: ${taken} is a header that the suite sets and judges; leave it out`,
    );
  }
  return headers as ExtraHeaders;
}
