import { commonPrefixLength } from '../../../common/words.ts';
import type { ApiKey } from '../call.ts';

/** The name of a shell variable for a key with that label. */
export const settingName = (label: string): string => label.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();

/**
 * The shell expansion that gives a key. A given key is read from its setting, a key that the run made from `$KEY`,
 * which the script sets. A made-up key is derived from one of these, or invented anew: it cannot be printed, since it
 * may look like a real one.
 */
export function expansionOf(key: ApiKey): string {
  const { secret, label, origin, derivedFrom, creation, isWord } = key;
  if (creation !== undefined) {
    return '$KEY';
  }
  if (origin === 'given') {
    return `\${${settingName(label)}:?}`;
  }
  if (derivedFrom?.creation !== undefined) {
    return secret === derivedFrom.id ? '$ID' : alteration(secret, derivedFrom.secret, 'KEY');
  }
  if (isWord) {
    return secret;
  }
  return derivedFrom === undefined
    ? expansionToSet(key)
    : alteration(secret, derivedFrom.secret, settingName(derivedFrom.label));
}

/** A line that stops the script unless the key that a made-up one is derived from is set: `$(…)` does not. */
export const requireSetting = ({ derivedFrom, isWord }: ApiKey): string[] =>
  isWord || derivedFrom === undefined || derivedFrom.creation !== undefined
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
  if (secret === from.toUpperCase()) {
    return `$(${print} | tr a-z A-Z)`;
  }
  if (secret === from.toLowerCase()) {
    return `$(${print} | tr A-Z a-z)`;
  }
  const start = commonPrefixLength(secret, from);
  const end = commonPrefixLength(reversed(secret.slice(start)), reversed(from.slice(start)));
  const between = secret.slice(start, secret.length - end);
  if (between.length > mostBetween) {
    return invented(secret);
  }
  const piece = (length: number, command: string): string => (length === 0 ? '' : `$(${print} | ${command})`);
  return `${piece(start, `cut -c1-${start}`)}${between}${piece(end, `tail -c ${end}`)}`;
}

const reversed = (text: string): string => [...text].reverse().join('');

/** Shell text for a random key with the same prefix, which serves as well. */
const invented = (secret: string): string => {
  const prefix = /^(?:[A-Za-z0-9]{2,12}_){1,2}/.exec(secret)?.[0] ?? '';
  return `${prefix}$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')`;
};
