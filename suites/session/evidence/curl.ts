import { encoded } from '../../../common/uri.ts';
import type { ApiKey } from '../key.ts';
import type { WireRequest } from '../transport/transport.ts';
import { basic, basicPassword } from '../transport/wire.ts';

/** A piece of shell text: literal, or an expansion that the shell fills in. */
type Piece = { readonly text: string } | { readonly expansion: string };

/** What stands in a script for a secret. */
export interface Placeholder {
  readonly secret: string;
  readonly expansion: string;
}

const isPlain = (text: string): boolean => /^[\w@%+=:,./-]+$/.test(text);
const escapeDouble = (text: string): string => text.replace(/["$`\\]/g, '\\$&');

/** Text as a person would quote it: bare, in single quotes, or in double quotes where the shell has to put something in. */
function quote(pieces: readonly Piece[]): string {
  if (pieces.some((piece) => 'expansion' in piece)) {
    return `"${pieces.map((piece) => ('text' in piece ? escapeDouble(piece.text) : piece.expansion)).join('')}"`;
  }
  const text = pieces.map((piece) => ('text' in piece ? piece.text : '')).join('');
  if (isPlain(text)) {
    return text;
  }
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The text with each secret in it, however it is encoded, replaced by what stands for it. */
function split(text: string, placeholders: readonly Placeholder[]): Piece[] {
  const forms = placeholders.flatMap(({ secret, expansion }) => [
    { form: basic(secret), expansion: `Basic $(printf %s: "${expansion}" | base64 | tr -d '\\n')` },
    { form: basicPassword(secret), expansion: `Basic $(printf key:%s "${expansion}" | base64 | tr -d '\\n')` },
    { form: secret, expansion },
    { form: encoded(secret), expansion },
  ]);
  const found = forms
    .map((one) => ({ ...one, at: text.indexOf(one.form) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at || b.form.length - a.form.length)[0];
  if (found === undefined) {
    return text === '' ? [] : [{ text }];
  }
  const before = text.slice(0, found.at);
  return [
    ...(before === '' ? [] : [{ text: before }]),
    { expansion: found.expansion },
    ...split(text.slice(found.at + found.form.length), placeholders),
  ];
}

/** One call of curl, on a line of its own where it is short; the shell fills in what the placeholders stand for. */
export function curl(request: WireRequest, placeholders: readonly Placeholder[], flags = '-i'): string {
  const headers = request.headers
    .filter(([name]) => !/^Accept-(Encoding|Language)$/.test(name))
    // curl leaves out a header without a value, unless a semicolon takes the place of the colon.
    .map(([name, value]) => `-H ${quote(split(value === '' ? `${name};` : `${name}: ${value}`, placeholders))}`);
  const body = request.body === null ? [] : [`--data-raw ${quote(split(cut(request.body), placeholders))}`];
  const method = request.method === 'GET' ? '' : ` -X ${request.method}`;
  const parts = [`curl ${flags}${method} ${quote(split(request.url, placeholders))}`, ...headers, ...body];
  const line = parts.join(' ');
  return line.length <= 110 ? line : parts.join(' \\\n  ');
}

const cut = (body: string): string => (body.length > 2_000 ? `${body.slice(0, 2_000)}…` : body);

/** An invented key cannot be printed, since it may look like a real one: another one of its look serves as well. */
const invented = (secret: string): string => {
  const prefix = /^(?:[A-Za-z0-9]{2,12}_){1,2}/.exec(secret)?.[0] ?? '';
  return `${prefix}$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')`;
};

/** A given key with one thing changed, as the shell changes it. */
function altered(secret: string, given: string, name: string): string {
  const last = secret.at(-1) ?? '';
  if (secret === given.slice(0, -1)) {
    return `\${${name}%?}`;
  }
  if (secret === given.slice(0, -1) + last) {
    return `\${${name}%?}${last}`;
  }
  if (secret === given + last) {
    return `\${${name}:?}${last}`;
  }
  const at = [...secret].findIndex((letter, index) => letter !== given[index]);
  const rest = secret.slice(at + 1) === given.slice(at + 1) && secret.length === given.length;
  const shown = `printf %s "\${${name}:?}"`;
  if (rest) {
    return `$(${shown} | sed 's/./${secret[at]}/${at + 1}')`;
  }
  const cased = [given.toUpperCase(), given.toLowerCase()].indexOf(secret);
  if (cased !== -1) {
    return `$(${shown} | tr ${['a-z A-Z', 'A-Z a-z'][cased]})`;
  }
  return aroundPiece(secret, given, shown) ?? invented(secret);
}

/** How much of a key stands in another that was made of it, at least, and how much else at most. */
const ofPiece = { least: 6, beside: 12 } as const;

/** A piece of the given key with a little before and after it, as the shell cuts it out; null: there is none. */
function aroundPiece(secret: string, given: string, shown: string): string | null {
  for (let length = secret.length; length >= Math.max(ofPiece.least, secret.length - ofPiece.beside); length -= 1) {
    for (let from = 0; from + length <= given.length; from += 1) {
      const at = secret.indexOf(given.slice(from, from + length));
      if (at !== -1) {
        const piece = `$(${shown} | cut -c${from + 1}-${from + length})`;
        return `${secret.slice(0, at)}${piece}${secret.slice(at + length)}`;
      }
    }
  }
  return null;
}

export const settingName = (label: string): string => label.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();

/** What the shell puts in for a key: a setting, which has to be set, a key that the script makes, or one that nobody issued. */
export function expansionOf({ secret, label, origin, derivedFrom: like, creation: made, isWord }: ApiKey): string {
  if (made !== undefined) {
    return '$KEY';
  }
  if (origin === 'given') {
    return `\${${settingName(label)}:?}`;
  }
  if (like?.creation !== undefined) {
    return secret === like.id ? '$ID' : altered(secret, like.secret, 'KEY');
  }
  if (isWord) {
    return secret;
  }
  return like === undefined ? unknownExpansion(label, origin) : altered(secret, like.secret, settingName(like.label));
}

/** A key that only the deployment's owner can have made (a revoked one), or whose creation was not recorded. */
function unknownExpansion(label: string, origin: ApiKey['origin']): string {
  const name = settingName(label);
  if (/^[A-Z][A-Z_]*_API_KEY$/.test(label)) {
    return `\${${name}:?}`;
  }
  const what = origin === 'own' ? 'a key like the one named' : 'a key that is not valid:';
  return `\${${/^\d/.test(name) ? '_' : ''}${name}:?set it to ${what} ${label.replace(/[^\w ,.-]/g, '')}}`;
}

/** `${NAME%?}` and `$(…)` cannot ask by themselves that the key be set. */
export const question = ({ derivedFrom: like, isWord }: ApiKey): string[] =>
  isWord || like === undefined || like.creation !== undefined ? [] : [`: "\${${settingName(like.label)}:?}"`];
