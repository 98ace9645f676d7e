import { shorten, shortenKeyLike } from '../common/redaction/key-like.ts';
import type { Setting } from '../contract/settings.ts';

const patterns: Partial<Record<Setting['kind'], string>> = {
  origin: '^https?://[^/?#@$\\s]+(/[^?#\\s]*)?$',
  url: '^https?://[^/?#$\\s]+(/\\S*)?$',
  secret: '^(?!\\$[{(]?[A-Za-z_]+[})]?$|%\\w+%$)[\\x21-\\x7e]+$',
  file: '^(?!~(/|$)|.*(\\$\\{?[A-Z_]|%[A-Z_]+%))',
  folder: '^(?!~(/|$)|.*(\\$\\{?[A-Z_]|%[A-Z_]+%))',
  count: '^[0-9]{1,9}$',
  seed: '^[0-9]{1,15}$',
  factor: '^(?!0*(\\.0*)?$)[0-9]{1,6}(\\.[0-9]+)?$',
  listen: '^(\\[[0-9A-Fa-f:]+\\]|[^:\\s]+):[0-9]{1,5}$',
};

const forms: Record<Setting['kind'], string> = {
  origin: 'an absolute URL such as https://api.example.com',
  url: 'an absolute URL such as https://example.com/hook',
  secret: 'printable ASCII without blanks',
  choice: '',
  count: 'a whole number of at most nine digits',
  file: 'the path of a file',
  folder: 'the path of a folder',
  listen: 'host:port, such as 127.0.0.1:0',
  factor: 'a number greater than 0',
  seed: 'a whole number of at most 15 digits',
  headers: 'a JSON object of headers, such as {"X-Bypass": "token"}',
};

/** The JSON Schema of a setting's value, as text. */
export function schemaOf(setting: Setting): object {
  if (setting.values) {
    return { type: 'string', enum: setting.values };
  }
  const pattern = setting.prefix ? `^${setting.prefix}[\\x21-\\x7e]+$` : patterns[setting.kind];
  return pattern ? { type: 'string', minLength: 1, pattern } : { type: 'string', minLength: 1 };
}

/** What a setting must be, in words. */
export function formOf({ values, prefix, kind }: Setting): string {
  if (values) {
    return `one of ${values.join(', ')}`;
  }
  return prefix ? `a key that starts with ${prefix}, in ${forms.secret}` : forms[kind];
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
  return JSON.stringify(shortenKeyLike(value.replace(/\/\/[^/@]*@/, '//…@').slice(0, 200)));
}

/** One line about a value that cannot be used: the setting, what it got, what it must be, and often what was meant. */
export const refusalOf = (setting: Setting, value: string): string =>
  `Cannot use ${setting.name}: got ${showValue(setting, value)}, must be ${formOf(setting)}${hintFor(setting, value)}`;

const developerKeys: readonly (readonly [prefix: string, setting: string])[] = [
  ['svc_test_', 'SANDBOX_API_KEY'],
  ['svc_live_', 'LIVE_API_KEY'],
];

function hintFor({ name, kind }: Setting, value: string): string {
  const [, home] = developerKeys.find(([prefix]) => value.startsWith(prefix)) ?? [];
  if (home !== undefined && home !== name) {
    return `; it looks like the key for ${home}`;
  }
  if (kind === 'secret' && /^https?:\/\//.test(value)) {
    return '; it is a URL, for BASE_URL or WORKSPACE_API_URL';
  }
  if (/\$[{(]?[A-Za-z_]|%[A-Za-z_]+%/.test(value)) {
    return '; variables are not expanded here: write the value itself';
  }
  if (value.startsWith('~')) {
    return '; ~ is not expanded here: write the whole path';
  }
  const [word] = kind === 'secret' ? (/^(bearer(?=\s)|x-api-key:|authorization:)/i.exec(value) ?? []) : [];
  if (word !== undefined) {
    return `; leave out "${word}", which is no part of the key`;
  }
  const bare = value.replace(/^[\s"'`<\u2018-\u201f\u00ab]+|[\s"'`>\u2018-\u201f\u00bb]+$/g, '');
  if (bare !== value && bare !== '') {
    return '; leave out the quotes or blanks around it';
  }
  const isHost = /^(\[[\d:a-f]+\]|localhost|[\w-]+(\.[\w-]+)+)(:\d+)?(\/\S*)?$/i.test(value);
  if ((kind === 'origin' || kind === 'url') && isHost) {
    const plain = /^(\[|localhost|\d+\.\d+\.\d+\.\d+)|:\d+/.test(value);
    return `; write ${plain ? 'http' : 'https'}://${value}`;
  }
  const [, scheme, rest = ''] = /^(https?):\/?([^/@]\S*)$/.exec(value) ?? [];
  if ((kind === 'origin' || kind === 'url') && scheme !== undefined) {
    return `; write ${scheme}://${rest}`;
  }
  return kind === 'origin' ? originHint(value) : '';
}

/** What must be left out of a URL to make it an origin, or how it must begin. */
function originHint(value: string): string {
  const url = URL.parse(value);
  if (url === null) {
    return '';
  }
  if (!/^https?:$/.test(url.protocol)) {
    return '; it must begin with https:// or http://';
  }
  if (!value.startsWith(url.protocol)) {
    return `; write ${url.protocol}// in lower case`;
  }
  return url.username === '' && url.password === ''
    ? '; leave out ? and #, and what follows'
    : '; leave out the user and password';
}
