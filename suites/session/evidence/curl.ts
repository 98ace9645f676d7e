import { encoded } from '../../../common/uri.ts';
import { commonPrefixLength } from '../../../common/words.ts';
import { escaped } from '../../reading/own-words.ts';
import type { ApiKey } from '../call.ts';
import type { WireRequest } from '../transport/transport.ts';
import { basic, basicTwice } from '../transport/wire.ts';

/** A secret, and the shell expansion that a script has in its place. */
export interface Placeholder {
  readonly secret: string;
  readonly expansion: string;
}

/**
 * Text as a person would quote it: bare, in single quotes, or in double quotes where the shell expands something. Each
 * secret, be it plain, URL-encoded or in basic credentials, is replaced by its expansion.
 */
function shellText(text: string, placeholders: readonly Placeholder[]): string {
  const expansions = new Map(
    placeholders.toReversed().flatMap(({ secret, expansion }): [string, string][] => [
      [encoded(secret), expansion],
      [secret, expansion],
      [basicTwice(secret), `Basic $(printf %s:%s "${expansion}" "${expansion}" | base64 | tr -d '\\n')`],
      [basic(secret), `Basic $(printf %s: "${expansion}" | base64 | tr -d '\\n')`],
    ]),
  );
  const forms = [...expansions.keys()].toSorted((a, b) => b.length - a.length).map(escaped);
  const pieces = forms.length === 0 ? [text] : text.split(new RegExp(`(${forms.join('|')})`));
  if (pieces.length > 1) {
    return `"${pieces.map((piece) => expansions.get(piece) ?? piece.replace(/["$`\\]/g, '\\$&')).join('')}"`;
  }
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** One call of curl, on one line where it is short, with the secrets of the placeholders replaced. */
export function curl(request: WireRequest, placeholders: readonly Placeholder[], flags = '-i'): string {
  const quoted = (text: string): string => shellText(text, placeholders);
  const headers = request.headers
    .filter(([name]) => !/^(Accept-(Encoding|Language)|User-Agent)$/.test(name))
    // curl leaves out a header without a value, unless a semicolon takes the place of the colon.
    .map(([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`);
  const shown = request.body?.replace(/^(.{2000}).+$/s, '$1…') ?? null;
  const body = shown === null ? [] : [`--data-raw ${quoted(shown)}`];
  const method = request.method === 'GET' ? '' : ` -X ${request.method}`;
  const { url, secrets } = withoutSecretsInQuery(request.url, placeholders);
  // -G makes a query of all data: a call with a body needs an option that only newer versions of curl have.
  const option = request.body === null ? '-G --data-urlencode' : '--url-query';
  const query = secrets.map((pair) => `${option} ${quoted(pair)}`);
  const parts = [`curl ${flags}${method} ${quoted(url)}`, ...query, ...headers, ...body];
  const line = parts.join(' ');
  return line.length <= 110 ? line : parts.join(' \\\n  ');
}

/** A URL without the secrets in its query, and these as `name=secret`: the shell fills them in, curl encodes them. */
function withoutSecretsInQuery(url: string, placeholders: readonly Placeholder[]) {
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const known = new Set(placeholders.map(({ secret }) => secret));
  const decodedValue = (pair: string): string => new URLSearchParams(pair).values().next().value ?? '';
  const pairs = query === '' ? [] : query.split('&');
  const secrets = pairs.filter((pair) => known.has(decodedValue(pair)));
  const others = pairs.filter((pair) => !secrets.includes(pair));
  return {
    url: secrets.length === 0 ? url : others.length === 0 ? path : `${path}?${others.join('&')}`,
    secrets: secrets.map((pair) => `${pair.split('=', 1)[0]}=${decodedValue(pair)}`),
  };
}

/** The name of a shell variable for a key with that label. */
const settingName = (label: string): string => label.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();

/**
 * The shell expansion that gives a key. A given key is read from its setting, a key that the run made from `$KEY`,
 * which the script sets if it can make one (`isRemade`). A made-up key is derived from one of these, or invented anew:
 * it cannot be printed, since it may look like a real one.
 */
export function expansionOf(key: ApiKey, isRemade: boolean): string {
  const { secret, label, origin, derivedFrom, creation } = key;
  if (creation !== undefined) {
    return isRemade ? '$KEY' : expansionToSet(key);
  }
  if (origin === 'given') {
    return `\${${settingName(label)}:?}`;
  }
  if (derivedFrom?.creation !== undefined && isRemade) {
    return secret === derivedFrom.id ? '$KEY_ID' : alteration(secret, derivedFrom.secret, 'KEY');
  }
  return derivedFrom === undefined || derivedFrom.creation !== undefined
    ? expansionToSet(key)
    : alteration(secret, derivedFrom.secret, settingName(derivedFrom.label));
}

/** A line that stops the script unless the key that a made-up one is derived from is set: `$(…)` does not. */
export const requireSetting = ({ derivedFrom }: ApiKey): string[] =>
  derivedFrom === undefined || derivedFrom.creation !== undefined
    ? []
    : [`: "\${${settingName(derivedFrom.label)}:?}"`];

/** Asks the reader for a key that only the deployment's owner can make (a revoked one), or that was not recorded. */
function expansionToSet({ label, setting, origin }: ApiKey): string {
  const name = settingName(label);
  if (setting !== undefined) {
    return `\${${name}:?}`;
  }
  const what = origin === 'own' ? 'a key like the one named' : 'a key that is not valid:';
  return `\${${/^\d/.test(name) ? '_' : ''}${name}:?set it to ${what} ${label.replace(/[^\w ,.-]/g, '')}}`;
}

/** Most characters of a made-up key that a script shows between two pieces of the key that it is derived from. */
const mostBetween = 12;

/** Shell text that makes `secret` out of the key in the variable `name`, whose value is `from`. */
function alteration(secret: string, from: string, name: string): string {
  const print = `printf %s "\${${name}:?}"`;
  const start = commonPrefixLength(secret, from);
  const end = commonPrefixLength(reversed(secret.slice(start)), reversed(from.slice(start)));
  const between = secret.slice(start, secret.length - end);
  if (between.length > mostBetween) {
    // A random key with the same prefix serves as well.
    const prefix = /^(?:[A-Za-z0-9]{2,12}_){1,2}/.exec(secret)?.[0] ?? '';
    return `${prefix}$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')`;
  }
  const piece = (length: number, command: string): string => (length === 0 ? '' : `$(${print} | ${command})`);
  return `${piece(start, `cut -c1-${start}`)}${between}${piece(end, `tail -c ${end}`)}`;
}

const reversed = (text: string): string => [...text].reverse().join('');
