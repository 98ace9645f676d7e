import { CannotRun } from '../common/cannot-run.ts';
import { decide } from '../common/decide.ts';
import { isObject, parseJson } from '../common/json.ts';
import { shorten, shortenKeyLike } from '../common/redaction/key-like.ts';
import type { KnownSetting, Setting } from '../contract/settings.ts';

/** Headers that go with each call to the target, by name. */
export type ExtraHeaders = Readonly<Record<string, string>>;

type Value<S extends KnownSetting> = S extends { readonly values: readonly (infer V)[] }
  ? V
  : S['kind'] extends 'count' | 'positive' | 'factor' | 'seed'
    ? number
    : S['kind'] extends 'headers'
      ? ExtraHeaders
      : string;

/** The parsed settings. A setting is absent if it is not set and has no default. */
export type Settings = {
  readonly [S in KnownSetting as S extends { readonly default: string } ? S['name'] : never]: Value<S>;
} & {
  readonly [S in KnownSetting as S extends { readonly default: string } ? never : S['name']]?: Value<S>;
};

const path = /^(?!~(\/|$)|.*(\$\{?[A-Z_]|%[A-Z_]+%))/;
const isAscii = /^(?!.*\$[{(])[\x21-\x7e]+$/;

/** What the values of each kind must be, in words, and what they look like; others may be any text. */
const kinds: Record<Setting['kind'], readonly [form: string, pattern?: RegExp]> = {
  origin: [
    'an absolute URL without user, ? and #, such as https://api.example.com',
    /^https?:\/\/[^/?#@$\s"'<>,;]+(\/[^?#\s]*)?$/,
  ],
  url: ['an absolute URL such as https://example.com/hook', /^https?:\/\/[^/?#$\s]+(\/\S*)?$/],
  secret: ['printable ASCII without blanks', /^(?!\$[{(]?[A-Za-z_]+[})]?$|%\w+%$)[\x21-\x7e]+$/],
  choice: [''],
  count: ['a whole number of at most nine digits', /^[0-9]{1,9}$/],
  positive: ['a whole number greater than 0, of at most nine digits', /^(?!0+$)[0-9]{1,9}$/],
  file: ['the path of a file', path],
  folder: ['the path of a folder', path],
  listen: ['host:port, such as 127.0.0.1:0', /^(\[[0-9A-Fa-f:]+\]|[^:\s]+):[0-9]{1,5}$/],
  factor: ['a number greater than 0', /^(?!0*(\.0*)?$)[0-9]{1,6}(\.[0-9]+)?$/],
  seed: ['a whole number of at most 15 digits', /^[0-9]{1,15}$/],
  headers: ['a JSON object of headers, such as {"X-Bypass": "token"}'],
};

/** Whether a setting takes a value. */
export function takes({ values, prefix, kind }: Setting, value: string): boolean {
  if (values) {
    return values.includes(value);
  }
  const url = kind === 'listen' ? `http://${value}` : value;
  const isKind = (kinds[kind][1]?.test(value) ?? true) && (!/^(origin|url|listen)$/.test(kind) || URL.canParse(url));
  return prefix ? value.startsWith(prefix) && isAscii.test(value) : isKind;
}

/** What a setting must be, in words. */
export function formOf({ values, prefix, kind }: Setting): string {
  if (values) {
    return `one of ${values.join(', ')}`;
  }
  return prefix ? `a key that starts with ${prefix}, in ${kinds.secret[0]}` : kinds[kind][0];
}

/**
 * Whether a value could be a secret given in the wrong setting: it begins like a key, or is a long word without slashes
 * and dots.
 */
const looksSecret = (text: string): boolean => /^svc_/.test(text) || /^[A-Za-z0-9_+=~-]{16,}$/.test(text);

/** A value as messages show it: secrets, and what looks like one, are shortened, and URLs lose their password. */
function showValue({ kind }: Setting, value: string): string {
  if (kind === 'headers') {
    return 'another text';
  }
  if (kind === 'secret' || looksSecret(value)) {
    return shorten(value);
  }
  return JSON.stringify(shortenKeyLike(value.slice(0, 200)));
}

/** One line about a value that cannot be used: the setting, what it got, what it must be, and often what was meant. */
export const refusalOf = (setting: Setting, value: string): string =>
  `Cannot use ${setting.name}: got ${showValue(setting, value)}, must be ${formOf(setting)}${hintFor(setting, value)}`;

/** What was probably meant by a value that cannot be used: the first sentence that applies. */
function hintFor({ name, kind }: Setting, value: string): string {
  const home = { svc_test_: 'SANDBOX_API_KEY', svc_live_: 'LIVE_API_KEY' }[value.slice(0, 9)];
  const [word] = /^(bearer(?=\s)|x-api-key:|authorization:)/i.exec(value) ?? [];
  const bare = value.replace(/^[\s"'`<\u2018-\u201f\u00ab]+|[\s"'`>\u2018-\u201f\u00bb]+$/g, '');
  const isHost = /^(\[[\d:a-f]+\]|localhost|[\w-]+(\.[\w-]+)+)(:\d+)?(\/\S*)?$/i.test(value);
  const isPlain = /^(\[|localhost|\d+\.\d+\.\d+\.\d+)|:\d+/.test(value);
  const [, scheme, rest = ''] = /^(https?):\/?([^/@]\S*)$/.exec(value) ?? [];
  const isSecret = kind === 'secret';
  const isUrl = kind === 'origin' || kind === 'url';
  const [hint] = decide<[string]>(
    [home !== undefined && home !== name, `it looks like the key for ${home}`],
    [isSecret && /^https?:\/\//.test(value), 'it is a URL, for BASE_URL or WORKSPACE_API_URL'],
    [/\$[{(]*\s*[A-Za-z_]|%[A-Za-z_]+%/.test(value), 'variables are not expanded here: write the value itself'],
    [value.startsWith('~'), '~ is not expanded here: write the whole path'],
    [isSecret && word !== undefined, `leave out "${word}", which is no part of the key`],
    [bare !== value && bare !== '', 'leave out the quotes or blanks around it'],
    [isUrl && isHost, `write ${isPlain ? 'http' : 'https'}://${value}`],
    [isUrl && scheme !== undefined, `write ${scheme}://${rest}`],
    [true, ''],
  );
  return hint && `; ${hint}`;
}

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
